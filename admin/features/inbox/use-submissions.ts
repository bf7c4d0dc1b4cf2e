/** Submissions of the inbox: loaded by page, polled for new ones, and changed with undo. */
import { useCallback, useMemo, useRef } from "react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import type { Input, Submission } from "../../../client/index.ts";
import { keys, type ListPart } from "../../shared/api/keys.ts";
import { pollQuery, submissionsQuery } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { apiFilters, belongsTo, type Filters } from "./filters.ts";
import { statusAfter, type Verb, VERBS } from "./verbs.ts";

const POLL_INTERVAL_MS = 15_000;
/** Limit of ids that the API changes in one request. */
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
  /** Returns the submission as it is now: one that is being marked as read is read. */
  current(submission: Submission): Submission;
  /** Changes the submissions at once. The undo button sends the opposite request, then calls `onUndo`. */
  apply(verb: Verb, submissions: readonly Submission[], onUndo?: () => void): void;
  setStarred(submissions: readonly Submission[], starred: boolean): void;
  /** Deletes permanently. */
  remove(ids: readonly number[]): void;
  /** Marks a new submission as read, without a notice. Later changes of it wait for this one. */
  markRead(submission: Submission): void;
  /** Replaces a submission in the list. */
  replace(submission: Submission): void;
}

const NO_PARTS: readonly ListPart[] = [];

