/** Editing of the form's texts in place: which text is open, and which one follows. */
import { type RefObject, useCallback, useRef, useState } from "react";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { documentOf, elementsOf, type Frame } from "./canvas-page.ts";
import type { FocusTarget } from "./editable-text-input.tsx";
import { type EditableText, editableTextsOf, textAtPoint } from "./editable-texts.ts";
import { type LiveSelection, onlyKey } from "./selection.ts";
import type { Draft } from "../../shared/draft/draft.ts";

export interface TextEditing {
  /** The text that is being edited; null for none. */
  readonly editedText: EditableText | null;
  /** Opens the text at a point of the page. */
  openAt(x: number, y: number): void;
  /** Opens the first text of a field. Null opens the first text outside the fields, or else the first of all. */
  openField(name: string | null): void;
  /** Stores the text, unless null, and moves the focus. Returns false when the text stays open. */
  finish(edited: EditableText, text: string | null, to: FocusTarget): boolean;
  /** Finds the edited text again, since it may have moved. */
  follow(): void;
}

export function useTextEditing(
  frame: Frame,
  container: RefObject<HTMLElement | null>,
  editor: Draft,
  selection: LiveSelection,
  onSelect: (name: string) => void,
): TextEditing {
  const t = useText();
  const notices = useNotices();
  const { form, current, live } = editor;
  const [editedText, setEditedText] = useState<EditableText | null>(null);
  const texts = useCallback((): readonly EditableText[] => {
    const page = documentOf(frame);
    return page === null ? [] : editableTextsOf(page, current(), form, live.content.schema, elementsOf(page));
  }, [frame, current, form, live]);

  const { open, returnFocus } = useOpen(container, selection, onSelect, [editedText, setEditedText]);

  const finish = (edited: EditableText, text: string | null, to: FocusTarget): boolean => {
    const order = texts().map(({ id }) => id);
    const command = text === null ? null : edited.commandFor(text, current());
    if (text !== null && command === null) {
      notices.show(t("build.wordTaken", { text }));
      if (to !== "away") return false;
    }
    if (text !== null && command !== null) {
      edited.write(text);
      editor.run(command);
    }
    const at = order.indexOf(edited.id);
    const id = typeof to === "number" && at >= 0 ? order[at + to] : undefined;
    const next = id === undefined ? undefined : texts().find((candidate) => candidate.id === id);
    setEditedText(null);
    if (next !== undefined) open(next);
    // After a click elsewhere, the clicked element already has the focus.
    else if (to !== "away") (returnFocus.current as HTMLElement | null)?.focus?.();
    return true;
  };

  return {
    editedText,
    openAt: (x, y) => open(textAtPoint(texts(), x, y)),
    openField: useCallback(
      (name) => {
        const all = texts();
        const first = all.find(({ field }) => field === name) ?? (name === null ? all[0] : undefined);
        if (first === undefined && name !== null) notices.show(t("build.noWords"));
        open(first);
      },
      [open, notices, t, texts],
    ),
    finish,
    follow: useCallback(
      () =>
        setEditedText((before) => (before === null ? null : (texts().find(({ id }) => id === before.id) ?? before))),
      [texts],
    ),
  };
}

/** Returns the function that opens a text, and the element that had the focus before the first one was open. */
function useOpen(
  container: RefObject<HTMLElement | null>,
  selection: LiveSelection,
  onSelect: (name: string) => void,
  [editedText, setEditedText]: readonly [EditableText | null, (next: EditableText) => void],
) {
  const returnFocus = useRef<Element | null>(null);
  const open = useCallback(
    (next: EditableText | undefined) => {
      if (next === undefined) return;
      // In a shadow root, `document.activeElement` is only the host element.
      if (editedText === null)
        returnFocus.current =
          (container.current?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement ?? null;
      if (next.field !== null && next.field !== onlyKey(selection.now())) onSelect(next.field);
      setEditedText(next);
    },
    [container, selection, onSelect, editedText, setEditedText],
  );
  return { open, returnFocus };
}
