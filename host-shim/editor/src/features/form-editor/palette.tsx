/** What can be added: search first, Enter puts the first one found behind what is chosen. */
import { memo, type ReactNode, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { useText } from "../../text/text.tsx";
import { SearchField } from "../../ui/fields.tsx";
import type { FieldType } from "./model/content.ts";
import { newField, PALETTE } from "./model/field-types.ts";
import type { Target } from "./model/tree.ts";
import type { Editor } from "./use-editor.ts";

/** What drags from here carry. */
export const TYPE_DRAG = "application/x-cf-field-type";

export interface PaletteProps {
  readonly editor: Editor;
  readonly target: Target;
  readonly onAdded: (name: string) => void;
}

export const Palette = memo(function Palette({ editor, target, onAdded }: PaletteProps): ReactNode {
  const t = useText();
  const [words, setWords] = useState("");
  const found = PALETTE.filter(({ type, text }) => `${type} ${t(text)}`.toLowerCase().includes(words.trim().toLowerCase()));
  const { dragAndDropHooks } = useDragAndDrop({ getItems: (keys) => [...keys].map((key) => ({ [TYPE_DRAG]: String(key), "text/plain": String(key) })) });
  const add = (type: FieldType) => {
    const entry = PALETTE.find((own) => own.type === type);
    if (entry === undefined) return;
    const names = new Set(editor.content.schema.fields.map(({ name }) => name));
    const field = newField(type, t(entry.text), [1, 2, 3].map((number) => t("build.option", { number })), names);
    editor.run({ kind: "add", fields: [field], target });
    onAdded(field.name);
  };
  return (
    <div className="build-palette" onKeyDown={(event) => {
      const [first] = found;
      if (event.key !== "Enter" || words === "" || first === undefined || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      add(first.type);
      setWords("");
    }}>
      <SearchField label={t("build.search")} value={words} onChange={setWords} />
      <ListBox className="build-types" aria-label={t("build.palette")} items={found.map((entry) => ({ ...entry, id: entry.type }))} dragAndDropHooks={dragAndDropHooks} onAction={(key) => add(key as FieldType)} layout="grid">
        {({ type, text }) => <ListBoxItem id={type} className="build-type" textValue={t(text)}>{t(text)}</ListBoxItem>}
      </ListBox>
    </div>
  );
});
