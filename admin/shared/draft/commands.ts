/** Commands that edit a form, as data. An invalid command changes nothing. */
import {
  type Content,
  type Field,
  type FieldMembers,
  type FormSchema,
  holdsFields,
  type Layout,
  type Option,
  type Step,
} from "./content.ts";
import { FORMER_NAMES, formerNamesOf, withRename } from "./former-names.ts";
import { renameExpressions } from "./expressions.ts";
import { renamePipes } from "./pipes.ts";
import { renameInConditions, renameInTexts, replaceValues } from "./references.ts";
import {
  type Branch,
  partsOf,
  placeOf,
  schemaOf,
  stepsOf,
  type Target,
  insertBranches,
  extractBranches,
} from "./tree.ts";

export type Command =
  | { readonly kind: "add"; readonly fields: readonly Field[]; readonly target: Target }
  | { readonly kind: "remove"; readonly names: readonly string[] }
  | { readonly kind: "move"; readonly names: readonly string[]; readonly target: Target }
  | { readonly kind: "update"; readonly name: string; readonly change: FieldMembers }
  /** `stepTitle` is the title of the first step of a form in steps. */
  | { readonly kind: "layout"; readonly type: Layout["type"]; readonly stepTitle?: string }
  | { readonly kind: "add_step"; readonly id: string; readonly title: string }
  | { readonly kind: "update_step"; readonly id: string; readonly title: string }
  | { readonly kind: "remove_step"; readonly id: string }
  | { readonly kind: "move_step"; readonly id: string; readonly by: 1 | -1 }
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "settings"; readonly change: Content["settings"] }
  | { readonly kind: "messages"; readonly change: Content["messages"] }
  | {
      readonly kind: "markup";
      readonly markup: string;
      readonly schema: FormSchema;
      readonly settings?: Content["settings"];
    }
  | { readonly kind: "replace"; readonly content: Content }
  | {
      readonly kind: "source";
      readonly source: Content["source"];
      readonly markup: string;
      readonly schema: FormSchema;
    };

export function apply(content: Content, command: Command): Content {
  switch (command.kind) {
    case "title":
      return command.title === content.title ? content : { ...content, title: command.title };
    case "settings":
      return { ...content, settings: { ...content.settings, ...command.change } };
    case "messages":
      return { ...content, messages: { ...content.messages, ...command.change } };
    case "markup":
      return {
        ...content,
        source: "markup",
        markup: command.markup,
        schema: command.schema,
        settings: { ...content.settings, ...command.settings },
      };
    case "replace":
      return command.content;
    case "source":
      return { ...content, source: command.source, markup: command.markup, schema: command.schema };
    default: {
      const schema = applyToSchema(content.schema, command);
      if (schema === content.schema) return content;
      return { ...content, schema, ...renamedTexts(content, command) };
    }
  }
}

/** Returns the settings and messages that name a renamed field; empty for other commands. */
function renamedTexts(content: Content, command: SchemaCommand): Partial<Content> {
  if (command.kind !== "update") return {};
  const { name, change } = command;
  return change.name === undefined || change.name === name ? {} : renameInTexts(content, name, change.name);
}

type SchemaCommand = Exclude<
  Command,
  { readonly kind: "title" | "settings" | "messages" | "markup" | "replace" | "source" }
>;

function applyToSchema(schema: FormSchema, command: SchemaCommand): FormSchema {
  switch (command.kind) {
    case "add":
      return add(schema, command.fields, command.target);
    case "remove":
      return remove(schema, knownOf(schema, command.names));
    case "move":
      return move(schema, knownOf(schema, command.names), command.target);
    case "update":
      return update(schema, command.name, command.change);
    case "layout":
      return withLayout(schema, command.type, command.stepTitle ?? "");
    case "add_step": {
      if (schema.layout.type !== "multi-step" || stepsOf(schema).some(({ id }) => id === command.id)) return schema;
      return withSteps(schema, [...stepsOf(schema), { id: command.id, title: command.title, fields: [] }]);
    }
    case "update_step":
      return withSteps(
        schema,
        stepsOf(schema).map((step) => (step.id === command.id ? { ...step, title: command.title } : step)),
      );
    case "move_step":
      return moveStep(schema, command.id, command.by);
    case "remove_step":
      return removeStep(schema, command.id);
  }
}

/** Returns the names that belong to fields of the schema. */
function knownOf(schema: FormSchema, names: readonly string[]): ReadonlySet<string> {
  const known = new Set(schema.fields.map(({ name }) => name));
  return new Set(names.filter((name) => known.has(name)));
}

/** Adds fields whose names are free, with the fields of added containers in them. */
function add(schema: FormSchema, fields: readonly Field[], target: Target): FormSchema {
  const names = new Set(schema.fields.map(({ name }) => name));
  const fresh = fields.filter(
    ({ name }, index, all) => !names.has(name) && all.findIndex((other) => other.name === name) === index,
  );
  const added = new Set(fresh.map(({ name }) => name));
  if (fresh.length === 0) return schema;
  const branch = (field: Field): Branch => ({
    field,
    children: fresh.filter(({ group, name }) => group === field.name && name !== field.name).map(branch),
  });
  const roots = fresh.filter(({ group }) => group === null || !added.has(group));
  return schemaOf(insertBranches(partsOf(schema), roots.map(branch), target), schema);
}

/** Moves fields, unless the target is in one of them. */
function move(schema: FormSchema, moved: ReadonlySet<string>, target: Target): FormSchema {
  if (moved.size === 0) return schema;
  const { rest, taken } = extractBranches(partsOf(schema), moved);
  const { group, after } = target;
  const isInside = (branches: readonly Branch[]): boolean =>
    branches.some(({ field, children }) => field.name === group || isInside(children));
  if (isInside(taken)) return schema;
  // If the predecessor moves too, its nearest predecessor that stays takes its place.
  let predecessor = after;
  while (predecessor !== null && moved.has(predecessor))
    predecessor = placeOf(partsOf(schema), predecessor)?.after ?? null;
  return schemaOf(insertBranches(rest, taken, { ...target, after: predecessor }), schema);
}

