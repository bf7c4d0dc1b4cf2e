/**
 * Keys, pointers and the clipboard in the outline. The outline's element receives keys and presses before the grid
 * inside it.
 */
import type { ClipboardEvent, HTMLAttributes, KeyboardEvent, MouseEvent, PointerEvent, SyntheticEvent } from "react";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { targetAt } from "./model/rows.ts";
import type { OutlineProps, OutlineRows } from "./outline-rows.ts";
import type { RowCommands } from "./use-row-commands.ts";

type Listeners = HTMLAttributes<HTMLElement>;

/**
 * Whether an event comes from the outline's DOM. Through React's tree, events of menus and dialogs outside the outline
 * also bubble here.
 */
const isInOutline = ({ currentTarget, target }: Pick<SyntheticEvent, "currentTarget" | "target">): boolean =>
  currentTarget.contains(target as Node);

/** The key of the row that an event is on; empty for none. */
const keyAt = (target: Element): string => target.closest("[data-key]")?.getAttribute("data-key") ?? "";

/** Returns the listeners for keys and pointers: they select, move, remove and edit rows. */
export function pressListeners(
  { selection, onEditText, onRemove }: OutlineProps,
  { rowOf }: OutlineRows,
  { shift }: RowCommands,
): Listeners {
  const { live } = selection;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isInOutline(event)) return;
    selection.flush();
    const row = rowOf(keyAt(event.target as Element));
    if (event.key === "Delete" || event.key === "Backspace") onRemove([...live.now()]);
    else if (event.key === "Enter" && row?.field != null && (event.target as Element).role === "row")
      onEditText(row.id);
    else if (event.altKey && row !== undefined && (event.key === "ArrowUp" || event.key === "ArrowDown"))
      shift(row, event.key === "ArrowUp" ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Selects at once. React Aria would wait for a possible drag and re-render every row.
  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as Element;
    const row = rowOf(keyAt(target));
    if (!isInOutline(event) || row === undefined) return;
    if (
      event.pointerType !== "mouse" ||
      event.button !== 0 ||
      event.shiftKey ||
      event.ctrlKey ||
      event.metaKey ||
      target.closest("button") !== null
    ) {
      selection.flush();
      return;
    }
    // The press may begin a drag of several selected rows.
    if (!live.now().has(row.id)) selection.show(new Set([row.id]));
  };
  const onDoubleClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = rowOf(keyAt(target));
    if (isInOutline(event) && row?.field != null && target.closest("button") === null) onEditText(row.id);
  };
  return { onKeyDownCapture: onKeyDown, onPointerDownCapture: onPointerDown, onDoubleClick };
}

/** Returns the listeners for the clipboard: fields are copied and pasted as text. */
export function useClipboardListeners(
  { actions, selection: { live } }: OutlineProps,
  { rows, rowOf }: OutlineRows,
): Listeners {
  const t = useText();
  const notices = useNotices();
  const onCopy = (event: ClipboardEvent) => {
    if (live.now().size === 0 || !isInOutline(event)) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", actions.serialize([...live.now()]));
    notices.show(t("common.copied"));
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isInOutline(event)) return;
    event.preventDefault();
    const row = rowOf([...live.now()].at(-1) ?? "") ?? rows.at(-1);
    actions.paste(
      event.clipboardData.getData("text/plain"),
      row === undefined ? { step: null, group: null, after: null } : targetAt(rows, row.id, "after"),
    );
  };
  return { onCopy, onPaste };
}
