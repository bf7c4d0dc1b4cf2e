/** Loads contents of a form from the API: the live form, the draft, earlier revisions. */
import type { Form, FormPreview, Input, RevisionContent, WorkInProgress } from "../../../client/index.ts";
import { ApiError, type Client } from "../api/client.ts";
import type { LoadedForm } from "../api/resources.ts";
import { isRecord } from "../is-record.ts";
import { type Content, EMPTY_SCHEMA, type Field, fieldOf, type FormSchema } from "./content.ts";

/** HTML and schema of a form, one converted from the other. */
export type Converted = Required<Pick<FormPreview, "html" | "schema" | "markup" | "lost">>;

/** Body of a preview of the content. Actions and spam checks do not run in a preview. */
export function previewBody({
  title,
  source,
  markup,
  schema,
  settings,
  messages,
}: Content): NonNullable<Input<"previewForm">["body"]> {
  return {
    title,
    ...(source === "markup" ? { markup } : { schema }),
    messages,
    settings: { ...settings, actions: [], spam_checks: [] },
  };
}

/** Result of parsing HTML. */
export type ParsedMarkup = Pick<Converted, "schema" | "lost">;

/** Converts HTML to a schema or back. With `convert`, the preview has every member. */
export const convert = async (
  client: Client,
  body: Input<"previewForm">["body"],
  signal?: AbortSignal,
): Promise<Converted> => (await client.previewForm({ convert: true, body }, { signal })) as Converted;

/** Parses HTML to a schema. */
export const parseMarkup = async (
  client: Client,
  title: string,
  markup: string,
  signal?: AbortSignal,
): Promise<FormSchema> => (await convert(client, { title, markup }, signal)).schema;

const contentOf = async (
  client: Client,
  {
    title,
    source,
    markup,
    schema,
    settings,
    messages,
  }: Omit<RevisionContent, "created_at" | "revision" | "summary" | "user">,
): Promise<Content> => ({
  title,
  source,
  markup,
  settings,
  messages,
  schema: source === "schema" ? (schema ?? EMPTY_SCHEMA) : await parseMarkup(client, title, markup),
});

/** Content of a stored form. */
export const formContent = async (client: Client, form: Form): Promise<Content> =>
  contentOf(client, {
    ...form,
    schema: form.source === "schema" ? await client.getSchema({ id: form.id }) : null,
  });

export async function revisionContent(client: Client, id: number, revision: number): Promise<Content> {
  return contentOf(client, await client.getRevision({ id, revision }));
}

/** The live form: what visitors see. */
export interface Live extends LoadedForm {
  readonly content: Content;
}

export async function readLive(client: Client, id: number, signal?: AbortSignal): Promise<Live> {
  const { data: form, etag } = await client.answer("getForm", { id }, { signal });
  return { form, etag, content: await formContent(client, form) };
}

/** The stored draft, with the version by which a save detects another user's save. */
export interface StoredDraft {
  readonly draft: WorkInProgress;
  readonly etag: string | null;
}

/** Returns the stored draft of a form; null if it has none. */
export async function readDraft(client: Client, id: number, signal?: AbortSignal): Promise<StoredDraft | null> {
  try {
    const { data, etag } = await client.answer("getDraft", { id }, { signal });
    return { draft: data, etag };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const textsOf = (value: unknown): Content["messages"] =>
  Object.fromEntries(
    Object.entries(membersOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

/** Adds the members that a schema lacks, such as a schema that another client stored in a draft. */
function wholeSchema(schema: Readonly<Record<string, unknown>>): FormSchema {
  const { fields, layout, form_settings } = schema;
  const named = (Array.isArray(fields) ? fields : []).filter(
    (field): field is Partial<Field> & Pick<Field, "name"> => isRecord(field) && typeof field["name"] === "string",
  );
  return {
    ...EMPTY_SCHEMA,
    ...schema,
    fields: named.map(({ options = [], ...field }, position) =>
      // The API also takes an option as the text that is both its value and its label.
      fieldOf({
        position,
        ...field,
        options: options.map((option: unknown) =>
          isRecord(option) ? { value: "", label: "", ...option } : { value: String(option), label: String(option) },
        ),
      }),
    ),
    layout: { ...EMPTY_SCHEMA.layout, ...membersOf(layout) },
    form_settings: membersOf(form_settings),
  };
}

/** Content of a draft, applied to the content that it is based on. The API stores drafts unchecked. */
export async function draftContent(client: Client, draft: WorkInProgress, base: Content): Promise<Content> {
  const title = textOf(draft.title) ?? base.title;
  const markup = textOf(draft.markup);
  const schema = isRecord(draft.schema) ? wholeSchema(draft.schema) : null;
  const settings = { ...base.settings, ...membersOf(draft.settings) };
  const messages = { ...base.messages, ...textsOf(draft.messages) };
  const likelySource = schema !== null ? "schema" : markup !== null ? "markup" : base.source;
  const source = draft.source === "schema" || draft.source === "markup" ? draft.source : likelySource;
  if (source === "schema") return { ...base, title, source, settings, messages, schema: schema ?? base.schema };
  const html = markup ?? base.markup;
  const isSameHtml = base.source === "markup" && html === base.markup;
  const parsed = isSameHtml ? base.schema : await parseMarkup(client, title, html);
  return { title, source, markup: html, schema: parsed, settings, messages };
}
