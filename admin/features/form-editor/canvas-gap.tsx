/**
 * Button between two fields of the preview that adds a field there. It appears in the gap under the pointer. For the
 * keyboard it is one tab stop, and the arrow keys move through all gaps.
 */
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { px } from "./canvas-drop.tsx";
import type { LayoutSignal } from "./layout-signal.ts";
import type { FieldBox } from "./model/drop-place.ts";
import { gapAt, gapsIn } from "./model/gaps.ts";
import { type LiveSelection, onlyKey, useSelectedKeys } from "./selection.ts";

/** Takes the pointer's position in the page; null when the pointer leaves. */
export type CanvasPointer = (point: { readonly x: number; readonly y: number } | null) => void;

export interface CanvasGapProps {
  readonly boxesOf: () => readonly FieldBox[];
  readonly layout: LayoutSignal;
  readonly selection: LiveSelection;
  /** Set to a function that shows the gap under the pointer. */
  readonly onPointer: RefObject<CanvasPointer>;
  readonly labelOf: (name: string) => string;
  readonly onAdd: (name: string) => void;
}

export function CanvasGap({ boxesOf, layout, selection, onPointer, labelOf, onAdd }: CanvasGapProps): ReactNode {
  const t = useText();
  const selected = onlyKey(useSelectedKeys(selection));
  /** Cached boxes, dropped when the layout changes. Reading all boxes on each pointer move would be slow. */
  const boxes = useRef<readonly FieldBox[] | null>(null);
  const gaps = () => gapsIn((boxes.current ??= boxesOf()));
  const [hovered, setHovered] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [, renderAgain] = useState(0);
  useEffect(
    () =>
      layout.subscribe(() => {
        boxes.current = null;
        setHovered(null);
        renderAgain((count) => count + 1);
      }),
    [layout],
  );
  useEffect(() => {
    onPointer.current = (point) => setHovered(point === null ? null : (gapAt(gaps(), point.x, point.y)?.after ?? null));
  });
  const isShown = focused !== null || (hovered !== null && hovered !== selected);
  const all = isShown ? gaps() : [];
  const gap = all.find(({ after }) => after === (hovered ?? focused)) ?? all[0];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined || gap === undefined ? undefined : all[all.indexOf(gap) + step];
    if (step === undefined) return;
    event.preventDefault();
    setHovered(null);
    if (next !== undefined) setFocused(next.after);
  };
  const label = gap === undefined ? t("build.addBetween") : t("build.addAfter", { name: labelOf(gap.after) });
  return (
    <div className="build-gap" data-shown={isShown || undefined} style={gap === undefined ? {} : px(gap.line)}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts="ArrowUp ArrowDown"
        onFocus={() => setFocused(hovered ?? gaps()[0]?.after ?? null)}
        onBlur={() => setFocused(null)}
        onKeyDown={onKeyDown}
        onClick={() => gap !== undefined && onAdd(gap.after)}
      >
        <Icon name="plus" />
      </button>
      <span className="visually-hidden" role="status">
        {focused === null ? "" : label}
      </span>
    </div>
  );
}