export function useSubmissions(filters: Filters, parts = NO_PARTS): Submissions {
  const client = useClient();
  const t = useText();
  const notices = useNotices();
  const queries = useQueryClient();
  const listed = useMemo(() => submissionsQuery(client, apiFilters(filters), parts), [client, filters, parts]);
  const list = useInfiniteQuery(listed);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const first = list.data?.pages[0];

  // The poll is cheap: one row and a counter.
  const poll = useQuery({
    ...pollQuery(client, apiFilters(filters)),
    enabled: first !== undefined && filters.search === "",
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 0,
  });
  // A row that left the list still counts as seen: the poll may name it until it is read again.
  const seen = useRef({ list: listed, newest: 0 });
  if (seen.current.list !== listed) seen.current = { list: listed, newest: 0 };
  seen.current.newest = Math.max(seen.current.newest, ...(first?.rows.map(({ id }) => id) ?? []));
  const hasArrived = filters.sort === "newest" ? (poll.data?.newest ?? 0) > seen.current.newest : true;
  const arrived =
    poll.data === undefined || first === undefined || !hasArrived
      ? 0
      : Math.max(filters.sort === "newest" ? 1 : 0, poll.data.total - first.total);

  const refreshCounts = useCallback(() => {
    for (const queryKey of [keys.counts, keys.unread, keys.forms, keys.poll])
      void queries.invalidateQueries({ queryKey });
  }, [queries]);
  const update = useCallback(
    (change: (rows: readonly Submission[]) => readonly Submission[]) => {
      queries.setQueryData(listed.queryKey, (data) => {
        if (data === undefined) return data;
        const pages = data.pages.map((page) => ({ ...page, rows: change(page.rows) }));
        const before = data.pages.reduce((sum, page) => sum + page.rows.length, 0);
        const gone = before - pages.reduce((sum, page) => sum + page.rows.length, 0);
        return { ...data, pages: pages.map((page) => ({ ...page, total: Math.max(0, page.total - gone) })) };
      });
    },
    [queries, listed],
  );

  const reading = useRef(new Map<number, Promise<unknown>>());
  /** Waits until the submissions are marked as read, so that this does not overtake a later status. */
  const settledReading = (submissions: readonly Submission[]) =>
    Promise.all(submissions.map(({ id }) => reading.current.get(id)));

  /** Sends a change in batches of the API's limit. With several batches, a notice shows progress and can cancel. */
  const sendInBatches = async (ids: readonly number[], change: BulkChange) => {
    const progressText = (done: number) => t("inbox.working", { done, count: ids.length });
    const progress = ids.length > BATCH_SIZE ? notices.progress(progressText(0)) : null;
    try {
      for (let start = 0; start < ids.length && progress?.signal.aborted !== true; start += BATCH_SIZE) {
        await client.bulkSubmissions({ body: { ids: ids.slice(start, start + BATCH_SIZE), ...change } });
        progress?.update(progressText(Math.min(ids.length, start + BATCH_SIZE)));
      }
    } finally {
      progress?.end();
    }
    return progress?.signal.aborted !== true;
  };
  /** Gives each submission its status; false when the user canceled. */
  const sendStatuses = async (submissions: readonly Submission[], statusOf: (submission: Submission) => string) => {
    for (const [status, members] of Map.groupBy(submissions, statusOf)) {
      const ids = members.map(({ id }) => id);
      if (!(await sendInBatches(ids, { action: "set_status", status }))) return false;
    }
    return true;
  };
  const refetchAll = () => {
    for (const queryKey of [keys.submissions, keys.submission, keys.timeline])
      void queries.invalidateQueries({ queryKey });
    refreshCounts();
  };
  /** Marks what the change made stale. The list on the screen has the change already, so it is not read again. */
  const settle = (isDone: boolean) => {
    if (!isDone) return refetchAll();
    void queries.invalidateQueries({ queryKey: keys.submissions, refetchType: "none" });
    for (const queryKey of [keys.submission, keys.timeline]) void queries.invalidateQueries({ queryKey });
    refreshCounts();
  };
  const fail = (error: unknown) => {
    notices.showError(error);
    refetchAll();
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
    current: (submission) =>
      submission.status === "new" && reading.current.has(submission.id)
        ? { ...submission, status: "read" }
        : submission,
    apply(verb, submissions, onUndo) {
      const before = submissions.filter(({ status }) => VERBS[verb].isOffered(status));
      if (before.length === 0) return;
      const statuses = new Map(before.map((submission) => [submission.id, statusAfter(verb, submission)]));
      const show = () =>
        update((page) =>
          page
            .map((row): Submission => {
              const status = statuses.get(row.id);
              return status === undefined ? row : { ...row, status, is_spam: status === "spam" };
            })
            .filter((row) => !statuses.has(row.id) || belongsTo(row, filters.view)),
        );
      // A list that is being read would bring back what is changed now.
      void queries.cancelQueries({ queryKey: listed.queryKey });
      show();
      const sent = settledReading(before)
        .then(() => sendStatuses(before, (submission) => statusAfter(verb, submission)))
        .then((isDone) => {
          if (isDone) show();
          settle(isDone);
        }, fail);
      notices.showUndoable(t(VERBS[verb].done, { count: before.length, status: VERBS[verb].status }), () => {
        // The opposite request follows the request.
        void sent
          .then(() => sendStatuses(before, ({ status }) => status))
          .then(() => {
            refetchAll();
            onUndo?.();
          }, fail);
      });
    },
    setStarred(submissions, starred) {
      const ids = new Set(submissions.map(({ id }) => id));
      update((page) => page.map((row) => (ids.has(row.id) ? { ...row, starred } : row)));
      const send = async () => {
        for (const id of ids) await client.updateSubmission({ id, body: { starred } });
      };
      send().then(() => settle(true), fail);
    },
    remove(ids) {
      const gone = new Set(ids);
      update((page) => page.filter(({ id }) => !gone.has(id)));
      sendInBatches(ids, { action: "delete" }).then((isDone) => {
        settle(isDone);
        notices.show(t("triage.deleted", { count: ids.length }));
      }, fail);
    },
    markRead({ id }) {
      update((page) => page.map((row) => (row.id === id && row.status === "new" ? { ...row, status: "read" } : row)));
      const sent = client.updateSubmission({ id, body: { status: "read" } }).then(
        (saved) => {
          queries.setQueryData(keys.oneSubmission(id), (read: Submission | undefined) => read && { ...read, ...saved });
          refreshCounts();
        },
        () => undefined,
      );
      reading.current.set(id, sent);
      void sent.then(() => reading.current.delete(id));
    },
    replace(submission) {
      update((page) => page.map((row) => (row.id === submission.id ? submission : row)));
      refreshCounts();
    },
  };
}
