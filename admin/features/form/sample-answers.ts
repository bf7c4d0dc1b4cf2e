/** Sample answers, for tests of actions and for examples. */
import { factsOf } from "../../shared/field-facts.ts";
import type { Field } from "../../../client/index.ts";

/** Returns a sample answer that the field accepts; `text` stands for free text. */
export function sampleOf({ type, name, options, validation }: Field, text: string): string {
  if (options.length > 0) return options[0]?.value ?? "";
  if (type === "tel") return "+44 20 7946 0000";
  switch (factsOf(type)?.answer) {
    case "email":
      return "ada@example.com";
    case "url":
      return "https://example.com";
    case "number":
    case "points":
      return String(validation.min ?? 1);
    case "date":
      return "2030-01-31";
    case "time":
      return "12:30";
    case "date-time":
      return "2030-01-31T12:30";
    case "files":
      return "";
    default:
      return name === "name" ? "Ada Lovelace" : text;
  }
}
