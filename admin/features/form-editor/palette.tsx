/** Palette: tiles of field types in groups, or those that match a search, the best match first. */
import { memo, type ReactNode } from "react";
import { Header, ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { useText } from "../../shared/text/text.tsx";
import type { Target } from "../../shared/draft/tree.ts";
import { itemsFor, type PaletteItem, usePaletteItems } from "./palette-items.ts";
import { TypeIcon } from "./type-icon.tsx";
import { type FieldActions, TYPE_DRAG } from "./use-field-actions.ts";

export interface PaletteProps {
  readonly words: string;
  readonly actions: FieldActions;
  readonly findTarget: () => Target;
}

export default memo(function Palette({ words, actions, findTarget }: PaletteProps): ReactNode {
  const t = useText();
  const items = usePaletteItems();
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({
        [TYPE_DRAG]: String(key),
        "text/plain": items.find(({ id }) => id === key)?.label ?? "",
      })),
  });
  const tile = ({ id, label, type }: PaletteItem): ReactNode => (
    <ListBoxItem key={id} id={id} className="build-type" textValue={label}>
      <TypeIcon type={type} />
      <span className="clip">{label}</span>
    </ListBoxItem>
  );
  const found = words === "" ? [] : itemsFor(words, items);
  const groups = [...new Set(items.map(({ group }) => group))];
  return (
    <ListBox
      className="build-types"
      aria-label={t("build.fieldTypes")}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => actions.addType(String(key), findTarget())}
      layout="grid"
      renderEmptyState={() => <p className="help">{t("build.noType", { words })}</p>}
    >
      {words === ""
        ? groups.map((group) => (
            <ListBoxSection key={group} id={`group:${group}`} className="build-type-group">
              <Header className="build-group-title">{t(`build.group.${group}`)}</Header>
              {items.filter((item) => item.group === group).map(tile)}
            </ListBoxSection>
          ))
        : found.map(tile)}
    </ListBox>
  );
});
