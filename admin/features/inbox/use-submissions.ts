/** The submissions of the inbox: read page by page, looked after, and changed with a way back. */
import { useCallback, useMemo } from "react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import type { Input, Submission } from "../../../client/index.ts";
import { keys } from "../../shared/api/keys.ts";
import { lookQuery, submissionsQuery } from "../../shared/api/resources.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { usePendingIds } from "../../ui/pending-ids.ts";
import { apiFilters, belongsTo, type Filters } from "./filters.ts";

const LOOK_MS = 15_000;
const BULK = 100;

type BulkChange = Omit<Input<"bulkSubmissions">["body"], "ids">;

export interface Submissions {
  readonly rows: readonly Submission[];
  readonly total: number;
  readonly isLeast: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  /** How many came in since the list was read. */
  readonly arrived: number;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  refresh(): void;
  /** `opened` is a submission that may stand outside of the list, such as one that a link led to. */
  setStatus(ids: readonly number[], status: string, opened?: Submission): void;
  setStarred(submission: Submission, starred: boolean): void;
  remove(ids: readonly number[]): void;
  /** Puts a changed submission in its place. */
  replace(submission: Submission): void;
}

export function useSubmissions(filters: Filters): Submissions {
  const client = useClient();
  const t = useText();
  const textOf = useTextOf();
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

  // Cheap enough to be read again and again.
  const look = useQuery({
    ...lookQuery(client, apiFilters(filters)),
    enabled: first !== undefined && filters.search === "",
    refetchInterval: LOOK_MS,
    staleTime: 0,
  });
  const newest = Math.max(0, ...(first?.rows.map(({ id }) => id) ?? []));
  const arrived =
    look.data !== undefined && first !== undefined && look.data.newest > newest
      ? Math.max(1, look.data.total - first.total)
      : 0;

  const refreshCounts = useCallback(() => {
    for (const queryKey of [keys.unread, keys.forms, keys.look]) void queries.invalidateQueries({ queryKey });
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

  /** In parts as large as the API takes; more than one is told, and can be stopped between two. */
  const sendInParts = async (ids: readonly number[], change: BulkChange, keepalive = false) => {
    const progressText = (done: number) => t("inbox.working", { done, count: ids.length });
    const progress = ids.length > BULK && !keepalive ? notices.progress(progressText(0)) : null;
    try {
      for (let start = 0; start < ids.length && progress?.signal.aborted !== true; start += BULK) {
        await client.bulkSubmissions({ body: { ids: ids.slice(start, start + BULK), ...change } }, { keepalive });
        progress?.update(progressText(Math.min(ids.length, start + BULK)));
      }
    } finally {
      progress?.end();
    }
  };
  const sendStatus = (ids: readonly number[], status: string) => sendInParts(ids, { action: "set_status", status });
  const again = () => {
    for (const queryKey of [keys.submissions, keys.submission, keys.timeline])
      void queries.invalidateQueries({ queryKey });
    refreshCounts();
  };

  return {
    rows,
    arrived,
    total: first?.total ?? 0,
    isLeast: first?.isLeast ?? false,
    isPending: list.isPending,
    error: list.error,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    // Scrolling asks often: what is under way goes on.
    loadMore: () => void list.fetchNextPage({ cancelRefetch: false }),
    refresh() {
      // One page again: those below may have moved.
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
      const text = t("inbox.done", { count: ids.length, status: textOf("status", status) });
      const fail = (error: unknown) => {
        notices.fail(error);
        again();
      };
      // Out of spam the withheld actions run: that cannot be taken back, so it waits.
      const runsActions = before.some((row) => row.status === "spam") && status !== "trash";
      if (runsActions) {
        notices.later({ text, run: () => sendStatus(ids, status).then(again), undo: again });
        return;
      }
      sendStatus(ids, status).then(again, fail);
      notices.done(text, () => {
        const groups = Map.groupBy(before, (row) => row.status);
        const back = [...groups].map(([former, members]) =>
          sendStatus(
            members.map(({ id }) => id),
            former,
          ),
        );
        Promise.all(back).then(again, fail);
      });
    },
    setStarred(submission, starred) {
      update((page) => page.map((row) => (row.id === submission.id ? { ...row, starred } : row)));
      client.updateSubmission({ id: submission.id, body: { starred } }).catch((error: unknown) => {
        notices.fail(error);
        again();
      });
    },
    remove(ids) {
      pending.add(ids);
      update((page) => page, ids.length);
      const undo = () => {
        pending.remove(ids);
        again();
      };
      notices.later({
        text: t("inbox.deleted", { count: ids.length }),
        run: async (keepalive) => {
          await sendInParts(ids, { action: "delete" }, keepalive);
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
