/** Reordering of rows by dragging their handles, or by the arrow keys on a handle. */
import { type HTMLAttributes, type RefObject, useState } from "react";

interface RowDrag {
  readonly from: number;
  /** Position before which the row would land. */
  readonly before: number;
}

export interface RowDragState {
  /** Dragged row; null if there is none. */
  readonly from: number | null;
  readonly dropSide: (at: number) => "before" | "after" | undefined;
  readonly handleProps: (at: number) => HTMLAttributes<HTMLButtonElement>;
}

export function useRowDrag(
  list: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
): RowDragState {
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const rows = (): readonly HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const positionAt = (y: number): number => {
    const at = rows().findIndex((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    return at < 0 ? rows().length : at;
  };
  const focusHandle = (at: number) =>
    requestAnimationFrame(() => rows()[at]?.querySelector<HTMLElement>("button")?.focus());
  return {
    from: drag?.from ?? null,
    dropSide(at) {
      if (drag === null || drag.before === drag.from || drag.before === drag.from + 1) return undefined;
      if (drag.before === at) return "before";
      return drag.before === at + 1 && at + 1 === rows().length ? "after" : undefined;
    },
    handleProps: (at) => ({
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: at, before: at });
      },
      onPointerMove({ clientY }) {
        const before = drag === null ? null : positionAt(clientY);
        if (drag !== null && before !== null && before !== drag.before) setDrag({ ...drag, before });
      },
      onPointerUp() {
        if (drag !== null) onMove(drag.from, drag.before > drag.from ? drag.before - 1 : drag.before);
        setDrag(null);
      },
      onPointerCancel: () => setDrag(null),
      onKeyDown(event) {
        const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
        if (event.key === "Escape") setDrag(null);
        if (by === 0 || at + by < 0 || at + by >= rows().length) return;
        event.preventDefault();
        onMove(at, at + by);
        focusHandle(at + by);
      },
    }),
  };
}
