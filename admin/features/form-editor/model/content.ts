/** What is edited of a form: both of its sides, and what goes with them. Plain data, never changed in place. */
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
} from "../../../../client/index.ts";

export type { Condition, Field, FieldMembers, FieldType, FormSchema, Layout, Option };

export type Step = NonNullable<Layout["steps"]>[number];

export interface Content {
  readonly title: string;
  /** The side that counts. */
  readonly source: "markup" | "schema";
  readonly markup: string;
  /** Of a form whose HTML is its source: what is read from the HTML. */
  readonly schema: FormSchema;
  /** Only those that were changed; the form has the others. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly messages: FormMessagesMembers;
}

export const EMPTY_SCHEMA: FormSchema = { version: 1, fields: [], layout: { type: "single" }, form_settings: {} };

/** The types that hold the fields whose `group` is their name. */
export const holdsFields = (type: FieldType): boolean => type === "container" || type === "fieldset";

/** A field with every member, the defaults being the API's. */
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

/** The draft that is stored of the content: its source, and of both sides that one alone. */
export function toDraft(content: Content, baseRevision: number): Input<"putDraft">["body"] {
  const { title, source, markup, schema, settings, messages } = content;
  return {
    base_revision: baseRevision,
    title,
    source,
    settings,
    messages,
    markup: source === "markup" ? markup : null,
    schema: source === "schema" ? schema : null,
  };
}
