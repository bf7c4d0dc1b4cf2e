/** Names of actions, for every screen that lists runs or queue entries. */
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import type { Selected, Form } from "../../client/index.ts";
import { useClient } from "./api/client.ts";
import { useActionTypes } from "./api/queries.ts";
import { actionNamesQuery } from "./api/resources.ts";
import { useMayChange } from "./options.ts";

/** Came together with the ids of actions, their names and switches, and retries with today's settings. */
export const CANCEL_ROUTE = "/action-queue/{id}/cancel";

/** The name that its author gave it, else the label of its type. */
export function useActionName(): (type: string, name?: string) => string {
  const { data } = useActionTypes();
  return (type, name = "") => (name === "" ? (data?.find((known) => known.type === type)?.label ?? type) : name);
}

/** What a log tells of which action ran. */
export interface Run {
  readonly form_id: number;
  readonly action_type: string;
  readonly action_id?: string;
  readonly action_name?: string;
}

type NamedActions = Selected<Form, "id" | "settings.actions.action_id" | "settings.actions.action_name">;

const nameKey = (formId: number, actionId: string): string => `${formId} ${actionId}`;

const namesOf = (answers: readonly UseQueryResult<NamedActions>[]): ReadonlyMap<string, string> =>
  new Map(
    answers.flatMap(({ data }) =>
      (data?.settings.actions ?? []).map(
        ({ action_id = "", action_name = "" }) => [nameKey(data?.id ?? 0, action_id), action_name] as const,
      ),
    ),
  );

/** How runs of these forms' actions are called. Logs keep an action's id, not its name: that is what the form calls it today. */
export function useRunName(formIds: readonly number[]): (run: Run) => string {
  const client = useClient();
  const mayChange = useMayChange();
  const nameOf = useActionName();
  const names = useQueries({
    queries: [...new Set(formIds)].map((id) => ({ ...actionNamesQuery(client, id), enabled: mayChange })),
    combine: namesOf,
  });
  return ({ form_id, action_type, action_id = "", action_name = "" }) =>
    nameOf(action_type, action_name || names.get(nameKey(form_id, action_id)));
}
