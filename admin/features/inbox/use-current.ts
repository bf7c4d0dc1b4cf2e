/** The list around the shown submission, and the selection. */
import { useCallback, useMemo, useRef, useState } from "react";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { submissionQuery } from "../../shared/api/resources.ts";
import type { Submission } from "../../../client/index.ts";

/** Position of a submission in the list when it was last seen there. */
interface Place {
  readonly row: Submission;
  readonly index: number;
}

/**
 * Returns the rows, with the shown submission at its last known position. A submission that was read in the view Unread
 * is no longer part of the view when the list is loaded again, but stays in the list as long as it is shown.
 */
export function useRowsWithShown(
  rows: readonly Submission[],
  shownId: number | null,
  viewKey: string,
): readonly Submission[] {
  const place = useRef<(Place & { readonly viewKey: string }) | null>(null);
  return useMemo(() => {
    const index = rows.findIndex(({ id }) => id === shownId);
    const row = rows[index];
    if (row !== undefined) {
      place.current = { row, index, viewKey };
      return rows;
    }
    const last = place.current;
    if (last === null || last.row.id !== shownId || last.viewKey !== viewKey) return rows;
    return rows.toSpliced(last.index, 0, last.row);
  }, [rows, shownId, viewKey]);
}

/**
 * Reads the shown submission. Until the submission has loaded, its row is shown, so that moving through the list never
 * waits.
 */
export function useShown(
  id: number | null,
  rows: readonly Submission[],
): { readonly query: UseQueryResult<Submission>; readonly submission: Submission | null } {
  const client = useClient();
  const row = rows.find((listed) => listed.id === id);
  const query = useQuery({
    ...submissionQuery(client, id ?? 0),
    enabled: id !== null,
    ...(row === undefined ? {} : { placeholderData: row }),
  });
  const { data } = query;
  if (id === null || data === undefined) return { query, submission: null };
  // The row has optimistic updates that the query does not have yet.
  const { status, is_spam, starred } = row ?? data;
  return { query, submission: { ...data, status, is_spam, starred } };
}

/**
 * Returns the submission to show after some leave the list: the next remaining one, else the previous one, else null.
 */
export function successor(
  rows: readonly Submission[],
  currentId: number,
  leaves: (submission: Submission) => boolean,
): Submission | null {
  const index = rows.findIndex(({ id }) => id === currentId);
  const isStaying = (row: Submission) => !leaves(row);
  return rows.slice(index + 1).find(isStaying) ?? rows.slice(0, Math.max(0, index)).findLast(isStaying) ?? null;
}

export interface Selection {
  readonly ids: ReadonlySet<number>;
  toggle(id: number): void;
  /** Also selects the rows between the last toggled one, or else `fallback`, and this one. */
  extendTo(id: number, fallback: number | null): void;
  set(ids: Iterable<number>): void;
  clear(): void;
}

/** Selected rows, and the row that a range starts at. */
export function useSelection(rows: readonly Submission[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const anchor = useRef<number | null>(null);
  const latest = useRef(rows);
  latest.current = rows;
  const toggle = useCallback((id: number) => {
    anchor.current = id;
    setIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const extendTo = useCallback((id: number, fallback: number | null) => {
    const indexOf = (wanted: number | null) => latest.current.findIndex((row) => row.id === wanted);
    const to = indexOf(id);
    const start = indexOf(anchor.current) >= 0 ? anchor.current : fallback;
    const from = indexOf(start) >= 0 ? indexOf(start) : to;
    if (to < 0) return;
    anchor.current = latest.current[from]?.id ?? id;
    const range = latest.current.slice(Math.min(from, to), Math.max(from, to) + 1);
    setIds((before) => new Set([...before, ...range.map((row) => row.id)]));
  }, []);
  const set = useCallback((chosen: Iterable<number>) => setIds(new Set(chosen)), []);
  const clear = useCallback(() => {
    anchor.current = null;
    setIds((before) => (before.size === 0 ? before : new Set()));
  }, []);
  return useMemo(() => ({ ids, toggle, extendTo, set, clear }), [ids, toggle, extendTo, set, clear]);
}
