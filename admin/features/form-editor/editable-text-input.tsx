/** Input that edits a text of the preview in place: Enter saves, Escape cancels, Tab goes to the next text. */
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import type { EditableText } from "./editable-texts.ts";

/**
 * Next focus: 1 and -1 for the next and the previous text, `out` for the element that had the focus before, `away` if
 * the focus has already moved.
 */
export type FocusTarget = 1 | -1 | "out" | "away";

export interface EditableTextInputProps {
  readonly text: EditableText;
  /** Width of the page in pixels. */
  readonly pageWidth: number;
  /** Called with the new text, or null after a cancel. Returns false if the text is invalid and the input stays. */
  readonly onLeave: (text: string | null, to: FocusTarget) => boolean;
}

export function EditableTextInput({
  text: { box, style, isLong, text: before },
  pageWidth,
  onLeave,
}: EditableTextInputProps): ReactNode {
  const t = useText();
  const [text, setText] = useState(before);
  const isDone = useRef(false);
  const leave = (isKept: boolean, to: FocusTarget) => {
    // Removing the input also triggers `blur`.
    if (isDone.current) return;
    isDone.current = true;
    const next = text.trim();
    isDone.current = onLeave(isKept && next !== "" && next !== before ? next : null, to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") leave(false, "out");
    else if (event.key === "Enter" && !event.nativeEvent.isComposing && !(isLong && event.shiftKey)) leave(true, "out");
    else if (event.key === "Tab") leave(true, event.shiftKey ? -1 : 1);
    else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const left = Math.max(0, box.left - 7);
  const width = Math.min(Math.max(box.width + 40, 200), pageWidth - left - 4);
  const common = {
    className: "build-word",
    "aria-label": t("build.wordInput", { text: before }),
    title: t("build.wordKeys"),
    value: text,
    autoFocus: true,
    style: {
      ...style,
      left: `${left}px`,
      top: `${box.top - 5}px`,
      width: `${width}px`,
      height: `${box.height + 10}px`,
    },
    onChange: (event: { readonly target: { readonly value: string } }) => setText(event.target.value),
    onFocus: (event: { readonly target: HTMLInputElement | HTMLTextAreaElement }) => event.target.select(),
    onKeyDown,
    onBlur: () => leave(true, "away"),
    // Without this, the layer below would select the field under a click.
    onClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
    onDoubleClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
  };
  return isLong ? <textarea {...common} /> : <input {...common} />;
}
