/** Ids that a deferred deletion hides on every screen until it is done or undone. */
import { useQuery, useQueryClient } from "@tanstack/react-query";

type Ids = ReadonlySet<number>;

export interface PendingIds {
  readonly ids: Ids;
  add(ids: readonly number[]): void;
  remove(ids: readonly number[]): void;
}

const NONE: Ids = new Set();

/** Returns the hidden ids of one kind, such as `forms`, shared by all screens. */
export function usePendingIds(kind: string): PendingIds {
  const queries = useQueryClient();
  const queryKey = ["pending", kind];
  const { data: ids } = useQuery<Ids>({
    queryKey,
    queryFn: () => NONE,
    initialData: NONE,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const change = (update: (ids: Ids) => Ids) => void queries.setQueryData<Ids>(queryKey, (now = NONE) => update(now));
  return {
    ids,
    add: (more) => change((now) => new Set([...now, ...more])),
    remove: (those) => change((now) => new Set([...now].filter((id) => !those.includes(id)))),
  };
}
