/** Display names of actions, for every screen that lists runs or queue entries. */
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import type { Form, QueueEntry, Selected } from "../../client/index.ts";
import { useClient } from "./api/client.ts";
import { useActionTypes } from "./api/queries.ts";
import { actionNamesQuery } from "./api/resources.ts";
import { useCanChange } from "./options.ts";

/**
 * Route that marks a newer engine: one with this route also supports ids, names and switches of actions, and retries
 * with the current settings.
 */
export const CANCEL_ROUTE = "/action-queue/{id}/cancel";

/** Returns the display name of an action: the name that its author set, or the label of its type. */
export function useActionName(): (type: string, name?: string) => string {
  const { data } = useActionTypes();
  return (type, name = "") => (name === "" ? (data?.find((known) => known.type === type)?.label ?? type) : name);
}

/** Members of a log or queue entry that identify its action. */
type Run = Pick<QueueEntry, "form_id" | "action_type"> & Partial<Pick<QueueEntry, "action_id" | "action_name">>;

type NamedActions = Selected<Form, "id" | "settings.actions.action_id" | "settings.actions.action_name">;

const nameKey = (formId: number, actionId: string): string => `${formId} ${actionId}`;

const namesOf = (results: readonly UseQueryResult<NamedActions>[]): ReadonlyMap<string, string> =>
  new Map(
    results.flatMap(({ data }) =>
      (data?.settings.actions ?? []).map(
        ({ action_id = "", action_name = "" }) => [nameKey(data?.id ?? 0, action_id), action_name] as const,
      ),
    ),
  );

/**
 * Returns the display name of a run of one of these forms. A queue entry stores the name. A log entry stores only the
 * action's id, so its name is the action's current name.
 */
export function useRunName(formIds: readonly number[]): (run: Run) => string {
  const client = useClient();
  const canChange = useCanChange();
  const nameOf = useActionName();
  const names = useQueries({
    queries: [...new Set(formIds)].map((id) => ({ ...actionNamesQuery(client, id), enabled: canChange })),
    combine: namesOf,
  });
  return ({ form_id, action_type, action_id = "", action_name = "" }) =>
    nameOf(action_type, action_name || names.get(nameKey(form_id, action_id)));
}
