/** References of conditions to fields: lists them, and updates them when a field is renamed or removed. */
import { isRecord } from "../is-record.ts";
import type { Condition, Content, Field } from "./content.ts";

/** Returns the field names in conditions, each once. */
export function fieldNamesIn(conditions: readonly Condition[]): readonly string[] {
  const names = new Set<string>();
  const look = (condition: Condition): void => {
    if ("field" in condition) names.add(condition.field);
    else for (const inner of "any" in condition ? condition.any : condition.all) look(inner);
  };
  conditions.forEach(look);
  return [...names];
}

/** Renames fields in conditions. A condition whose new name is null is dropped, and so are empty groups. */
export function renameInConditions(
  conditions: readonly Condition[],
  nameOf: (name: string) => string | null,
): readonly Condition[] {
  return conditions.flatMap((condition): readonly Condition[] => {
    if ("field" in condition) {
      const field = nameOf(condition.field);
      return field === null ? [] : [field === condition.field ? condition : { ...condition, field }];
    }
    const inner = renameInConditions("any" in condition ? condition.any : condition.all, nameOf);
    if (inner.length === 0) return [];
    return ["any" in condition ? { ...condition, any: inner } : { ...condition, all: inner }];
  });
}

/** Replaces values in the conditions about one field. */
export function replaceValues(
  conditions: readonly Condition[],
  name: string,
  values: ReadonlyMap<unknown, string>,
): readonly Condition[] {
  return conditions.map((condition) => {
    if ("any" in condition) return { ...condition, any: replaceValues(condition.any, name, values) };
    if ("all" in condition) return { ...condition, all: replaceValues(condition.all, name, values) };
    if (condition.field !== name) return condition;
    const { value } = condition;
    return {
      ...condition,
      ...(value === undefined
        ? {}
        : {
            value: Array.isArray(value)
              ? value.map((item: unknown) => values.get(item) ?? item)
              : (values.get(value) ?? value),
          }),
    };
  });
}

type References = Pick<Content, "settings" | "messages">;

/** Settings that list names of fields, separated by commas. */
const NAME_LISTS = ["required_fields", "email_fields"] as const;

/** Renames a field in actions, endings and other settings and messages: in conditions, lists and variables. */
export function renameInTexts({ settings, messages }: References, from: string, to: string): References {
  const lists = Object.fromEntries(
    NAME_LISTS.flatMap((key) => {
      const list = settings[key];
      return typeof list === "string"
        ? [[key, list.replaceAll(/[^\s,]+/g, (name) => (name === from ? to : name))]]
        : [];
    }),
  );
  const renamed = renameInValue({ settings, messages }, from, to) as References;
  return { ...renamed, settings: { ...renamed.settings, ...lists } };
}

function renameInValue(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string")
    return ["]", "|"].reduce((text, end) => text.replaceAll(`[${from}${end}`, () => `[${to}${end}`), value);
  if (Array.isArray(value)) return value.map((item: unknown) => renameInValue(item, from, to));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "conditions" && Array.isArray(inner)
        ? renameInConditions(inner as Condition[], (name) => (name === from ? to : name))
        : renameInValue(inner, from, to),
    ]),
  );
}

/** Returns the names of fields whose conditions and groups form a cycle; null without one. */
export function cycleIn(fields: readonly Field[]): readonly string[] | null {
  const edges = new Map(
    fields.map(({ name, conditions, group }) => [
      name,
      [...fieldNamesIn(conditions), ...(group === null ? [] : [group])],
    ]),
  );
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): readonly string[] | null => {
    const at = path.indexOf(name);
    if (at >= 0) return path.slice(at);
    if (done.has(name)) return null;
    path.push(name);
    for (const next of edges.get(name) ?? []) {
      const cycle = visit(next);
      if (cycle !== null) return cycle;
    }
    path.pop();
    done.add(name);
    return null;
  };
  for (const { name } of fields) {
    const cycle = visit(name);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** Returns the cycle that a field is part of; null without one. */
export function cycleOf(fields: readonly Field[], name: string): readonly string[] | null {
  const cycle = cycleIn([...fields.filter((field) => field.name === name), ...fields]);
  return cycle?.includes(name) === true ? cycle : null;
}
