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

export type { Condition, Field, FieldMembers, FieldType, FormSchema, Layout, Option };

export type Step = NonNullable<Layout["steps"]>[number];

export interface Content {
  readonly title: string;
  /** The source; the other of `markup` and `schema` is derived. */
  readonly source: "markup" | "schema";
  readonly markup: string;
  /** The source, or the schema that was parsed from the HTML. */
  readonly schema: FormSchema;
  /** All settings, and all messages, so that a content can be compared and merged. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly messages: FormMessagesMembers;
}

export const EMPTY_SCHEMA: FormSchema = { version: 1, fields: [], layout: { type: "single" }, form_settings: {} };

/** Whether fields of a type hold the fields whose `group` is their name. */
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

/** Body that stores the content as the draft: what differs from the live form, and the side that is the source. */
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

/** Whether a draft of the content would change nothing of the live form. */
export function isSameContent(content: Content, live: Content): boolean {
  const side = content.source === "markup" ? "markup" : "schema";
  return (
    content.title === live.title &&
    content.source === live.source &&
    isDeepEqual(content[side], live[side]) &&
    isDeepEqual(content.settings, live.settings) &&
    isDeepEqual(content.messages, live.messages)
  );
}
