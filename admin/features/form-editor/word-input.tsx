/** Words of the preview, changed where they stand: Enter keeps, Escape gives up, Tab goes on to the next ones. */
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import type { Word } from "./words.ts";

/** On to the next word, back, out to where it began, or away because the focus went elsewhere. */
export type Leaving = 1 | -1 | "out" | "away";

export interface WordInputProps {
  readonly word: Word;
  /** How wide the page is. */
  readonly room: number;
  /** What it says now, null where that is given up; false where it cannot say that and stays. */
  readonly onLeave: (text: string | null, to: Leaving) => boolean;
}

export function WordInput({ word: { box, style, isLong, text: before }, room, onLeave }: WordInputProps): ReactNode {
  const t = useText();
  const [text, setText] = useState(before);
  const isDone = useRef(false);
  const leave = (isKept: boolean, to: Leaving) => {
    // What goes from the page loses the focus too.
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
  const width = Math.min(Math.max(box.width + 40, 200), room - left - 4);
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
    // The layer below chooses the field under a click.
    onClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
    onDoubleClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
  };
  return isLong ? <textarea {...common} /> : <input {...common} />;
}
