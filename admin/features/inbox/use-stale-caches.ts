/** Caches that changes of submissions make stale. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { keys } from "../../shared/api/keys.ts";
import { useNotices } from "../../shared/notices.ts";

export interface StaleCaches {
  refreshCounts(): void;
  refetchAll(): void;
  /**
   * Invalidates the queries that a change made stale. The list on the screen has the change already, so it is not read
   * again.
   */
  settle(isDone: boolean): void;
  /** Shows the error of a change, and reads everything again. */
  fail(error: unknown): void;
}

export function useStaleCaches(): StaleCaches {
  const queries = useQueryClient();
  const notices = useNotices();
  const invalidate = (...stale: readonly QueryKey[]) => {
    for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
  };
  const refreshCounts = () => invalidate(keys.counts, keys.unread, keys.forms, keys.poll);
  const refetchAll = () => {
    invalidate(keys.submissions, keys.submission, keys.timeline);
    refreshCounts();
  };
  return {
    refreshCounts,
    refetchAll,
    settle(isDone) {
      if (!isDone) return refetchAll();
      void queries.invalidateQueries({ queryKey: keys.submissions, refetchType: "none" });
      invalidate(keys.submission, keys.timeline);
      refreshCounts();
    },
    fail(error) {
      notices.showError(error);
      refetchAll();
    },
  };
}
