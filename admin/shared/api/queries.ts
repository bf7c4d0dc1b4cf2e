/** What several screens read, and changes of the site. */
import {
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { ActionType, Field, FormSchema } from "../../../client/index.ts";
import { useNotices } from "../notices.ts";
import { useMayChange } from "../options.ts";
import { useTextOf } from "../text/text.tsx";
import { type Client, useClient } from "./client.ts";
import { actionTypesQuery, formsQuery, type ListedForm, routesQuery, schemaQuery } from "./resources.ts";

export function useForms(): UseQueryResult<readonly ListedForm[]> {
  return useQuery({ ...formsQuery(useClient()), enabled: useMayChange() });
}

export function useSchema(formId: number | null): UseQueryResult<Pick<FormSchema, "fields">> {
  const mayChange = useMayChange();
  return useQuery({ ...schemaQuery(useClient(), formId ?? 0), enabled: mayChange && formId !== null });
}

/** The fields of a schema that take an answer. */
export function answerFields(schema: Pick<FormSchema, "fields"> | undefined): readonly Field[] {
  const silent = new Set(["heading", "paragraph", "divider", "container", "fieldset"]);
  // Of several buttons, the one that was pressed is an answer.
  return (schema?.fields ?? []).filter(
    ({ type, options }) => !silent.has(type) && (type !== "submit" || options.length > 1),
  );
}

/** The types of actions, in the person's language as far as there are texts for what the API calls them. */
export function useActionTypes(): UseQueryResult<readonly ActionType[]> {
  const textOf = useTextOf();
  return useQuery({
    ...actionTypesQuery(useClient()),
    enabled: useMayChange(),
    select: (types: readonly ActionType[]) =>
      types.map((type) => ({
        ...type,
        label: textOf("setting", type.label),
        settings: type.settings.map((setting) => ({
          ...setting,
          label: textOf("setting", setting.label),
          help: textOf("setting", setting.help),
          options: setting.options.map(({ value, label }) => ({ value, label: textOf("setting", label) })),
        })),
      })),
  });
}

/** Whether the API has the route, such as `/action-queue/{id}/cancel`: an engine may be older than the admin. */
export function useHasRoute(path: string): boolean {
  const { data } = useQuery({ ...routesQuery(useClient()), enabled: useMayChange() });
  return data?.some((route) => withoutNames(route) === withoutNames(`/cf/v1${path}`)) ?? false;
}

/** The path with a star for each parameter, whichever way it is written. */
function withoutNames(path: string): string {
  return path.replaceAll(/\(\?P<\w+>(?:\[[^\]]*\]|[^()[\]])*\)|\{\w+\}/g, "*");
}

/** Something that changes the site; a refusal is shown, and what may be different now is read again. */
export function useChange<Input, Output>(
  work: (client: Client, input: Input) => Promise<Output>,
  {
    stale = [],
    then,
  }: { readonly stale?: readonly QueryKey[]; readonly then?: (output: Output, input: Input) => void } = {},
): UseMutationResult<Output, Error, Input> {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: (input: Input) => work(client, input),
    onError: (error) => notices.fail(error),
    onSuccess: (output, input) => then?.(output, input),
    onSettled: () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
