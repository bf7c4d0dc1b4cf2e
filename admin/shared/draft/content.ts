/** The edited content of a form: HTML and schema, settings, messages. Immutable plain data. */
import type {
  Condition,
  Field,
  FieldMembers,
  FieldType,
  FormMessagesMembers,
  FormSchema,
  Input,
  Layout,
  Option,
} from "../../../client/index.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { factsOf } from "../field-facts.ts";
import { formerNamesOf, withKnownNames } from "./former-names.ts";

export type { Condition, Field, FieldMembers, FieldType, FormSchema, Layout, Option };

export type Step = NonNullable<Layout["steps"]>[number];

export interface Content {
  readonly title: string;
  /** The source of the form, `markup` or `schema`; the other one is derived from it. */
  readonly source: "markup" | "schema";
  readonly markup: string;
  /** The source, or the schema that was parsed from the HTML. */
  readonly schema: FormSchema;
  /** All settings, and all messages, so that a content can be compared and merged. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly messages: FormMessagesMembers;
}

export const EMPTY_SCHEMA: FormSchema = { version: 1, fields: [], layout: { type: "single" }, form_settings: {} };

/** Whether a field of the type contains the fields whose `group` names it. */
export const holdsFields = (type: FieldType): boolean =>
  ["container", "fieldset"].includes(factsOf(type)?.control ?? "");

/** Completes a field with the API's defaults. */
export function fieldOf(members: FieldMembers & { readonly name: string }): Field {
  return {
    type: "text",
    label: "",
    placeholder: "",
    default_value: "",
    required: false,
    css_class: "",
    description: "",
    options: [],
    validation: {},
    conditions: [],
    attributes: {},
    position: 0,
    group: null,
    ...members,
  };
}

/**
 * Request body that stores the content as the draft: title and source, the settings and messages that differ from
 * `live`, and the markup or the schema, whichever is the source.
 */
export function toDraft(content: Content, live: Content, baseRevision: number): Input<"putDraft">["body"] {
  const { title, source, markup, schema, settings, messages } = content;
  return {
    base_revision: baseRevision,
    title,
    source,
    settings: changedMembers(settings, live.settings),
    messages: changedMembers(messages, live.messages),
    markup: source === "markup" ? markup : null,
    schema: source === "schema" ? schema : null,
  };
}

const changedMembers = <Value>(
  members: Readonly<Record<string, Value>>,
  before: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(members).filter(([key, value]) => !isDeepEqual(value, before[key])));

/** Whether a draft with this content would equal the live form. */
export function isSameContent(content: Content, live: Content): boolean {
  const [changed, published] = [content, live].map((one) => withoutDraftNames(one, live));
  const side = content.source === "markup" ? "markup" : "schema";
  return (
    content.title === live.title &&
    content.source === live.source &&
    isDeepEqual(changed?.[side], published?.[side]) &&
    isDeepEqual(changed?.settings, published?.settings) &&
    isDeepEqual(content.messages, live.messages)
  );
}

/** Drops former names that fields had only in drafts, because no answers are stored under them. */
function withoutDraftNames(content: Content, live: Content): Content {
  const formerNames = [live.schema.form_settings, live.settings].flatMap((holder) =>
    Object.values(formerNamesOf(holder)).flat(),
  );
  const known = new Set([...live.schema.fields.map(({ name }) => name), ...formerNames]);
  const { schema, settings } = content;
  return {
    ...content,
    schema: { ...schema, form_settings: withKnownNames(schema.form_settings, known) },
    settings: withKnownNames(settings, known),
  };
}
