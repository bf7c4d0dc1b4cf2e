/** Which fields conditions speak of, and what becomes of them when a field is renamed or goes. */
import type { Condition, Field } from "./content.ts";

/** The names that conditions speak of, each once. */
export function namesIn(conditions: readonly Condition[]): readonly string[] {
  const names = new Set<string>();
  const look = (condition: Condition): void => {
    if ("field" in condition) names.add(condition.field);
    else for (const inner of "any" in condition ? condition.any : condition.all) look(inner);
  };
  conditions.forEach(look);
  return [...names];
}

/** The conditions with each name replaced; those whose name becomes null go, and groups that are empty then. */
export function renamed(
  conditions: readonly Condition[],
  nameOf: (name: string) => string | null,
): readonly Condition[] {
  return conditions.flatMap((condition): readonly Condition[] => {
    if ("field" in condition) {
      const field = nameOf(condition.field);
      return field === null ? [] : [field === condition.field ? condition : { ...condition, field }];
    }
    const inner = renamed("any" in condition ? condition.any : condition.all, nameOf);
    if (inner.length === 0) return [];
    return ["any" in condition ? { ...condition, any: inner } : { ...condition, all: inner }];
  });
}

/** The conditions with the values that one field's answers have now. */
export function withValues(
  conditions: readonly Condition[],
  name: string,
  values: ReadonlyMap<unknown, string>,
): readonly Condition[] {
  return conditions.map((condition) => {
    if ("any" in condition) return { ...condition, any: withValues(condition.any, name, values) };
    if ("all" in condition) return { ...condition, all: withValues(condition.all, name, values) };
    if (condition.field !== name) return condition;
    const { value } = condition;
    return {
      ...condition,
      ...(value === undefined
        ? {}
        : {
            value: Array.isArray(value)
              ? value.map((own: unknown) => values.get(own) ?? own)
              : (values.get(value) ?? value),
          }),
    };
  });
}

/** Names that several fields decide about in a circle; null where there is none. */
export function cycleIn(fields: readonly Field[]): readonly string[] | null {
  const edges = new Map(
    fields.map(({ name, conditions, group }) => [name, [...namesIn(conditions), ...(group === null ? [] : [group])]]),
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

/** The circle that a field is part of. */
export function cycleOf(fields: readonly Field[], name: string): readonly string[] | null {
  const cycle = cycleIn([...fields.filter((own) => own.name === name), ...fields]);
  return cycle?.includes(name) === true ? cycle : null;
}
