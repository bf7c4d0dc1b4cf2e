/** Submissions of the inbox: loaded by page, polled for new ones, and changed with undo. */
import { useMemo, useRef } from "react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import type { Submission } from "../../../client/index.ts";
import type { ListPart } from "../../shared/api/keys.ts";
import { pollQuery, type SubmissionPage, submissionsQuery } from "../../shared/api/submission-list.ts";
import { apiFilters, type Filters } from "./filters.ts";
import { useStaleCaches } from "./use-stale-caches.ts";
import { type ListQuery, type SubmissionChanges, useSubmissionChanges } from "./use-submission-changes.ts";

const POLL_INTERVAL_MS = 15_000;

export interface Submissions extends SubmissionChanges {
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
}

const NO_PARTS: readonly ListPart[] = [];

export function useSubmissions(filters: Filters, parts = NO_PARTS): Submissions {
  const client = useClient();
  const queries = useQueryClient();
  const { refreshCounts } = useStaleCaches();
  const listed = useMemo(() => submissionsQuery(client, apiFilters(filters), parts), [client, filters, parts]);
  const list = useInfiniteQuery(listed);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const first = list.data?.pages[0];
  const arrived = useArrived(filters, listed, first);
  const changes = useSubmissionChanges(listed, filters.view);
  return {
    ...changes,
    rows,
    arrived,
    total: first?.total ?? 0,
    isLowerBound: first?.isLowerBound ?? false,
    isPending: list.isPending,
    error: list.error,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    // Scrolling calls this often, so a running request continues.
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
  };
}

/** Counts the submissions that arrived after the list was loaded. The poll is cheap: one row and a counter. */
function useArrived(filters: Filters, listed: ListQuery, first: SubmissionPage | undefined): number {
  const client = useClient();
  const poll = useQuery({
    ...pollQuery(client, apiFilters(filters)),
    enabled: first !== undefined && filters.search === "",
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 0,
  });
  // A row that left the list still counts as seen, because the poll may return it until the next read.
  const seen = useRef({ list: listed, newest: 0 });
  if (seen.current.list !== listed) seen.current = { list: listed, newest: 0 };
  seen.current.newest = Math.max(seen.current.newest, ...(first?.rows.map(({ id }) => id) ?? []));
  const hasArrived = filters.sort === "newest" ? (poll.data?.newest ?? 0) > seen.current.newest : true;
  return poll.data === undefined || first === undefined || !hasArrived
    ? 0
    : Math.max(filters.sort === "newest" ? 1 : 0, poll.data.total - first.total);
}
