/** State of an editable text with chips. The browser edits the elements; this hook reads and inserts elements. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { chipOf, inlineNodes, type LabelOf, shownNodes, storedText, type TextFormat } from "./answer-markup.ts";
import { rangeIn, select } from "./text-selection.ts";

export interface AnswerText {
  /** The editable element. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Reads the changed text and passes it to `onChange`. */
  emit(): void;
  /** Focuses the text and restores the last selection. */
  focus(): void;
  /** Inserts the chip of an answer at the caret. Removes the “/” that opened the list of answers. */
  putAnswer(name: string, label: string): void;
  /** Inserts a plain text at the caret. Names of answers in brackets become chips. */
  putText(text: string): void;
  /** Links the selected text, or inserts a link if no text is selected. */
  putLink(address: string): void;
}

export interface AnswerTextOptions {
  readonly value: string;
  readonly format: TextFormat;
  readonly labelOf: LabelOf;
  readonly onChange: (value: string) => void;
}

/** Remembers the last selection in the text, because focusing a button or a popover ends the selection. */
function useSelection(box: RefObject<HTMLDivElement | null>): { range: RefObject<Range | null>; remember: () => void } {
  const range = useRef<Range | null>(null);
  const remember = () => {
    if (box.current !== null) range.current = rangeIn(box.current) ?? range.current;
  };
  useEffect(() => {
    document.addEventListener("selectionchange", remember);
    return () => document.removeEventListener("selectionchange", remember);
  });
  return { range, remember };
}

export function useAnswerText({ value, format, labelOf, onChange }: AnswerTextOptions): AnswerText {
  const box = useRef<HTMLDivElement>(null);
  const { range, remember } = useSelection(box);
  const emitted = useRef<string | null>(null);
  // The elements are replaced only if another component changed the value, for example by an undo.
  useLayoutEffect(() => {
    if (box.current === null || emitted.current === value) return;
    emitted.current = value;
    box.current.replaceChildren(...shownNodes(value, format, labelOf));
    range.current = null;
  });

  const emit = () => {
    if (box.current === null) return;
    const text = storedText(box.current, format);
    emitted.current = text;
    remember();
    onChange(text);
  };
  const focus = () => {
    box.current?.focus();
    if (box.current !== null && range.current !== null) select(box.current, range.current);
  };
  const put = (nodes: readonly Node[]) => {
    const last = nodes.at(-1);
    if (box.current === null || last === undefined) return;
    const at = range.current ?? endOf(box.current);
    at.deleteContents();
    for (const node of nodes.toReversed()) at.insertNode(node);
    const after = document.createRange();
    after.setStartAfter(last);
    range.current = after;
    focus();
    emit();
  };
  return {
    box,
    emit,
    focus,
    putAnswer(name, label) {
      removeSlash(range.current);
      put([chipOf(name, label)]);
    },
    putText(text) {
      remember();
      put(pastedNodes(text, format, labelOf));
    },
    putLink(address) {
      focus();
      if (range.current === null || range.current.collapsed) return put([linkTo(address)]);
      document.execCommand("createLink", false, address);
      emit();
    },
  };
}

function pastedNodes(text: string, format: TextFormat, labelOf: LabelOf): readonly Node[] {
  const lineEnd = () => (format === "line" ? document.createTextNode(" ") : document.createElement("br"));
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.flatMap((line, index) => [...(index === 0 ? [] : [lineEnd()]), ...inlineNodes(line, labelOf)]);
}

function linkTo(address: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = address;
  return link;
}

/** The position at the end of the text. */
function endOf(box: HTMLElement): Range {
  const line = box.lastElementChild;
  const range = document.createRange();
  range.selectNodeContents(line?.tagName === "DIV" ? line : box);
  range.collapse(false);
  return range;
}

/** Removes the “/” before the caret. */
function removeSlash(range: Range | null): void {
  if (range === null || !range.collapsed || !(range.startContainer instanceof Text)) return;
  const { startContainer: text, startOffset: offset } = range;
  if (text.data.charAt(offset - 1) === "/") text.deleteData(offset - 1, 1);
}

/**
 * Whether the caret is at the start of a word. There, “/” opens the list of answers; elsewhere, “/” is part of a text
 * such as “and/or”.
 */
export function isAtWordStart(box: HTMLElement | null): boolean {
  const range = box === null ? null : rangeIn(box);
  if (range === null) return false;
  const { startContainer: node, startOffset: offset } = range;
  return !(node instanceof Text) || offset === 0 || /\s/.test(node.data.charAt(offset - 1));
}
