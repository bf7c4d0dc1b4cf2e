/** The types of fields as the palette shows them, and what the inspector asks of each. */
import type { LanguageCode } from "../../../shared/text/languages.ts";
import { type Field, fieldOf, type FieldType } from "./content.ts";

type Question = "answer" | "bounds" | "options" | "pattern" | "placeholder";

interface TypeOfField {
  readonly name: Readonly<Record<LanguageCode, string>>;
  readonly asks: readonly Question[];
}

const WRITTEN: readonly Question[] = ["answer", "placeholder", "bounds", "pattern"];

/** Every type, in the order of the palette. */
const TYPES: Readonly<Record<FieldType, TypeOfField>> = {
  text: { name: { en: "Short text", de: "Kurzer Text" }, asks: WRITTEN },
  textarea: { name: { en: "Long text", de: "Langer Text" }, asks: WRITTEN },
  email: { name: { en: "Email", de: "E-Mail" }, asks: WRITTEN },
  tel: { name: { en: "Phone", de: "Telefon" }, asks: WRITTEN },
  number: { name: { en: "Number", de: "Zahl" }, asks: ["answer", "placeholder", "bounds"] },
  select: { name: { en: "Drop-down list", de: "Auswahlliste" }, asks: ["answer", "placeholder", "options", "bounds"] },
  radio: { name: { en: "One choice", de: "Eine Auswahl" }, asks: ["answer", "options", "bounds"] },
  checkbox: { name: { en: "Several choices", de: "Mehrere Auswahlen" }, asks: ["answer", "options", "bounds"] },
  consent: { name: { en: "Consent", de: "Einwilligung" }, asks: ["answer"] },
  date: { name: { en: "Date", de: "Datum" }, asks: ["answer"] },
  time: { name: { en: "Time", de: "Uhrzeit" }, asks: ["answer"] },
  "datetime-local": { name: { en: "Date and time", de: "Datum und Uhrzeit" }, asks: ["answer"] },
  file: { name: { en: "File upload", de: "Datei hochladen" }, asks: ["answer", "bounds"] },
  name: { name: { en: "Full name", de: "Vor- und Nachname" }, asks: ["answer", "options"] },
  address: { name: { en: "Address", de: "Anschrift" }, asks: ["answer", "options"] },
  rating: { name: { en: "Rating", de: "Bewertung" }, asks: ["answer", "options", "bounds"] },
  range: { name: { en: "Slider", de: "Schieberegler" }, asks: ["answer", "bounds"] },
  url: { name: { en: "Web address", de: "Webadresse" }, asks: WRITTEN },
  password: { name: { en: "Password", de: "Passwort" }, asks: WRITTEN },
  color: { name: { en: "Colour", de: "Farbe" }, asks: ["answer"] },
  hidden: { name: { en: "Hidden value", de: "Verborgener Wert" }, asks: ["answer"] },
  heading: { name: { en: "Heading", de: "Überschrift" }, asks: [] },
  paragraph: { name: { en: "Paragraph", de: "Absatz" }, asks: [] },
  divider: { name: { en: "Divider", de: "Trennlinie" }, asks: [] },
  fieldset: { name: { en: "Group with a title", de: "Gruppe mit Titel" }, asks: [] },
  container: { name: { en: "Group", de: "Gruppe" }, asks: [] },
  submit: { name: { en: "Send button", de: "Knopf zum Absenden" }, asks: [] },
};

export const FIELD_TYPES = Object.keys(TYPES) as readonly FieldType[];

/** None for a type that only a newer engine knows. */
const known = (type: FieldType): TypeOfField | undefined => TYPES[type];
export const typeName = (type: FieldType, language: LanguageCode): string => known(type)?.name[language] ?? type;

const asks = (type: FieldType, question: Question): boolean => known(type)?.asks.includes(question) ?? false;
export const takesAnswer = (type: FieldType): boolean => asks(type, "answer");
export const hasOptions = (type: FieldType): boolean => asks(type, "options");
export const hasPlaceholder = (type: FieldType): boolean => asks(type, "placeholder");
export const hasBounds = (type: FieldType): boolean => asks(type, "bounds");
export const hasPattern = (type: FieldType): boolean => asks(type, "pattern");

/** A name that no field has yet. */
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

/** A new field of a type, called as its label says. */
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
