/** Palette of field types with a search; Enter adds the first result after the selection. */
import { memo, type ReactNode, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { useEditorParts } from "./editor-parts.ts";
import { PALETTE, typeName } from "./model/field-types.ts";
import type { Target } from "../../shared/draft/tree.ts";
import { type FieldActions, TYPE_DRAG } from "./use-field-actions.ts";

export interface PaletteProps {
  readonly actions: FieldActions;
  readonly target: Target;
}

export const Palette = memo(function Palette({ actions, target }: PaletteProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const [words, setWords] = useState("");
  const { types } = useEditorParts();
  const all = [...PALETTE.map(({ id }) => ({ id: id as string, label: typeName(id, language) })), ...types];
  const normalized = (text: string): string => text.trim().toLowerCase().replaceAll("-", "");
  // Matches at the beginning of a word come first: "one" finds "One choice" before "Phone".
  const rank = ({ id, label }: { readonly id: string; readonly label: string }): number => {
    const query = normalized(words);
    const text = ` ${normalized(label)} ${normalized(id)}`;
    return text.includes(` ${query}`) ? 0 : text.includes(query) ? 1 : 2;
  };
  const found = all.filter((type) => rank(type) < 2).sort((one, other) => rank(one) - rank(other));
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({
        [TYPE_DRAG]: String(key),
        "text/plain": all.find(({ id }) => id === key)?.label ?? "",
      })),
  });
  return (
    <search
      className="build-palette"
      onKeyDown={(event) => {
        const [first] = found;
        if (event.key !== "Enter" || words === "" || first === undefined || !(event.target instanceof HTMLInputElement))
          return;
        event.preventDefault();
        actions.addType(first.id, target);
        setWords("");
      }}
    >
      <SearchField label={t("build.search")} value={words} onChange={setWords} />
      <ListBox
        className="build-types"
        aria-label={t("build.palette")}
        items={found}
        dragAndDropHooks={dragAndDropHooks}
        onAction={(key) => actions.addType(String(key), target)}
        layout="grid"
      >
        {({ id, label }) => (
          <ListBoxItem id={id} className="build-type" textValue={label}>
            {label}
          </ListBoxItem>
        )}
      </ListBox>
    </search>
  );
});
