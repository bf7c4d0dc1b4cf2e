/** Sample answers, for tests of actions, for test submissions and for examples. */
import { factsOf } from "../../shared/field-facts.ts";
import type { Field } from "../../../client/index.ts";

/** Returns a sample answer, which a pattern may still reject; empty for files. `text` is the sample for free text. */
export function sampleOf({ type, name, options, validation }: Field, text: string): string {
  const facts = factsOf(type);
  if (options.length > 0 && facts?.options !== "parts") return options[0]?.value ?? "";
  if (type === "tel") return "+44 20 7946 0000";
  switch (facts?.answer) {
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
    case "consent":
      return "1";
    case "files":
      return "";
    default:
      return name === "name" ? "Ada Lovelace" : text;
  }
}

/** Sample answer as a submit sends it. The parts of a name or an address have their own names. */
export interface SampleAnswer {
  readonly name: string;
  readonly value: string;
  readonly field: Field;
}

/** Returns a sample answer for each field that has an answer, except files. */
export function sampleAnswers(fields: readonly Field[], text: string): readonly SampleAnswer[] {
  return fields.flatMap((field) => {
    const facts = factsOf(field.type);
    if (facts === undefined || ["none", "button", "files"].includes(facts.answer)) return [];
    const names = facts.parts.length === 0 ? [field.name] : facts.parts.map((part) => `${field.name}[${part}]`);
    return names.map((name) => ({ name, value: sampleOf(field, text), field }));
  });
}
