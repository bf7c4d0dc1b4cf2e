/** Fields on the clipboard, of this form or another. What others put there is believed nothing. */
import { type Condition, type Field, fieldOf, type FieldType } from "./content.ts";
import { FIELD_TYPES, freeName } from "./field-types.ts";
import { namesIn } from "./references.ts";

const KEY = "cf-fields";
const MAX_FIELDS = 1_000;
const TYPES: ReadonlySet<unknown> = new Set(FIELD_TYPES);

type Read = Readonly<Record<string, unknown>>;
export const isRecord = (value: unknown): value is Read =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const writeFields = (fields: readonly Field[]): string => JSON.stringify({ [KEY]: fields });

/** Empty where the text is something else. */
export function readFields(copied: string): readonly Field[] {
  let read: unknown = null;
  try {
    read = JSON.parse(copied);
  } catch {
    return [];
  }
  return list(isRecord(read) ? read[KEY] : null)
    .slice(0, MAX_FIELDS)
    .flatMap((own) => readField(own) ?? []);
}

/** A field that somebody else wrote; null for what has no name or no type that there is. */
export function readField(own: unknown): Field | null {
  if (!isRecord(own) || text(own["name"]).trim() === "" || !TYPES.has(own["type"])) return null;
  const { min, max, pattern } = isRecord(own["validation"]) ? own["validation"] : {};
  const attributes = isRecord(own["attributes"])
    ? Object.entries(own["attributes"]).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : [];
  return fieldOf({
    name: text(own["name"]),
    type: own["type"] as FieldType,
    label: text(own["label"]),
    placeholder: text(own["placeholder"]),
    default_value: text(own["default_value"]),
    required: own["required"] === true,
    css_class: text(own["css_class"]),
    description: text(own["description"]),
    group: typeof own["group"] === "string" ? own["group"] : null,
    options: list(own["options"]).flatMap((option) =>
      isRecord(option)
        ? [
            {
              value: text(option["value"]),
              label: text(option["label"]),
              ...(typeof option["image"] === "string" ? { image: option["image"] } : {}),
            },
          ]
        : [],
    ),
    validation: {
      ...(typeof min === "number" ? { min } : {}),
      ...(typeof max === "number" ? { max } : {}),
      ...(typeof pattern === "string" ? { pattern } : {}),
    },
    conditions: list(own["conditions"]).filter(isCondition),
    attributes: Object.fromEntries(attributes),
  });
}

export function isCondition(value: unknown): value is Condition {
  if (!isRecord(value)) return false;
  if ("field" in value) return typeof value["field"] === "string" && typeof value["operator"] === "string";
  const inner = value["any"] ?? value["all"];
  return Array.isArray(inner) && inner.every(isCondition);
}

/** The fields under names that are free, their conditions about fields that are there. */
export function fittingFields(fields: readonly Field[], present: readonly Field[]): readonly Field[] {
  const taken = new Set(present.map(({ name }) => name));
  const there = new Set([...taken, ...fields.map(({ name }) => name)]);
  const nameOf = new Map<string, string>();
  for (const { name } of fields) {
    const own = taken.has(name) ? freeName(name, taken) : name;
    nameOf.set(name, own);
    taken.add(own);
  }
  const renameIn = (conditions: readonly Condition[]): readonly Condition[] =>
    conditions.map((condition) => {
      if ("field" in condition) return { ...condition, field: nameOf.get(condition.field) ?? condition.field };
      return "any" in condition
        ? { ...condition, any: renameIn(condition.any) }
        : { ...condition, all: renameIn(condition.all) };
    });
  return fields.map((field) => ({
    ...field,
    name: nameOf.get(field.name) ?? field.name,
    group: nameOf.get(field.group ?? "") ?? null,
    conditions: renameIn(field.conditions.filter((own) => namesIn([own]).every((name) => there.has(name)))),
  }));
}
