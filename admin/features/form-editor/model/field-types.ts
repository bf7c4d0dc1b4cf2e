/** Field types in the order of the palette, with the settings that the inspector shows for each. */
import type { LanguageCode } from "../../../shared/text/languages.ts";
import { type Field, fieldOf, type FieldType } from "../../../shared/draft/content.ts";

type Feature = "answer" | "bounds" | "options" | "pattern" | "placeholder";

interface FieldTypeFacts {
  readonly name: Readonly<Record<LanguageCode, string>>;
  readonly features: readonly Feature[];
}

const TEXT_FEATURES: readonly Feature[] = ["answer", "placeholder", "bounds", "pattern"];

/** All types, in the order of the palette. */
const TYPES: Readonly<Record<FieldType, FieldTypeFacts>> = {
  text: { name: { en: "Short text", de: "Kurztext" }, features: TEXT_FEATURES },
  textarea: { name: { en: "Long text", de: "Langtext" }, features: TEXT_FEATURES },
  email: { name: { en: "Email", de: "E-Mail" }, features: TEXT_FEATURES },
  tel: { name: { en: "Phone", de: "Telefon" }, features: TEXT_FEATURES },
  number: { name: { en: "Number", de: "Zahl" }, features: ["answer", "placeholder", "bounds"] },
  select: {
    name: { en: "Dropdown", de: "Dropdown-Liste" },
    features: ["answer", "placeholder", "options", "bounds"],
  },
  radio: { name: { en: "Single choice", de: "Einfachauswahl" }, features: ["answer", "options", "bounds"] },
  checkbox: { name: { en: "Checkboxes", de: "Mehrfachauswahl" }, features: ["answer", "options", "bounds"] },
  consent: { name: { en: "Consent", de: "Einwilligung" }, features: ["answer"] },
  date: { name: { en: "Date", de: "Datum" }, features: ["answer"] },
  time: { name: { en: "Time", de: "Uhrzeit" }, features: ["answer"] },
  "datetime-local": { name: { en: "Date and time", de: "Datum und Uhrzeit" }, features: ["answer"] },
  file: { name: { en: "File upload", de: "Datei-Upload" }, features: ["answer", "bounds"] },
  name: { name: { en: "Full name", de: "Vor- und Nachname" }, features: ["answer", "options"] },
  address: { name: { en: "Address", de: "Adresse" }, features: ["answer", "options"] },
  rating: { name: { en: "Rating", de: "Bewertung" }, features: ["answer", "options", "bounds"] },
  range: { name: { en: "Slider", de: "Schieberegler" }, features: ["answer", "bounds"] },
  url: { name: { en: "Web address", de: "Webadresse" }, features: TEXT_FEATURES },
  password: { name: { en: "Password", de: "Passwort" }, features: TEXT_FEATURES },
  color: { name: { en: "Color", de: "Farbe" }, features: ["answer"] },
  hidden: { name: { en: "Hidden field", de: "Verstecktes Feld" }, features: ["answer"] },
  heading: { name: { en: "Heading", de: "Überschrift" }, features: [] },
  paragraph: { name: { en: "Text block", de: "Textblock" }, features: [] },
  divider: { name: { en: "Divider", de: "Trennlinie" }, features: [] },
  fieldset: { name: { en: "Section", de: "Abschnitt" }, features: [] },
  container: { name: { en: "Group", de: "Gruppe" }, features: [] },
  submit: { name: { en: "Submit button", de: "Absenden-Button" }, features: [] },
};

export const FIELD_TYPES = Object.keys(TYPES) as readonly FieldType[];

/** Returns the facts of a type; undefined for a type of a newer engine. */
const factsOf = (type: FieldType): FieldTypeFacts | undefined => TYPES[type];
export const typeName = (type: FieldType, language: LanguageCode): string => factsOf(type)?.name[language] ?? type;

const hasFeature = (type: FieldType, feature: Feature): boolean => factsOf(type)?.features.includes(feature) ?? false;
export const takesAnswer = (type: FieldType): boolean => hasFeature(type, "answer");
export const hasOptions = (type: FieldType): boolean => hasFeature(type, "options");
export const hasPlaceholder = (type: FieldType): boolean => hasFeature(type, "placeholder");
export const hasBounds = (type: FieldType): boolean => hasFeature(type, "bounds");
export const hasPattern = (type: FieldType): boolean => hasFeature(type, "pattern");

/** Derives a field name from the wanted one that no field has yet. */
export function freeName(wanted: string, names: ReadonlySet<string>): string {
  const base =
    wanted
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 60) || "field";
  if (!names.has(base)) return base;
  let number = 2;
  while (names.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

/** Creates a field of a type, with a name derived from its label. */
export function newField(
  type: FieldType,
  label: string,
  options: readonly string[],
  names: ReadonlySet<string>,
): Field {
  const choices =
    type === "select" || type === "radio" || type === "checkbox"
      ? options.map((text) => ({ value: text, label: text }))
      : [];
  return fieldOf({
    name: freeName(type === "submit" ? "submit" : label, names),
    type,
    label: type === "divider" ? "" : label,
    options: choices,
  });
}
