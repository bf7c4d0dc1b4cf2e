/** What several screens ask for, each under one key. */
import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import { useMayChange } from "../options.ts";
import { useTextOf } from "../text/text.tsx";
import { useNotices } from "../notices.ts";
import { type Api, useApi } from "./http.ts";
import type { ActionType, Form, Schema } from "./types.ts";

export function useForms(): UseQueryResult<readonly Form[]> {
  const api = useApi();
  return useQuery({
    queryKey: ["forms"],
    enabled: useMayChange(),
    queryFn: ({ signal }) => api.send<readonly Form[]>("GET", "/forms", { query: { _fields: LIST_MEMBERS }, signal }),
  });
}

/** What lists of forms show; the HTML of hundreds of forms would be megabytes. */
const LIST_MEMBERS = "id,title,slug,status,url,source,has_schema,submission_count,created_at,updated_at,settings.opens_at,settings.closes_at";

export interface LoadedForm {
  readonly form: Form;
  readonly etag: string | null;
}

export function useForm(id: number): UseQueryResult<LoadedForm> {
  const api = useApi();
  return useQuery({
    queryKey: ["form", id],
    queryFn: async ({ signal }) => {
      const { data, headers } = await api.answer<Form>("GET", `/forms/${id}`, { signal });
      return { form: data, etag: headers.get("etag") };
    },
  });
}

/** The form's schema; for one without, what its HTML says, stored nowhere. */
export function useSchema(formId: number | null): UseQueryResult<Schema> {
  const api = useApi();
  return useQuery({
    queryKey: ["schema", formId],
    enabled: useMayChange() && formId !== null,
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const form = await api.send<Form>("GET", `/forms/${formId}`, { query: { _fields: "id,source,has_schema" }, signal });
      const stored = form.source === "schema" && form.has_schema;
      const schema = stored
        ? await api.send<Schema | null>("GET", `/forms/${formId}/schema`, { signal })
        : await api.send<Schema | null>("POST", `/forms/${formId}/schema/generate`, { query: { preview: true }, signal });
      return schema ?? { fields: [] };
    },
  });
}

/** The fields of a schema that take an answer. */
export function answerFields(schema: Schema | undefined): Schema["fields"] {
  const silent = new Set(["heading", "paragraph", "divider", "container", "fieldset"]);
  // Of several buttons, the one that was pressed is an answer.
  return (schema?.fields ?? []).filter(({ type, options }) => !silent.has(type) && (type !== "submit" || options.length > 1));
}

/** The types of actions, in the person's language as far as there are texts for what the API calls them. */
export function useActionTypes(): UseQueryResult<readonly ActionType[]> {
  const api = useApi();
  const textOf = useTextOf();
  return useQuery({
    queryKey: ["action-types"],
    enabled: useMayChange(),
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => api.send<readonly ActionType[]>("GET", "/actions", { signal }),
    select: (types) => types.map((type) => ({
      ...type,
      label: textOf("setting", type.label),
      settings: type.settings.map((setting) => ({
        ...setting,
        label: textOf("setting", setting.label), help: textOf("setting", setting.help),
        options: setting.options.map(({ value, label }) => ({ value, label: textOf("setting", label) })),
      })),
    })),
  });
}

/** Whether the API has the route, such as `/action-queue/{id}/cancel`: an engine may be older than the admin. */
export function useHasRoute(path: string): boolean {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["routes"],
    enabled: useMayChange(),
    staleTime: Infinity,
    queryFn: async ({ signal }) => Object.keys((await api.send<{ readonly routes: object }>("GET", "", { query: { _fields: "routes" }, signal })).routes).map(withoutNames),
  });
  return data?.includes(withoutNames(`/cf/v1${path}`)) ?? false;
}

/** The path with a star for each parameter, whichever way it is written. */
function withoutNames(path: string): string {
  return path.replaceAll(/\(\?P<\w+>(?:\[[^\]]*\]|[^()[\]])*\)|\{\w+\}/g, "*");
}

/** Something that changes the site; a refusal is shown, and what may be different now is read again. */
export function useChange<Input, Output>(
  work: (api: Api, input: Input) => Promise<Output>,
  { stale = [], then }: { readonly stale?: readonly (readonly unknown[])[]; readonly then?: (output: Output, input: Input) => void } = {},
): UseMutationResult<Output, Error, Input> {
  const api = useApi();
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: (input: Input) => work(api, input),
    onError: (error) => notices.fail(error),
    onSuccess: (output, input) => then?.(output, input),
    onSettled: () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
