/**
 * A form's content as units that can be compared and merged one by one: the title, each member of a field, the order,
 * each step, setting, action and message.
 */
import { isRecord } from "../is-record.ts";
import { type Content, type Field, fieldOf, type FormSchema, type Step } from "./content.ts";
import { stepsOf } from "./tree.ts";

type Members = Readonly<Record<string, unknown>>;

/** Sections of a content. The members of `values`, `settings` and `messages` are units; items have members. */
export interface Units {
  /** Title and source, with the HTML or with the layout and the members of `form_settings`. */
  readonly values: Members;
  readonly fields: Readonly<Record<string, Members>>;
  /** Names of the fields, from top to bottom. */
  readonly fieldOrder: readonly string[];
  readonly steps: Readonly<Record<string, Members>>;
  readonly stepOrder: readonly string[];
  readonly settings: Members;
  readonly actions: Readonly<Record<string, Members>>;
  readonly actionOrder: readonly string[];
  readonly messages: Members;
}

/** Key under which a unit holds the step of a field. No member of a field has this name. */
const STEP = " step";

/** Members that {@link contentOf} derives from the order. */
const DERIVED: ReadonlySet<string> = new Set(["name", "position"]);

/** Key of an action: its id, or its position and type until the engine gives it an id. */
export const actionKey = (action: Members, index: number): string =>
  typeof action["action_id"] === "string" ? action["action_id"] : `new ${index} ${String(action["type"])}`;

const actionsOf = (settings: Members): readonly Members[] => {
  const actions = settings["actions"];
  return Array.isArray(actions) ? actions.filter(isRecord) : [];
};

/** Splits a content whose settings and messages are complete. */
export function unitsOf({ title, source, markup, schema, settings, messages }: Content): Units {
  const steps = stepsOf(schema);
  const stepOf = new Map(steps.flatMap((step) => (step.fields ?? []).map((name) => [name, step.id] as const)));
  const { steps: _, ...layout } = schema.layout;
  const { actions: __, ...others } = settings;
  const actions = actionsOf(settings);
  const isMarkup = source === "markup";
  return {
    values: {
      title,
      source,
      // Only the source has units, because the schema follows from the HTML, or the HTML from the schema.
      ...(isMarkup ? { markup } : { layout, form_settings: schema.form_settings ?? {} }),
    },
    fields: isMarkup
      ? {}
      : Object.fromEntries(
          schema.fields.map((field) => [
            field.name,
            { ...withoutDerived(field), [STEP]: stepOf.get(field.name) ?? null },
          ]),
        ),
    fieldOrder: isMarkup ? [] : schema.fields.map(({ name }) => name),
    steps: isMarkup ? {} : Object.fromEntries(steps.map(({ id, fields: ___, ...step }) => [id, step])),
    stepOrder: isMarkup ? [] : steps.map(({ id }) => id),
    settings: others,
    actions: Object.fromEntries(actions.map((action, index) => [actionKey(action, index), action])),
    actionOrder: actions.map(actionKey),
    messages,
  };
}

const withoutDerived = (field: Field): Members =>
  Object.fromEntries(Object.entries(field).filter(([member]) => !DERIVED.has(member)));

/** Joins units to a content. Parts that the source does not use come from `before`. */
export function contentOf(units: Units, before: Content): Content {
  const { values } = units;
  const source = values["source"] === "markup" ? "markup" : "schema";
  const settings = { ...units.settings, actions: units.actionOrder.flatMap((key) => units.actions[key] ?? []) };
  return {
    title: String(values["title"]),
    source,
    markup: typeof values["markup"] === "string" ? values["markup"] : before.markup,
    schema: source === "markup" ? before.schema : schemaOf(units, before.schema),
    settings,
    messages: units.messages as Content["messages"],
  };
}

function schemaOf({ values, fields, fieldOrder, steps, stepOrder }: Units, before: FormSchema): FormSchema {
  const named = fieldOrder.flatMap((name) => {
    const members = fields[name];
    return members === undefined ? [] : [{ name, members }];
  });
  const layout = isRecord(values["layout"]) ? (values["layout"] as unknown as FormSchema["layout"]) : before.layout;
  const inStep = (id: string) => named.filter(({ members }) => members[STEP] === id).map(({ name }) => name);
  const kept: readonly Step[] = stepOrder.map((id) => ({ ...(steps[id] ?? {}), id, fields: inStep(id) }) as Step);
  return {
    ...before,
    fields: named.map(({ name, members: { [STEP]: _, ...members } }, position) =>
      fieldOf({ ...members, name, position } as Parameters<typeof fieldOf>[0]),
    ),
    layout: layout.type === "single" || kept.length === 0 ? layout : { ...layout, steps: kept },
    form_settings: isRecord(values["form_settings"]) ? values["form_settings"] : {},
  };
}
