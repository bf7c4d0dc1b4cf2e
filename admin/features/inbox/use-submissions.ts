/** Submissions of the inbox: loaded by page, polled for new ones, and changed with undo. */
import { useCallback, useMemo } from "react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import type { Input, Submission } from "../../../client/index.ts";
import { keys } from "../../shared/api/keys.ts";
import { pollQuery, submissionsQuery } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { usePendingIds } from "../../ui/pending-ids.ts";
import { apiFilters, belongsTo, type Filters } from "./filters.ts";

const POLL_INTERVAL_MS = 15_000;
const BATCH_SIZE = 100;

type BulkChange = Omit<Input<"bulkSubmissions">["body"], "ids">;

export interface Submissions {
  readonly rows: readonly Submission[];
  readonly total: number;
  readonly isLowerBound: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  /** Number of submissions that arrived after the list was loaded. */
  readonly arrived: number;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  refresh(): void;
  /** Sets the status. `opened` is a submission that may be outside the list, such as one opened by a link. */
  setStatus(ids: readonly number[], status: string, opened?: Submission): void;
  setStarred(submission: Submission, starred: boolean): void;
  remove(ids: readonly number[]): void;
  /** Replaces a submission in the list. */
  replace(submission: Submission): void;
}

export function useSubmissions(filters: Filters): Submissions {
  const client = useClient();
  const t = useText();
  const notices = useNotices();
  const queries = useQueryClient();
  const listed = useMemo(() => submissionsQuery(client, apiFilters(filters)), [client, filters]);
  const list = useInfiniteQuery(listed);
  const pending = usePendingIds("submissions");
  const rows = useMemo(() => {
    const read = list.data?.pages.flatMap((page) => page.rows) ?? [];
    return pending.ids.size === 0 ? read : read.filter(({ id }) => !pending.ids.has(id));
  }, [list.data, pending.ids]);
  const first = list.data?.pages[0];

  // The poll is cheap: one row and a counter.
  const poll = useQuery({
    ...pollQuery(client, apiFilters(filters)),
    enabled: first !== undefined && filters.search === "",
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 0,
  });
  const newest = Math.max(0, ...(first?.rows.map(({ id }) => id) ?? []));
  const arrived =
    poll.data !== undefined && first !== undefined && poll.data.newest > newest
      ? Math.max(1, poll.data.total - first.total)
      : 0;

  const refreshCounts = useCallback(() => {
    for (const queryKey of [keys.unread, keys.forms, keys.poll]) void queries.invalidateQueries({ queryKey });
  }, [queries]);
  const update = useCallback(
    (change: (rows: readonly Submission[]) => readonly Submission[], gone = 0) => {
      queries.setQueryData(
        listed.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({ ...page, rows: change(page.rows), total: page.total - gone })),
          },
      );
    },
    [queries, listed],
  );

  /** Sends a change in batches of the API's limit. With several batches, a notice shows progress and can cancel. */
  const sendInBatches = async (ids: readonly number[], change: BulkChange, keepalive = false) => {
    const progressText = (done: number) => t("inbox.working", { done, count: ids.length });
    const progress = ids.length > BATCH_SIZE && !keepalive ? notices.progress(progressText(0)) : null;
    try {
      for (let start = 0; start < ids.length && progress?.signal.aborted !== true; start += BATCH_SIZE) {
        await client.bulkSubmissions({ body: { ids: ids.slice(start, start + BATCH_SIZE), ...change } }, { keepalive });
        progress?.update(progressText(Math.min(ids.length, start + BATCH_SIZE)));
      }
    } finally {
      progress?.end();
    }
  };
  const sendStatus = (ids: readonly number[], status: string) => sendInBatches(ids, { action: "set_status", status });
  const refetchAll = () => {
    for (const queryKey of [keys.submissions, keys.submission, keys.timeline])
      void queries.invalidateQueries({ queryKey });
    refreshCounts();
  };

  return {
    rows,
    arrived,
    total: first?.total ?? 0,
    isLowerBound: first?.isLowerBound ?? false,
    isPending: list.isPending,
    error: list.error,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    // Scrolling calls this often; a running request continues.
    loadMore: () => void list.fetchNextPage({ cancelRefetch: false }),
    refresh() {
      // Reloads only the first page, because the rows below may have moved.
      queries.setQueryData(
        listed.queryKey,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      );
      void list.refetch();
      refreshCounts();
    },
    setStatus(ids, status, opened) {
      const chosen = new Set(ids);
      const present = rows.filter(({ id }) => chosen.has(id));
      const before =
        opened === undefined || present.some(({ id }) => id === opened.id) ? present : [...present, opened];
      const changed = (row: Submission): Submission =>
        chosen.has(row.id) ? { ...row, status, is_spam: status === "spam" } : row;
      const gone = present.filter((row) => !belongsTo(changed(row), filters.view)).length;
      update((page) => page.map(changed).filter((row) => !chosen.has(row.id) || belongsTo(row, filters.view)), gone);
      const text = t("inbox.done", { count: ids.length, status });
      const fail = (error: unknown) => {
        notices.showError(error);
        refetchAll();
      };
      // A submission that leaves spam runs its actions. That cannot be undone, so the change is deferred.
      const runsActions = before.some((row) => row.status === "spam") && status !== "trash";
      if (runsActions) {
        notices.defer({ text, run: () => sendStatus(ids, status).then(refetchAll), undo: refetchAll });
        return;
      }
      sendStatus(ids, status).then(refetchAll, fail);
      notices.showUndoable(text, () => {
        const groups = Map.groupBy(before, (row) => row.status);
        const back = [...groups].map(([former, members]) =>
          sendStatus(
            members.map(({ id }) => id),
            former,
          ),
        );
        Promise.all(back).then(refetchAll, fail);
      });
    },
    setStarred(submission, starred) {
      update((page) => page.map((row) => (row.id === submission.id ? { ...row, starred } : row)));
      client.updateSubmission({ id: submission.id, body: { starred } }).catch((error: unknown) => {
        notices.showError(error);
        refetchAll();
      });
    },
    remove(ids) {
      pending.add(ids);
      update((page) => page, ids.length);
      const undo = () => {
        pending.remove(ids);
        refetchAll();
      };
      notices.defer({
        text: t("inbox.deleted", { count: ids.length }),
        run: async (keepalive) => {
          await sendInBatches(ids, { action: "delete" }, keepalive);
          const gone = new Set(ids);
          update((page) => page.filter(({ id }) => !gone.has(id)));
          undo();
        },
        undo,
      });
    },
    replace(submission) {
      update((page) => page.map((row) => (row.id === submission.id ? submission : row)));
      refreshCounts();
    },
  };
}
