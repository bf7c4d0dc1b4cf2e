/** What can be added: search first, Enter puts the first one found behind what is chosen. */
import { memo, type ReactNode, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { useText } from "../../text/text.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { useEditorParts } from "./editor-parts.ts";
import { PALETTE } from "./model/field-types.ts";
import type { Target } from "./model/tree.ts";
import { type FieldActions, TYPE_DRAG } from "./use-field-actions.ts";

export interface PaletteProps {
  readonly actions: FieldActions;
  readonly target: Target;
}

export const Palette = memo(function Palette({ actions, target }: PaletteProps): ReactNode {
  const t = useText();
  const [words, setWords] = useState("");
  const { types } = useEditorParts();
  const all = [...PALETTE.map(({ type, text }) => ({ id: type as string, label: t(text) })), ...types];
  const found = all.filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(words.trim().toLowerCase()));
  const { dragAndDropHooks } = useDragAndDrop({ getItems: (keys) => [...keys].map((key) => ({ [TYPE_DRAG]: String(key), "text/plain": all.find(({ id }) => id === key)?.label ?? "" })) });
  return (
    <div className="build-palette" onKeyDown={(event) => {
      const [first] = found;
      if (event.key !== "Enter" || words === "" || first === undefined || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      actions.addType(first.id, target);
      setWords("");
    }}>
      <SearchField label={t("build.search")} value={words} onChange={setWords} />
      <ListBox className="build-types" aria-label={t("build.palette")} items={found} dragAndDropHooks={dragAndDropHooks} onAction={(key) => actions.addType(String(key), target)} layout="grid">
        {({ id, label }) => <ListBoxItem id={id} className="build-type" textValue={label}>{label}</ListBoxItem>}
      </ListBox>
    </div>
  );
});
