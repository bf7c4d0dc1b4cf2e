/** Field types in the order of the palette. Their properties are in `properties/field-properties.ts`. */
import type { LanguageCode } from "../../../shared/text/languages.ts";
import { type Field, fieldOf, type FieldType } from "../../../shared/draft/content.ts";

interface FieldTypeFacts {
  readonly name: Readonly<Record<LanguageCode, string>>;
  readonly takesAnswer: boolean;
}

/** All types, in the order of the palette. */
const TYPES: Readonly<Record<FieldType, FieldTypeFacts>> = {
  text: { name: { en: "Short text", de: "Kurztext" }, takesAnswer: true },
  textarea: { name: { en: "Long text", de: "Langtext" }, takesAnswer: true },
  email: { name: { en: "Email", de: "E-Mail" }, takesAnswer: true },
  tel: { name: { en: "Phone", de: "Telefon" }, takesAnswer: true },
  number: { name: { en: "Number", de: "Zahl" }, takesAnswer: true },
  select: {
    name: { en: "Dropdown", de: "Dropdown-Liste" },
    takesAnswer: true,
  },
  radio: { name: { en: "Single choice", de: "Einfachauswahl" }, takesAnswer: true },
  checkbox: { name: { en: "Checkboxes", de: "Mehrfachauswahl" }, takesAnswer: true },
  consent: { name: { en: "Consent", de: "Einwilligung" }, takesAnswer: true },
  date: { name: { en: "Date", de: "Datum" }, takesAnswer: true },
  time: { name: { en: "Time", de: "Uhrzeit" }, takesAnswer: true },
  "datetime-local": { name: { en: "Date and time", de: "Datum und Uhrzeit" }, takesAnswer: true },
  file: { name: { en: "File upload", de: "Datei-Upload" }, takesAnswer: true },
  name: { name: { en: "Full name", de: "Vor- und Nachname" }, takesAnswer: true },
  address: { name: { en: "Address", de: "Adresse" }, takesAnswer: true },
  rating: { name: { en: "Rating", de: "Bewertung" }, takesAnswer: true },
  range: { name: { en: "Slider", de: "Schieberegler" }, takesAnswer: true },
  url: { name: { en: "Web address", de: "Webadresse" }, takesAnswer: true },
  password: { name: { en: "Password", de: "Passwort" }, takesAnswer: true },
  color: { name: { en: "Color", de: "Farbe" }, takesAnswer: true },
  hidden: { name: { en: "Hidden field", de: "Verstecktes Feld" }, takesAnswer: true },
  heading: { name: { en: "Heading", de: "Überschrift" }, takesAnswer: false },
  paragraph: { name: { en: "Text block", de: "Textblock" }, takesAnswer: false },
  divider: { name: { en: "Divider", de: "Trennlinie" }, takesAnswer: false },
  fieldset: { name: { en: "Section", de: "Abschnitt" }, takesAnswer: false },
  container: { name: { en: "Group", de: "Gruppe" }, takesAnswer: false },
  submit: { name: { en: "Submit button", de: "Absenden-Button" }, takesAnswer: false },
};

export const FIELD_TYPES = Object.keys(TYPES) as readonly FieldType[];

/** Returns the facts of a type; undefined for a type of a newer engine. */
const factsOf = (type: FieldType): FieldTypeFacts | undefined => TYPES[type];
export const typeName = (type: FieldType, language: LanguageCode): string => factsOf(type)?.name[language] ?? type;

export const takesAnswer = (type: FieldType): boolean => factsOf(type)?.takesAnswer ?? false;

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
    required: type === "consent",
    options: choices,
  });
}
