/** What the API has of a form, as what is edited: the form of now, and its earlier revisions. */
import type { FormPreview, Input, RevisionContent } from "../../../client/index.ts";
import type { Client } from "../../shared/api/client.ts";
import { readDraft } from "../../shared/api/resources.ts";
import { type Content, EMPTY_SCHEMA, type FormSchema } from "./model/content.ts";
import { isRecord } from "./model/clipboard.ts";
import type { Opened } from "./use-editor.ts";

/** Both sides of a form's content, each made of the other. */
export type Converted = Required<Pick<FormPreview, "html" | "schema" | "markup" | "lost">>;

/** Makes the other side of a form's content. With `convert` the preview has every member. */
export const convert = async (
  client: Client,
  body: Input<"previewForm">["body"],
  signal?: AbortSignal,
): Promise<Converted> => (await client.previewForm({ convert: true, body }, { signal })) as Converted;

/** The fields that HTML reads as. */
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

/** What the editor opens: the draft, which is stored unchecked, over the form. */
export async function openContent(client: Client, id: number, signal: AbortSignal): Promise<Opened> {
  const draft = await readDraft(client, id, signal);
  const form = await client.getForm({ id, _fields: ["title", "source", "markup", "revision"] }, { signal });
  const title = textOf(draft?.title) ?? form.title;
  const kept = {
    markup: textOf(draft?.markup),
    schema: isRecord(draft?.schema) ? (draft.schema as unknown as FormSchema) : null,
  };
  const sideKept = kept.schema !== null ? "schema" : kept.markup !== null ? "markup" : form.source;
  const source = SOURCES.find((name) => name === draft?.source) ?? sideKept;
  const markup = kept.markup ?? form.markup;
  const schema =
    source === "markup"
      ? await fieldsOf(client, form.title, markup, signal)
      : (kept.schema ?? (await client.getSchema({ id }, { signal })) ?? EMPTY_SCHEMA);
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
