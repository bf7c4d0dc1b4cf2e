/** Edits of the rows of options, with the focus and the announcement that follow an edit. */
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Option } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";

/** Number of rows that are shown at first. */
const SHOWN_ROWS = 60;

export interface OptionEdits {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly shownRows: number;
  readonly showMore: () => void;
  /** Description of the last move, for screen readers. */
  readonly announcement: string;
  /** Replaces the options. Changes with the same merge key are one undo step. */
  readonly set: (options: readonly Option[], mergeKey?: string | null) => void;
  /** Inserts options with these labels, except those whose value another option has. */
  readonly insert: (at: number, labels: readonly string[]) => void;
  /** Inserts an option with a label that no other has. */
  readonly insertEmpty: (at: number) => void;
  readonly remove: (at: number) => void;
  readonly move: (from: number, to: number) => void;
}

export function useOptionEdits(
  options: readonly Option[],
  onChange: (options: readonly Option[], mergeKey: string | null) => void,
): OptionEdits {
  const t = useText();
  const [shownRows, setShownRows] = useState(SHOWN_ROWS);
  const [announcement, setAnnouncement] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const focusRow = useNextFocus(list);
  const set = (next: readonly Option[], mergeKey: string | null = null) => onChange(next, mergeKey);
  const insert = (at: number, labels: readonly string[]) => {
    const added = labels.map((text) => ({ value: text, label: text }));
    const values = new Set(options.map(({ value }) => value));
    const fresh = added.filter(
      ({ value }, index) => !values.has(value) && added.findIndex((one) => one.value === value) === index,
    );
    if (fresh.length === 0) return;
    focusRow(at + fresh.length - 1);
    setShownRows((rows) => Math.max(rows, at + fresh.length));
    set(options.toSpliced(at, 0, ...fresh));
  };
  const insertEmpty = (at: number) => {
    const values = new Set(options.flatMap(({ value, label: text }) => [value, text]));
    let number = options.length + 1;
    while (values.has(t("build.option", { number }))) number += 1;
    insert(at, [t("build.option", { number })]);
  };
  const remove = (at: number) => {
    focusRow(Math.min(at, options.length - 2));
    set(options.toSpliced(at, 1));
  };
  const move = (from: number, to: number) => {
    const moved = options[from];
    if (moved === undefined || to === from || to < 0 || to >= options.length) return;
    const next = options.toSpliced(from, 1).toSpliced(to, 0, moved);
    const before = next[to - 1];
    const where = before === undefined ? t("build.positionFirst") : t("build.positionAfter", { name: nameOf(before) });
    setAnnouncement(t("build.announceMoved", { name: nameOf(moved), where }));
    set(next);
  };
  const showMore = () => setShownRows(shownRows + 5 * SHOWN_ROWS);
  return { list, shownRows, showMore, announcement, set, insert, insertEmpty, remove, move };
}

const nameOf = ({ label, value }: Option): string => label || value;

/** Returns a function that requests the focus for the input of a row, once it is rendered. */
function useNextFocus(list: RefObject<HTMLUListElement | null>): (row: number) => void {
  const nextFocus = useRef<number | null>(null);
  useEffect(() => {
    if (nextFocus.current === null) return;
    const input = list.current?.querySelector<HTMLInputElement>(`[data-row="${nextFocus.current}"] input`);
    nextFocus.current = null;
    input?.focus();
    input?.select();
  });
  return (row) => {
    nextFocus.current = row;
  };
}
