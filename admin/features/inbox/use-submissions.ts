/** The submissions of the inbox: read page by page, looked after, and changed with a way back. */
import { useCallback, useMemo } from "react";
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../shared/api/http.ts";
import type { Submission } from "../../shared/api/types.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { usePendingIds } from "../../ui/pending-ids.ts";
import { belongsTo, type Filters, listOf } from "./filters.ts";

const PAGE_SIZE = 100;
const LOOK_MS = 15_000;
const BULK = 100;

interface PageOfList {
  readonly rows: readonly Submission[];
  readonly total: number;
  /** The API counted no further than this. */
  readonly isLeast: boolean;
  readonly next: string | null;
}

type Pages = InfiniteData<PageOfList, string>;

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
  const api = useApi();
  const t = useText();
  const textOf = useTextOf();
  const notices = useNotices();
  const queries = useQueryClient();
  const { path, query } = listOf(filters);
  const key = useMemo(() => ["submissions", path, JSON.stringify(query)], [path, JSON.stringify(query)]);

  const list = useInfiniteQuery({
    queryKey: key,
    initialPageParam: "",
    staleTime: 10_000,
    // A comparison of all that was read so far with each new page would grow with the scrolling.
    structuralSharing: false,
    queryFn: async ({ pageParam, signal }): Promise<PageOfList> => {
      const { data, headers, total } = await api.answer<readonly Submission[]>("GET", path, { query: { ...query, per_page: PAGE_SIZE, cursor: pageParam === "" ? undefined : pageParam }, signal });
      return { rows: data, total, isLeast: headers.get("x-cf-total-is-least") === "true", next: headers.get("x-cf-next-cursor") };
    },
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const pending = usePendingIds("submissions");
  const rows = useMemo(() => {
    const read = list.data?.pages.flatMap((page) => page.rows) ?? [];
    return pending.ids.size === 0 ? read : read.filter(({ id }) => !pending.ids.has(id));
  }, [list.data, pending.ids]);
  const first = list.data?.pages[0];

  // Cheap enough to be asked again and again: one row, and the total from a counter.
  const look = useQuery({
    queryKey: ["look", ...key],
    enabled: first !== undefined && filters.search === "",
    refetchInterval: LOOK_MS,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data, total } = await api.answer<readonly { readonly id: number }[]>("GET", path, { query: { ...query, per_page: 1, _fields: "id" }, signal });
      return { newest: data[0]?.id ?? 0, total };
    },
  });
  const newest = Math.max(0, ...(first?.rows.map(({ id }) => id) ?? []));
  const arrived = look.data !== undefined && first !== undefined && look.data.newest > newest ? Math.max(1, look.data.total - first.total) : 0;

  const refreshCounts = useCallback(() => {
    for (const name of ["unread", "forms", "look"]) void queries.invalidateQueries({ queryKey: [name] });
  }, [queries]);
  const update = useCallback((change: (rows: readonly Submission[]) => readonly Submission[], gone = 0) => {
    queries.setQueryData<Pages>(key, (data) => data && {
      ...data,
      pages: data.pages.map((page) => ({ ...page, rows: change(page.rows), total: page.total - gone })),
    });
  }, [queries, key]);

  /** In parts as large as the API takes; more than one is told, and can be stopped between two. */
  const sendInParts = async (ids: readonly number[], change: object, keepalive = false) => {
    const progressText = (done: number) => t("inbox.working", { done, count: ids.length });
    const progress = ids.length > BULK && !keepalive ? notices.progress(progressText(0)) : null;
    try {
      for (let start = 0; start < ids.length && progress?.signal.aborted !== true; start += BULK) {
        await api.send("POST", "/submissions/bulk", { body: { ids: ids.slice(start, start + BULK), ...change }, keepalive });
        progress?.update(progressText(Math.min(ids.length, start + BULK)));
      }
    } finally {
      progress?.end();
    }
  };
  const sendStatus = (ids: readonly number[], status: string) => sendInParts(ids, { action: "set_status", status });
  const again = () => {
    for (const name of ["submissions", "submission", "timeline"]) void queries.invalidateQueries({ queryKey: [name] });
    refreshCounts();
  };

  return {
    rows, arrived,
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
      queries.setQueryData<Pages>(key, (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) });
      void list.refetch();
      refreshCounts();
    },
    setStatus(ids, status, opened) {
      const chosen = new Set(ids);
      const listed = rows.filter(({ id }) => chosen.has(id));
      const before = opened === undefined || listed.some(({ id }) => id === opened.id) ? listed : [...listed, opened];
      const changed = (row: Submission): Submission => (chosen.has(row.id) ? { ...row, status, is_spam: status === "spam" } : row);
      const gone = listed.filter((row) => !belongsTo(changed(row), filters.view)).length;
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
        const back = [...groups].map(([own, members]) => sendStatus(members.map(({ id }) => id), own));
        Promise.all(back).then(again, fail);
      });
    },
    setStarred(submission, starred) {
      update((page) => page.map((row) => (row.id === submission.id ? { ...row, starred } : row)));
      api.send("PATCH", `/submissions/${submission.id}`, { body: { starred } }).catch((error: unknown) => {
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
