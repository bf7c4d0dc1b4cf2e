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
} from "../../../../client/index.ts";

export type { Condition, Field, FieldMembers, FieldType, FormSchema, Layout, Option };

export type Step = NonNullable<Layout["steps"]>[number];

export interface Content {
  readonly title: string;
  /** Which of `markup` and `schema` is the source; the other is derived. */
  readonly source: "markup" | "schema";
  readonly markup: string;
  /** The source, or the schema that was parsed from the HTML. */
  readonly schema: FormSchema;
  /** Changed settings only; the form has the others. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly messages: FormMessagesMembers;
}

export const EMPTY_SCHEMA: FormSchema = { version: 1, fields: [], layout: { type: "single" }, form_settings: {} };

/** Whether a field of this type contains the fields whose `group` is its name. */
export const holdsFields = (type: FieldType): boolean => type === "container" || type === "fieldset";

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

/** Converts content to a draft for the API, which stores only the source side. */
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
