/** Changes of submissions, which the list shows before the API responds. */
import { useRef } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { Submission } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import type { submissionsQuery } from "../../shared/api/submission-list.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { belongsTo, type Filters } from "./filters.ts";
import { useBulkRequests } from "./use-bulk-requests.ts";
import { useStaleCaches } from "./use-stale-caches.ts";
import { statusAfter, type Verb, VERBS } from "./verbs.ts";

export interface SubmissionChanges {
  /** Returns the submission with pending changes: one that is being marked as read counts as read. */
  current(submission: Submission): Submission;
  /** Changes the submissions at once. The undo button sends the opposite request, then calls `onUndo`. */
  apply(verb: Verb, submissions: readonly Submission[], onUndo?: () => void): void;
  setStarred(submissions: readonly Submission[], starred: boolean): void;
  /** Deletes permanently. */
  remove(ids: readonly number[]): void;
  /** Marks a new submission as read, without a notice. Later changes of its status wait for this change. */
  markRead(submission: Submission): void;
  /** Replaces a submission in the list. */
  replace(submission: Submission): void;
}

export type ListQuery = ReturnType<typeof submissionsQuery>;

/** Changes the rows of the list on the screen. */
type UpdateRows = (change: (rows: readonly Submission[]) => readonly Submission[]) => void;

export function useSubmissionChanges(listed: ListQuery, view: Filters["view"]): SubmissionChanges {
  const client = useClient();
  const t = useText();
  const notices = useNotices();
  const { sendInBatches } = useBulkRequests();
  const { refreshCounts, settle, fail } = useStaleCaches();
  const update = useUpdateRows(listed);
  const { reading, markRead } = useReading(update);
  return {
    current: (submission) =>
      submission.status === "new" && reading.has(submission.id) ? { ...submission, status: "read" } : submission,
    apply: useApply(listed, view, update, reading),
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
        if (isDone) notices.show(t("triage.deleted", { count: ids.length }));
      }, fail);
    },
    markRead,
    replace(submission) {
      update((page) => page.map((row) => (row.id === submission.id ? submission : row)));
      refreshCounts();
    },
  };
}

function useUpdateRows(listed: ListQuery): UpdateRows {
  const queries = useQueryClient();
  return (change) =>
    queries.setQueryData(listed.queryKey, (data) => {
      if (data === undefined) return data;
      const pages = data.pages.map((page) => ({ ...page, rows: change(page.rows) }));
      const before = data.pages.reduce((sum, page) => sum + page.rows.length, 0);
      const gone = before - pages.reduce((sum, page) => sum + page.rows.length, 0);
      return { ...data, pages: pages.map((page) => ({ ...page, total: Math.max(0, page.total - gone) })) };
    });
}

/** Requests that mark submissions as read, by the submission's id. */
type Reading = ReadonlyMap<number, Promise<unknown>>;

/** Marks submissions as read, and keeps track of the pending requests. */
function useReading(update: UpdateRows): { readonly reading: Reading } & Pick<SubmissionChanges, "markRead"> {
  const client = useClient();
  const queries = useQueryClient();
  const { refreshCounts } = useStaleCaches();
  const reading = useRef(new Map<number, Promise<unknown>>()).current;
  return {
    reading,
    markRead({ id }) {
      const show = () =>
        update((page) => page.map((row) => (row.id === id && row.status === "new" ? { ...row, status: "read" } : row)));
      show();
      const sent = client.updateSubmission({ id, body: { status: "read" } }).then(
        (saved) => {
          // A list that was requested before this change may have brought back the old status.
          show();
          queries.setQueryData(keys.oneSubmission(id), (read: Submission | undefined) => read && { ...read, ...saved });
          refreshCounts();
        },
        () => undefined,
      );
      reading.set(id, sent);
      void sent.then(() => reading.delete(id));
    },
  };
}

/** Returns the command that gives submissions the status of a verb, with a notice that can undo it. */
function useApply(
  listed: ListQuery,
  view: Filters["view"],
  update: UpdateRows,
  reading: Reading,
): SubmissionChanges["apply"] {
  const t = useText();
  const notices = useNotices();
  const queries = useQueryClient();
  const { sendStatuses } = useBulkRequests();
  const { refetchAll, settle, fail } = useStaleCaches();
  /** Waits for pending requests that mark the submissions as read, so that these cannot overwrite a later status. */
  const settledReading = (submissions: readonly Submission[]) =>
    Promise.all(submissions.map(({ id }) => reading.get(id)));
  return (verb, submissions, onUndo) => {
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
          .filter((row) => !statuses.has(row.id) || belongsTo(row, view)),
      );
    // A list request in flight would overwrite this change with old data.
    void queries.cancelQueries({ queryKey: listed.queryKey });
    show();
    const sent = settledReading(before)
      .then(() => sendStatuses(before, (submission) => statusAfter(verb, submission)))
      .then((isDone) => {
        if (isDone) show();
        settle(isDone);
      }, fail);
    const undo = () =>
      // The opposite request waits for the first request.
      void sent
        .then(() => sendStatuses(before, ({ status }) => status))
        .then(() => {
          refetchAll();
          onUndo?.();
        }, fail);
    notices.showUndoable(t(VERBS[verb].done, { count: before.length, status: VERBS[verb].status }), undo);
  };
}
