/** Query hooks that several screens share, and the hook for mutations. */
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
import { useCanChange } from "../options.ts";
import { useTextOf } from "../text/text.tsx";
import { type Client, useClient } from "./client.ts";
import { factsOf } from "../field-facts.ts";
import { actionTypesQuery, formsQuery, type ListedForm, routesQuery, schemaQuery } from "./resources.ts";

export function useForms(): UseQueryResult<readonly ListedForm[]> {
  return useQuery({ ...formsQuery(useClient()), enabled: useCanChange() });
}

export function useSchema(formId: number | null): UseQueryResult<Pick<FormSchema, "fields">> {
  const canChange = useCanChange();
  return useQuery({ ...schemaQuery(useClient(), formId ?? 0), enabled: canChange && formId !== null });
}

/**
 * Returns the fields of a schema that take an answer. A repeating group is one of them; the fields inside it are its
 * `columns`.
 */
export function answerFields(
  schema: Pick<FormSchema, "fields"> | undefined,
): readonly (Field & { readonly columns?: readonly Field[] })[] {
  const fields = schema?.fields ?? [];
  const byName = new Map(fields.map((field) => [field.name, field]));
  const repeats = (field: Field | undefined): boolean =>
    field?.type === "fieldset" && "data-repeat" in field.attributes;
  // With several submit buttons, the pressed one is an answer.
  const hasAnswer = ({ type, options }: Field): boolean => {
    const answer = factsOf(type)?.answer;
    return answer !== "none" && (answer !== "button" || options.length > 1);
  };
  /** Returns the repeating group around a field; a cycle of groups ends the search. */
  const groupOf = ({ group }: Field, depth = 0): string | undefined => {
    const holder = group === null || depth > 20 ? undefined : byName.get(group);
    if (holder === undefined) return undefined;
    return repeats(holder) ? holder.name : groupOf(holder, depth + 1);
  };
  const answered = fields.filter(hasAnswer);
  return fields
    .filter((field) => (repeats(field) || hasAnswer(field)) && groupOf(field) === undefined)
    .map((field) =>
      repeats(field) ? { ...field, columns: answered.filter((one) => groupOf(one) === field.name) } : field,
    );
}

/** Reads the types of actions. Their labels are translated if the admin has a text for the API's label. */
export function useActionTypes(): UseQueryResult<readonly ActionType[]> {
  const textOf = useTextOf();
  return useQuery({
    ...actionTypesQuery(useClient()),
    enabled: useCanChange(),
    select: (types: readonly ActionType[]) =>
      types.map((type) => ({
        ...type,
        label: textOf("api", type.label),
        settings: type.settings.map((setting) => ({
          ...setting,
          label: textOf("api", setting.label),
          help: textOf("api", setting.help),
          options: setting.options.map(({ value, label }) => ({ value, label: textOf("api", label) })),
        })),
      })),
  });
}

/** Whether the API has the route, such as `/action-queue/{id}/cancel`. The engine may be older than the admin. */
export function useHasRoute(path: string): boolean {
  const { data } = useQuery({ ...routesQuery(useClient()), enabled: useCanChange() });
  return data?.some((route) => withoutParameterNames(route) === withoutParameterNames(`/cf/v1${path}`)) ?? false;
}

/** Replaces each parameter of a path, `(?P<id>…)` or `{id}`, with `*`. */
function withoutParameterNames(path: string): string {
  return path.replaceAll(/\(\?P<\w+>(?:\[[^\]]*\]|[^()[\]])*\)|\{\w+\}/g, "*");
}

/** A mutation of the API. An error becomes a notice; afterwards, the `stale` keys are invalidated. */
export function useChange<Input, Output>(
  mutate: (client: Client, input: Input) => Promise<Output>,
  {
    stale = [],
    then,
  }: { readonly stale?: readonly QueryKey[]; readonly then?: (output: Output, input: Input) => void } = {},
): UseMutationResult<Output, Error, Input> {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: (input: Input) => mutate(client, input),
    onError: (error) => notices.showError(error),
    onSuccess: (output, input) => then?.(output, input),
    onSettled: () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
