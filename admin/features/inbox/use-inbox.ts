/** State and commands of the inbox: the list, the shown submission and the selection. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Submission, SubmissionCounts } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { useForms } from "../../shared/api/queries.ts";
import { countsQuery } from "../../shared/api/resources.ts";
import { useCanChange } from "../../shared/options.ts";
import { useQueryState } from "../../ui/address.ts";
import { belongsTo, type Filters, filtersOf } from "./filters.ts";
import { partsOf, type SortInput } from "./sort-menu.tsx";
import { type Selection, successor, useRowsWithShown, useSelection, useShown } from "./use-current.ts";
import { type Submissions, useSubmissions } from "./use-submissions.ts";
import { statusAfter, type Verb, VERBS } from "./verbs.ts";

export interface Inbox {
  readonly filters: Filters;
  readonly change: ReturnType<typeof useQueryState>[1];
  readonly counts: SubmissionCounts | undefined;
  readonly sorting: SortInput;
  readonly list: Submissions;
  readonly rows: readonly Submission[];
  readonly shown: ReturnType<typeof useShown>;
  /** Id of the shown submission. */
  readonly openedId: number | null;
  /** Id of the shown submission, or else of the row with the focus. */
  readonly currentId: number | null;
  readonly currentIndex: number;
  /** Counter; each change moves the focus to the current row. */
  readonly focusRequests: number;
  readonly selection: Selection;
  readonly selected: readonly Submission[];
  /** Submissions that keyboard shortcuts act on: the selected ones, or else the shown one. */
  readonly targets: readonly Submission[];
  open(id: number): void;
  close(): void;
  focus(id: number): void;
  /** Moves the focus by `by` rows, and opens the new row unless `isFocusOnly`. `isExtending` extends the selection. */
  move(by: number, options: { readonly isFocusOnly: boolean; readonly isExtending: boolean }): void;
  /**
   * Changes submissions optimistically. If the shown submission leaves the view, shows the next one. Exception: a
   * submission that is marked as replied stays open.
   */
  apply(verb: Verb, submissions: readonly Submission[]): void;
  /** Deletes submissions permanently. If the shown submission is deleted, shows the next one. */
  remove(submissions: readonly Submission[]): void;
}

/** `onEmpty` is called when no row is left to focus. */
export function useInbox(onEmpty: () => void): Inbox {
  const view = useInboxView();
  const { rows, openedId, viewKey, change } = view;
  const shown = useShown(openedId, rows);
  const [focusedId, setFocusedId] = useState<number | null>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  const selection = useSelection(rows);
  const selected = useMemo(() => rows.filter(({ id }) => selection.ids.has(id)), [rows, selection.ids]);
  const currentId = openedId ?? focusedId;
  const currentIndex = rows.findIndex(({ id }) => id === currentId);
  const requestFocus = () => setFocusRequests((count) => count + 1);

  const { clear } = selection;
  const shownView = useRef(viewKey);
  useEffect(() => {
    if (shownView.current === viewKey) return;
    shownView.current = viewKey;
    clear();
    setFocusedId(null);
  }, [viewKey, clear]);

  const latest = useLatestView(view);
  // The callbacks are stable. Otherwise, all rows would re-render when the list grows.
  const open = useCallback(
    (id: number) => {
      // Opening the detail view adds an entry to the history. Then the browser's Back button closes the detail view.
      latest.current.change({ open: String(id) }, latest.current.openedId === null);
    },
    [latest],
  );
  const focus = useCallback((id: number) => setFocusedId(id), []);
  const navigation: Navigation = { currentId, currentIndex, open, setFocusedId, requestFocus, onEmpty };
  return {
    ...view,
    shown,
    currentId,
    currentIndex,
    focusRequests,
    selection,
    selected,
    targets: selected.length > 0 ? selected : shown.submission === null ? [] : [shown.submission],
    open,
    focus,
    close() {
      setFocusedId(openedId);
      change({ open: null });
      requestFocus();
    },
    move: useMove(view, selection, navigation),
    ...useCommands(view, { shown, selection, latest }, navigation),
  };
}

type InboxView = Pick<Inbox, "filters" | "change" | "counts" | "sorting" | "list" | "rows" | "openedId"> & {
  /** Key that changes with the filters. */
  readonly viewKey: string;
};

