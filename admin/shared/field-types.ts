/** Field types as the palette shows them. `form-editor/properties/field-properties.ts` has their properties. */
import { FIELD_KINDS, FIELD_VARIANTS, type PaletteGroup } from "../../client/field-kinds.ts";
import { factsOf, hasChoices } from "./field-facts.ts";
import { labelOf } from "./field-label.ts";
import type { LanguageCode } from "./text/languages.ts";
import { type Field, fieldOf, type FieldType } from "./draft/content.ts";

/** The variants of types that the palette shows. */
type PaletteVariant = Exclude<(typeof FIELD_VARIANTS)[number], { readonly group: null }>;

/** A name for each type, and for each variant that the palette shows. */
const NAMES: Readonly<Record<FieldType | PaletteVariant["name"], Readonly<Record<LanguageCode, string>>>> = {
  text: { en: "Short text", de: "Kurztext" },
  textarea: { en: "Long text", de: "Langtext" },
  email: { en: "Email", de: "E-Mail" },
  tel: { en: "Phone", de: "Telefon" },
  number: { en: "Number", de: "Zahl" },
  select: { en: "Dropdown", de: "Dropdown-Liste" },
  radio: { en: "Single choice", de: "Einfachauswahl" },
  checkbox: { en: "Checkboxes", de: "Mehrfachauswahl" },
  consent: { en: "Consent", de: "Einwilligung" },
  date: { en: "Date", de: "Datum" },
  time: { en: "Time", de: "Uhrzeit" },
  "datetime-local": { en: "Date and time", de: "Datum und Uhrzeit" },
  file: { en: "File upload", de: "Datei-Upload" },
  name: { en: "Full name", de: "Vor- und Nachname" },
  address: { en: "Address", de: "Adresse" },
  rating: { en: "Rating", de: "Bewertung" },
  range: { en: "Slider", de: "Schieberegler" },
  url: { en: "Web address", de: "Webadresse" },
  password: { en: "Password", de: "Passwort" },
  color: { en: "Color", de: "Farbe" },
  hidden: { en: "Hidden field", de: "Verstecktes Feld" },
  heading: { en: "Heading", de: "Überschrift" },
  paragraph: { en: "Text block", de: "Textblock" },
  divider: { en: "Divider", de: "Trennlinie" },
  fieldset: { en: "Section", de: "Abschnitt" },
  container: { en: "Group", de: "Gruppe" },
  submit: { en: "Submit button", de: "Absenden-Button" },
  calculation: { en: "Calculation", de: "Berechnung" },
  "date-parts": { en: "Date in three parts", de: "Datum in drei Teilen" },
  period: { en: "Period", de: "Zeitraum" },
  signature: { en: "Signature", de: "Unterschrift" },
  repeat: { en: "Repeating group", de: "Wiederholte Gruppe" },
  nps: { en: "Recommendation (0–10)", de: "Empfehlung (0–10)" },
  likert: { en: "Scale of words", de: "Skala aus Wörtern" },
  "yes-no": { en: "Yes or no", de: "Ja oder nein" },
  pictures: { en: "Pictures", de: "Bilder" },
  phone: { en: "Phone with country", de: "Telefon mit Land" },
  ranking: { en: "Ranking", de: "Rangfolge" },
  matrix: { en: "Matrix", de: "Matrix" },
};

/** Initial members of a variant's new field, in addition to those that define the variant. */
const FIRST_MEMBERS: Partial<Readonly<Record<PaletteVariant["name"], Partial<Field>>>> = {
  calculation: { attributes: { "data-calc": "0", readonly: "" } },
  nps: { validation: { min: 0, max: 10 } },
  signature: { attributes: { "data-signature": "", accept: "image/*" } },
};

/** Types and labels of the fields inside a variant's new field. */
const FIRST_FIELDS: Partial<
  Readonly<
    Record<
      PaletteVariant["name"],
      readonly { readonly type: FieldType; readonly label: Readonly<Record<LanguageCode, string>> }[]
    >
  >