/** Changes the layout. The steps of the previous layout are removed, and a form with steps begins with one step. */
function withLayout(schema: FormSchema, type: Layout["type"], stepTitle: string): FormSchema {
  if (type === schema.layout.type) return schema;
  const { steps: _, ...layout } = schema.layout;
  if (type !== "multi-step") return { ...schema, layout: { ...layout, type } };
  // The submit button belongs to no step, so that it follows the last one.
  const inStep = schema.fields.filter(({ type: kind, group }) => kind !== "submit" || group !== null);
  const stepped = {
    ...schema,
    layout: {
      ...layout,
      type,
      steps: [{ id: "step-1", title: stepTitle, fields: inStep.map(({ name }) => name) }],
    },
  };
  return schemaOf(partsOf(stepped), stepped);
}

function moveStep(schema: FormSchema, stepId: string, by: 1 | -1): FormSchema {
  const steps = [...stepsOf(schema)];
  const at = steps.findIndex(({ id }) => id === stepId);
  const [step, other] = [steps[at], steps[at + by]];
  if (step === undefined || other === undefined) return schema;
  [steps[at], steps[at + by]] = [other, step];
  const next = withSteps(schema, steps);
  return schemaOf(partsOf(next), next);
}

function removeStep(schema: FormSchema, stepId: string): FormSchema {
  const steps = stepsOf(schema);
  const at = steps.findIndex(({ id }) => id === stepId);
  if (at < 0 || steps.length < 2) return schema;
  // The fields of the step move to the previous step, or to the next one if it was the first.
  const receiver = at === 0 ? 1 : at - 1;
  const moved = steps[at]?.fields ?? [];
  const remaining = steps
    .map((step, index) =>
      index === receiver
        ? { ...step, fields: at === 0 ? [...moved, ...(step.fields ?? [])] : [...(step.fields ?? []), ...moved] }
        : step,
    )
    .filter((_, index) => index !== at);
  const next = withSteps(schema, remaining);
  return schemaOf(partsOf(next), next);
}

const withSteps = (schema: FormSchema, steps: readonly Step[]): FormSchema => ({
  ...schema,
  layout: { ...schema.layout, steps },
});

function update(schema: FormSchema, name: string, change: FieldMembers): FormSchema {
  const before = schema.fields.find((field) => field.name === name);
  if (before === undefined) return schema;
  const next = change.name ?? name;
  if (next !== name && schema.fields.some((field) => field.name === next)) return schema;
  const isUnchanged = Object.entries(change).every(([key, value]) => before[key as keyof Field] === value);
  if (isUnchanged) return schema;
  const nameOf = (fieldName: string): string => (fieldName === name ? next : fieldName);
  const values = changedValues(before.options, change.options);
  const fields = schema.fields.map((old): Field => {
    const changed = old === before ? { ...before, ...change } : old;
    const conditions =
      values.size === 0 || old.conditions.length === 0 ? null : replaceValues(old.conditions, name, values);
    if (next === name) return conditions === null ? changed : { ...changed, conditions };
    return {
      ...changed,
      conditions: renameInConditions(changed.conditions, nameOf),
      group: changed.group === null ? null : nameOf(changed.group),
    };
  });
  const { steps } = schema.layout;
  const layout =
    next === name || steps === undefined
      ? schema.layout
      : { ...schema.layout, steps: steps.map((step) => ({ ...step, fields: (step.fields ?? []).map(nameOf) })) };
  const form_settings =
    next === name
      ? schema.form_settings
      : { ...schema.form_settings, [FORMER_NAMES]: withRename(formerNamesOf(schema.form_settings), name, next) };
  const renamed = { ...schema, fields, layout, form_settings };
  const updated =
    next === name ? renamed : renameExpressions(renamePipes(renamed, schema.fields, nameOf), schema.fields, nameOf);
  // A container that becomes another type releases its fields.
  return holdsFields(before.type) && change.type !== undefined && !holdsFields(change.type)
    ? schemaOf(partsOf(updated), updated)
    : updated;
}

/**
 * Removes fields. The fields of a removed container move out of it, and conditions about removed fields are deleted.
 */
function remove(schema: FormSchema, names: ReadonlySet<string>): FormSchema {
  if (names.size === 0) return schema;
  const lift = (branches: readonly Branch[]): readonly Branch[] =>
    branches.flatMap(({ field, children }) => {
      const remaining = lift(children);
      if (names.has(field.name)) return remaining;
      const conditions = renameInConditions(field.conditions, (name) => (names.has(name) ? null : name));
      return [{ field: { ...field, conditions }, children: remaining }];
    });
  const remaining = schemaOf(
    partsOf(schema).map((part) => ({ ...part, children: lift(part.children) })),
    schema,
  );
  const nameOf = (name: string): string | null => (names.has(name) ? null : name);
  return renameExpressions(renamePipes(remaining, schema.fields, nameOf), schema.fields, nameOf);
}

/** Maps old values of options to new ones, by index. Empty if the number of options changed. */
function changedValues(before: readonly Option[], after: readonly Option[] | undefined): ReadonlyMap<unknown, string> {
  if (after === undefined || after.length !== before.length) return new Map();
  return new Map(
    before.flatMap(({ value }, index) => {
      const next = after[index]?.value;
      return next === undefined || next === value || after.some((option) => option.value === value)
        ? []
        : [[value, next] as const];
    }),
  );
}
