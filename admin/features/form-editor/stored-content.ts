/** What the API has of a form, as what is edited: the form of now, and its earlier revisions. */
import type { Api } from "../../shared/api/http.ts";
import type { Form } from "../../shared/api/types.ts";
import { type Content, EMPTY_SCHEMA, type FormSchema } from "./model/content.ts";
import type { Converted } from "./use-editor.ts";

interface RevisionContent {
  readonly title: string;
  readonly source: "markup" | "schema";
  readonly markup: string;
  readonly schema: FormSchema | null;
}

/** The fields that HTML reads as. */
export async function fieldsOf(api: Api, title: string, markup: string, signal?: AbortSignal): Promise<FormSchema> {
  return (await api.send<Converted>("POST", "/forms/preview", { query: { convert: true }, body: { title, markup }, ...(signal === undefined ? {} : { signal }) })).schema;
}

const contentOf = async (api: Api, { title, source, markup, schema }: RevisionContent): Promise<Content> => ({
  title, source, markup, settings: {}, messages: {},
  schema: source === "schema" ? schema ?? EMPTY_SCHEMA : await fieldsOf(api, title, markup),
});

export async function currentContent(api: Api, formId: number): Promise<Content> {
  const { title, source, markup } = await api.send<Form>("GET", `/forms/${formId}`);
  const schema = source === "schema" ? await api.send<FormSchema | null>("GET", `/forms/${formId}/schema`) : null;
  return contentOf(api, { title, source, markup, schema });
}

export async function revisionContent(api: Api, formId: number, revision: number): Promise<Content> {
  return contentOf(api, await api.send<RevisionContent>("GET", `/forms/${formId}/revisions/${revision}`));
}