> = {
  period: [
    { type: "date", label: { en: "From", de: "Von" } },
    { type: "date", label: { en: "To", de: "Bis" } },
  ],
  matrix: [1, 2, 3].map((row) => ({ type: "radio", label: { en: `Row ${row}`, de: `Zeile ${row}` } })),
  repeat: [{ type: "text", label: { en: "Name", de: "Name" } }],
};

/** An item of the palette. */
export interface PaletteEntry {
  /** A type's name, or a variant's. */
  readonly id: keyof typeof NAMES;
  readonly type: FieldType;
  readonly group: PaletteGroup;
  /** The members that turn a field into the variant. */
  readonly members: Partial<Pick<Field, "css_class" | "attributes" | "validation">>;
}

export const FIELD_TYPES = Object.keys(FIELD_KINDS) as readonly FieldType[];

const isInPalette = (variant: (typeof FIELD_VARIANTS)[number]): variant is PaletteVariant => variant.group !== null;

/** Every type, then the variants. */
export const PALETTE: readonly PaletteEntry[] = [
  ...FIELD_TYPES.map((type) => ({ id: type, type, group: FIELD_KINDS[type].group, members: {} })),
  ...FIELD_VARIANTS.filter(isInPalette).map(({ name, type, group, attribute, value }) => ({
    id: name,
    type,
    group,
    members: {
      ...(attribute === "class" ? { css_class: value } : { attributes: { [attribute]: value } }),
      ...FIRST_MEMBERS[name],
    },
  })),
];

/** The name of a type or a variant; the type's key if only a newer engine knows it. */
export const typeName = (id: PaletteEntry["id"], language: LanguageCode): string =>
  (NAMES as Readonly<Record<string, Readonly<Record<LanguageCode, string>>>>)[id]?.[language] ?? id;

export const takesAnswer = (type: FieldType): boolean => !["none", "button"].includes(factsOf(type)?.answer ?? "none");

/**
 * Title of a field for its owner: its label. Without one, the name of its type if it takes no answer, else its name in
 * words.
 */
export function fieldTitle(
  { label, name, type }: Pick<Field, "label" | "name" | "type">,
  language: LanguageCode,
): string {
  return label.trim() === "" && !takesAnswer(type) ? typeName(type, language) : labelOf({ label, name });
}

/** Returns the title of a field by its name; the name itself if no field has it. */
export function titleOfName(fields: readonly Field[], name: string, language: LanguageCode): string {
  const field = fields.find((candidate) => candidate.name === name);
  return field === undefined ? name : fieldTitle(field, language);
}

/** Derives an unused field name from the wanted name. */
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

/** A new field of a type or a variant, with a name derived from its label. */
export function newField(
  { type, members }: PaletteEntry,
  label: string,
  options: readonly string[],
  names: ReadonlySet<string>,
): Field {
  return fieldOf({
    name: freeName(type === "submit" ? "submit" : label, names),
    type,
    label: type === "divider" ? "" : label,
    required: type === "consent",
    options: hasChoices(type) ? options.map((text) => ({ value: text, label: text })) : [],
    ...members,
  });
}

/** A new field of a type or a variant, and the fields inside it. */
export function newFields(
  entry: PaletteEntry,
  label: string,
  options: readonly string[],
  taken: ReadonlySet<string>,
  language: LanguageCode,
): readonly Field[] {
  const whole = newField(entry, label, options, taken);
  const names = new Set([...taken, whole.name]);
  const first = (FIRST_FIELDS as Readonly<Record<string, (typeof FIRST_FIELDS)["period"]>>)[entry.id] ?? [];
  const within = first.map(({ type, label: labels }) => {
    const name = freeName(labels[language], names);
    names.add(name);
    const choices = hasChoices(type) ? options.map((text) => ({ value: text, label: text })) : [];
    return fieldOf({ name, type, label: labels[language], group: whole.name, options: choices });
  });
  const [from] = within;
  // A period does not end before it begins.
  const bounded = within.map((field) =>
    entry.id === "period" && from !== undefined && field !== from
      ? { ...field, attributes: { "data-min": from.name } }
      : field,
  );
  return [whole, ...bounded];
}