/** The view that the page's URL describes: filters, order, rows, and the shown submission. */
function useInboxView(): InboxView {
  const client = useClient();
  const canChange = useCanChange();
  const [query, change] = useQueryState();
  const filters = useMemo(() => filtersOf(query), [query]);
  const viewKey = JSON.stringify(filters);
  const { data: counts } = useQuery(countsQuery(client, filters.formId));
  const allForms = useForms();
  const hasOtherStatuses = counts === undefined || counts.all > counts.inbox + counts.archived;
  const sorting: SortInput = { filters, forms: canChange ? allForms.data : undefined, hasOtherStatuses };
  const partsKey = JSON.stringify(partsOf(sorting));
  const parts = useMemo<ReturnType<typeof partsOf>>(() => JSON.parse(partsKey), [partsKey]);
  const list = useSubmissions(filters, parts);
  const openedId = Number(query.get("open")) || null;
  const rows = useRowsWithShown(list.rows, openedId, viewKey);
  return { filters, change, counts, sorting, list, rows, openedId, viewKey };
}

type LatestView = RefObject<Pick<InboxView, "change" | "openedId" | "viewKey"> & { isMounted: boolean }>;

/** The view of the last render, for callbacks that outlive a render. */
function useLatestView({ change, openedId, viewKey }: InboxView): LatestView {
  const latest = useRef({ change, openedId, viewKey, isMounted: true });
  latest.current = { change, openedId, viewKey, isMounted: true };
  useEffect(
    () => () => {
      latest.current.isMounted = false;
    },
    [],
  );
  return latest;
}

/** Position of the current row, and functions that move the focus. */
interface Navigation {
  readonly currentId: number | null;
  readonly currentIndex: number;
  open(id: number): void;
  setFocusedId(id: number | null): void;
  requestFocus(): void;
  onEmpty(): void;
}

function useMove({ rows }: InboxView, selection: Selection, navigation: Navigation): Inbox["move"] {
  const canChange = useCanChange();
  const { currentId, currentIndex, open, setFocusedId, requestFocus } = navigation;
  return (by, { isFocusOnly, isExtending }) => {
    // Without a current row, `currentIndex` is -1, the position before the first row.
    const row = rows[Math.min(rows.length - 1, Math.max(0, currentIndex + by))];
    if (row === undefined) return;
    if (isExtending && canChange) selection.extendTo(row.id, currentId);
    if (isFocusOnly) setFocusedId(row.id);
    else open(row.id);
    requestFocus();
  };
}

/** The commands that change or delete submissions. */
function useCommands(
  { filters, change, list, rows, openedId, viewKey }: InboxView,
  { shown, selection, latest }: Pick<Inbox, "shown" | "selection"> & { readonly latest: LatestView },
  { open, setFocusedId, requestFocus, onEmpty }: Navigation,
): Pick<Inbox, "apply" | "remove"> {
  /**
   * If the shown submission leaves the view, shows the next one, or else the previous one. If no submission is shown,
   * only moves the focus.
   */
  const advance = (leaves: (submission: Submission) => boolean) => {
    const left = shown.submission ?? (openedId === null ? rows.find(leaves) : undefined);
    if (left === undefined || !leaves(left)) return;
    const next = successor(rows, left.id, leaves);
    if (openedId === null) setFocusedId(next?.id ?? null);
    else change({ open: next === null ? null : String(next.id) });
    if (next === null) onEmpty();
    else requestFocus();
  };
  return {
    apply(verb, submissions) {
      const changed = submissions.map(list.current).filter(({ status }) => VERBS[verb].isOffered(status));
      if (changed.length === 0) return;
      const ids = new Set(changed.map(({ id }) => id));
      list.apply(verb, changed, () => {
        const now = latest.current;
        if (now.isMounted && now.viewKey === viewKey && openedId !== null && ids.has(openedId)) open(openedId);
      });
      selection.clear();
      // The user writes the reply next, so the submission stays open.
      if (verb === "replied") return;
      advance((row) => ids.has(row.id) && !belongsTo({ ...row, status: statusAfter(verb, row) }, filters.view));
    },
    remove(submissions) {
      const ids = new Set(submissions.map(({ id }) => id));
      advance(({ id }) => ids.has(id));
      list.remove([...ids]);
      selection.clear();
    },
  };
}
