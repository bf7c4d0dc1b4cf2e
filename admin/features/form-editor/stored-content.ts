/** Loads content for the editor from the API: the draft, the current form, earlier revisions. */
import type { FormPreview, Input, RevisionContent } from "../../../client/index.ts";
import type { Client } from "../../shared/api/client.ts";
import { readDraft } from "../../shared/api/resources.ts";
import { type Content, EMPTY_SCHEMA, type FormSchema } from "./model/content.ts";
import { isRecord } from "./model/clipboard.ts";
import type { OpenedContent } from "./use-editor.ts";

/** HTML and schema of a form, one converted from the other. */
export type Converted = Required<Pick<FormPreview, "html" | "schema" | "markup" | "lost">>;

/** Converts HTML to a schema or back. With `convert`, the preview has every member. */
export const convert = async (
  client: Client,
  body: Input<"previewForm">["body"],
  signal?: AbortSignal,
): Promise<Converted> => (await client.previewForm({ convert: true, body }, { signal })) as Converted;

/** Parses HTML to a schema. */
const fieldsOf = async (client: Client, title: string, markup: string, signal?: AbortSignal): Promise<FormSchema> =>
  (await convert(client, { title, markup }, signal)).schema;

const contentOf = async (
  client: Client,
  { title, source, markup, schema }: Pick<RevisionContent, "title" | "source" | "markup" | "schema">,
): Promise<Content> => ({
  title,
  source,
  markup,
  settings: {},
  messages: {},
  schema: source === "schema" ? (schema ?? EMPTY_SCHEMA) : await fieldsOf(client, title, markup),
});

export async function currentContent(client: Client, id: number): Promise<Content> {
  const form = await client.getForm({ id, _fields: ["title", "source", "markup"] });
  return contentOf(client, { ...form, schema: form.source === "schema" ? await client.getSchema({ id }) : null });
}

export async function revisionContent(client: Client, id: number, revision: number): Promise<Content> {
  return contentOf(client, await client.getRevision({ id, revision }));
}

const SOURCES = ["markup", "schema"] as const;
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const textsOf = (value: unknown): Content["messages"] =>
  Object.fromEntries(
    Object.entries(membersOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

/** Loads the content that the editor opens: the draft, which the API stores unchecked, merged over the form. */
export async function openContent(client: Client, id: number, signal: AbortSignal): Promise<OpenedContent> {
  const draft = await readDraft(client, id, signal);
  const form = await client.getForm({ id, _fields: ["title", "source", "markup", "revision"] }, { signal });
  const title = textOf(draft?.title) ?? form.title;
  const fromDraft = {
    markup: textOf(draft?.markup),
    schema: isRecord(draft?.schema) ? (draft.schema as unknown as FormSchema) : null,
  };
  const draftSource = fromDraft.schema !== null ? "schema" : fromDraft.markup !== null ? "markup" : form.source;
  const source = SOURCES.find((name) => name === draft?.source) ?? draftSource;
  const markup = fromDraft.markup ?? form.markup;
  const schema =
    source === "markup"
      ? await fieldsOf(client, form.title, markup, signal)
      : (fromDraft.schema ?? (await client.getSchema({ id }, { signal })) ?? EMPTY_SCHEMA);
  return {
    content: {
      title,
      source,
      markup,
      schema,
      settings: membersOf(draft?.settings),
      messages: textsOf(draft?.messages),
    },
    baseRevision: draft?.base_revision ?? form.revision,
    hasDraft: draft !== null,
    authors: draft && {
      logins: draft.authors,
      removed: draft.warnings.map(({ message, user = draft.user }) => ({ login: user, message })),
    },
  };
}
