/** Fields on the clipboard, from this form or another. Clipboard content is untrusted. */
import { type Condition, type Field, fieldOf, type FieldType } from "../../../shared/draft/content.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { FIELD_TYPES, freeName } from "../../../shared/field-types.ts";
import { fieldNamesIn } from "../../../shared/draft/references.ts";

const KEY = "cf-fields";
const MAX_FIELDS = 1_000;
const TYPES: ReadonlySet<unknown> = new Set(FIELD_TYPES);

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const serializeFields = (fields: readonly Field[]): string => JSON.stringify({ [KEY]: fields });

/** Parses fields from text; empty if the text holds none. */
export function parseFields(copied: string): readonly Field[] {
  let read: unknown = null;
  try {
    read = JSON.parse(copied);
  } catch {
    return [];
  }
  return list(isRecord(read) ? read[KEY] : null)
    .slice(0, MAX_FIELDS)
    .flatMap((value) => parseField(value) ?? []);
}

/** Parses an untrusted field; null without a name or a known type. */
export function parseField(value: unknown): Field | null {
  if (!isRecord(value) || text(value["name"]).trim() === "" || !TYPES.has(value["type"])) return null;
  const { min, max, pattern } = isRecord(value["validation"]) ? value["validation"] : {};
  const attributes = isRecord(value["attributes"])
    ? Object.entries(value["attributes"]).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : [];
  return fieldOf({
    name: text(value["name"]),
    type: value["type"] as FieldType,
    label: text(value["label"]),
    placeholder: text(value["placeholder"]),
    default_value: text(value["default_value"]),
    required: value["required"] === true,
    css_class: text(value["css_class"]),
    description: text(value["description"]),
    group: typeof value["group"] === "string" ? value["group"] : null,
    options: list(value["options"]).flatMap((option) =>
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
    conditions: list(value["conditions"]).filter(isCondition),
    attributes: Object.fromEntries(attributes),
  });
}

export function isCondition(value: unknown): value is Condition {
  if (!isRecord(value)) return false;
  if ("field" in value) return typeof value["field"] === "string" && typeof value["operator"] === "string";
  const inner = value["any"] ?? value["all"];
  return Array.isArray(inner) && inner.every(isCondition);
}

/** Prepares fields for insertion: gives them unused names and drops conditions about missing fields. */
export function insertableFields(fields: readonly Field[], present: readonly Field[]): readonly Field[] {
  const taken = new Set(present.map(({ name }) => name));
  const available = new Set([...taken, ...fields.map(({ name }) => name)]);
  const nameOf = new Map<string, string>();
  for (const { name } of fields) {
    const newName = taken.has(name) ? freeName(name, taken) : name;
    nameOf.set(name, newName);
    taken.add(newName);
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
    conditions: renameIn(
      field.conditions.filter((condition) => fieldNamesIn([condition]).every((name) => available.has(name))),
    ),
  }));
}
