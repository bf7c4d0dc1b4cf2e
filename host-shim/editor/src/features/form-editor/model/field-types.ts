/** The types of fields as the palette shows them, and what the inspector asks of each. */
import type { TextId } from "../../../text/text.tsx";
import { type Field, fieldOf, type FieldType } from "./content.ts";

export interface PaletteEntry {
  readonly type: FieldType;
  readonly text: TextId;
}

export const PALETTE: readonly PaletteEntry[] = ([
  "text", "textarea", "email", "tel", "number", "select", "radio", "checkbox", "consent", "date", "time", "datetime-local", "file", "name", "address", "rating", "range",
  "url", "password", "color", "hidden", "heading", "paragraph", "divider", "fieldset", "container", "submit",
] as const).map((type) => ({ type, text: `build.type.${type}` as const }));

const TEXTS: ReadonlySet<FieldType> = new Set<FieldType>(["text", "textarea", "email", "tel", "url", "password"]);
const CHOICES: ReadonlySet<FieldType> = new Set<FieldType>(["select", "radio", "checkbox"]);
const SILENT: ReadonlySet<FieldType> = new Set<FieldType>(["heading", "paragraph", "divider", "submit", "container", "fieldset"]);

export const takesAnswer = (type: FieldType): boolean => !SILENT.has(type);
export const hasOptions = (type: FieldType): boolean => CHOICES.has(type) || type === "name" || type === "address" || type === "rating";
export const hasPlaceholder = (type: FieldType): boolean => TEXTS.has(type) || type === "number" || type === "select";
export const hasBounds = (type: FieldType): boolean => TEXTS.has(type) || CHOICES.has(type) || type === "number" || type === "range" || type === "rating" || type === "file";
export const hasPattern = (type: FieldType): boolean => TEXTS.has(type);

/** A name that no field has yet. */
export function freeName(wanted: string, names: ReadonlySet<string>): string {
  const base = wanted.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 60) || "field";
  if (!names.has(base)) return base;
  let number = 2;
  while (names.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

/** A new field of a type, called as its label says. */
export function newField(type: FieldType, label: string, options: readonly string[], names: ReadonlySet<string>): Field {
  const choices = type === "select" || type === "radio" || type === "checkbox" ? options.map((text) => ({ value: text, label: text })) : [];
  return fieldOf({ name: freeName(type === "submit" ? "submit" : label, names), type, label: type === "divider" ? "" : label, options: choices });
}
