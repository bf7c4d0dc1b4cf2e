/** Fields of a schema as a tree of steps, containers and fields. */
import { type Field, type FormSchema, holdsFields, type Step } from "./content.ts";

export interface Branch {
  readonly field: Field;
  readonly children: readonly Branch[];
}

export interface Part {
  /** Null for fields without a step. */
  readonly step: Step | null;
  readonly children: readonly Branch[];
}

/** Returns the steps of a layout. If it lists none, each group that is not a container is a step. */
export function stepsOf({ layout, fields }: FormSchema): readonly Step[] {
  if (layout.type === "single") return [];
  if (layout.steps !== undefined || layout.type === "conversational") return layout.steps ?? [];
  const containers = new Set(fields.filter(({ type }) => holdsFields(type)).map(({ name }) => name));
  const ids = [...new Set(fields.flatMap(({ group }) => (group === null || containers.has(group) ? [] : [group])))];
  return ids.map((id) => ({
    id,
    title: id,
    fields: fields.filter(({ group }) => group === id).map(({ name }) => name),
  }));
}

/** Returns the parts of a form: first the fields without a step, which are shown last, then the steps in order. */
export function partsOf(schema: FormSchema): readonly Part[] {
  const { fields } = schema;
  const steps = stepsOf(schema);
  const names = new Set(fields.map(({ name }) => name));
  const containers = new Set(fields.filter(({ type }) => holdsFields(type)).map(({ name }) => name));
  const children = new Map<string, Field[]>();
  const roots: Field[] = [];
  for (const field of fields) {
    const { group } = field;
    if (group === null || group === field.name || !containers.has(group) || !names.has(group)) roots.push(field);
    else children.set(group, [...(children.get(group) ?? []), field]);
  }
  const seen = new Set<string>();
  const branch = (field: Field): Branch => {
    seen.add(field.name);
    return { field, children: (children.get(field.name) ?? []).filter(({ name }) => !seen.has(name)).map(branch) };
  };
  const stepOf = new Map(steps.flatMap((step) => (step.fields ?? []).map((name) => [name, step.id] as const)));
  const branches = roots.map(branch);
  // Containers that contain each other have no root.
  for (const field of fields) if (!seen.has(field.name)) branches.push(branch(field));
  const inStep = (id: string | null) => branches.filter(({ field }) => (stepOf.get(field.name) ?? null) === id);
  return [{ step: null, children: inStep(null) }, ...steps.map((step) => ({ step, children: inStep(step.id) }))];
}

/** Builds a schema from the parts: ordered fields with their groups, and steps with their fields. */
export function schemaOf(parts: readonly Part[], before: FormSchema): FormSchema {
  const fields: Field[] = [];
  const steps: Step[] = [];
  const write = ({ field, children }: Branch, group: string | null, names: string[]): void => {
    const position = fields.length;
    names.push(field.name);
    fields.push(field.position === position && field.group === group ? field : { ...field, position, group });
    for (const child of children) write(child, field.name, names);
  };
  // Fields without a step come last, as they are shown.
  for (const { step, children } of [
    ...parts.filter(({ step }) => step !== null),
    ...parts.filter(({ step }) => step === null),
  ]) {
    const names: string[] = [];
    for (const child of children) write(child, null, names);
    if (step !== null) steps.push({ ...step, fields: names });
  }
  const { steps: _, ...layout } = before.layout;
  return {
    ...before,
    fields,
    layout:
      before.layout.type === "single" || (steps.length === 0 && before.layout.steps === undefined)
        ? layout
        : { ...layout, steps },
  };
}

/** Position in the tree: a step's id, a container's name, and the preceding field. */
export interface Target {
  readonly step: string | null;
  readonly group: string | null;
  /** Preceding sibling; null for the first position. */
  readonly after: string | null;
}

/** Removes branches by name, together with the branches inside them. */
export function extractBranches(
  parts: readonly Part[],
  names: ReadonlySet<string>,
): { readonly rest: readonly Part[]; readonly taken: readonly Branch[] } {
  const taken: Branch[] = [];
  const filter = (branches: readonly Branch[]): readonly Branch[] =>
    branches.flatMap((branch) => {
      if (!names.has(branch.field.name)) return [{ ...branch, children: filter(branch.children) }];
      taken.push(branch);
      return [];
    });
  return { rest: parts.map((part) => ({ ...part, children: filter(part.children) })), taken };
}

/** Inserts branches at a position; at the end of the first part if the position no longer exists. */
export function insertBranches(parts: readonly Part[], added: readonly Branch[], target: Target): readonly Part[] {
  let isPlaced = false;
  const put = (branches: readonly Branch[]): readonly Branch[] => {
    isPlaced = true;
    const at = target.after === null ? 0 : branches.findIndex(({ field }) => field.name === target.after) + 1;
    return target.after !== null && at === 0
      ? [...branches, ...added]
      : [...branches.slice(0, at), ...added, ...branches.slice(at)];
  };
  const look = (branches: readonly Branch[]): readonly Branch[] =>
    branches.map((branch) =>
      branch.field.name === target.group && holdsFields(branch.field.type)
        ? { ...branch, children: put(branch.children) }
        : { ...branch, children: look(branch.children) },
    );
  const placed = parts.map((part) => {
    if (target.group !== null) return { ...part, children: look(part.children) };
    return (part.step?.id ?? null) === target.step ? { ...part, children: put(part.children) } : part;
  });
  return isPlaced
    ? placed
    : parts.map((part, index) => (index === 0 ? { ...part, children: [...part.children, ...added] } : part));
}

/** Returns the position of a field; null for an unknown one. */
export function placeOf(parts: readonly Part[], name: string): Target | null {
  const find = (branches: readonly Branch[], step: string | null, group: string | null): Target | null => {
    for (const [index, { field, children }] of branches.entries()) {
      if (field.name === name) return { step, group, after: branches[index - 1]?.field.name ?? null };
      const inside = find(children, step, field.name);
      if (inside !== null) return inside;
    }
    return null;
  };
  for (const { step, children } of parts) {
    const place = find(children, step?.id ?? null, null);
    if (place !== null) return place;
  }
  return null;
}
