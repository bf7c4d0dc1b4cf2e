/** Drag and drop in the outline: rows move, types of the palette are added. */
import { type DragAndDropHooks, type DropItem, useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { targetAt } from "./model/rows.ts";
import type { OutlineRows } from "./outline-rows.ts";
import { FIELD_DRAG, type FieldActions, namesIn, TYPE_DRAG } from "./use-field-actions.ts";

export function useOutlineDrag({ rows, groups, rowOf }: OutlineRows, actions: FieldActions): DragAndDropHooks {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({ "text/plain": rowOf(String(key))?.label ?? "", [FIELD_DRAG]: String(key) })),
    acceptedDragTypes: [TYPE_DRAG, FIELD_DRAG],
    getDropOperation: (_target, types) => (types.has(TYPE_DRAG) ? "copy" : "move"),
    shouldAcceptItemDrop: ({ key }) => groups.some(({ name }) => name === key),
    onReorder: ({ keys, target }) =>
      actions.move([...keys].map(String), targetAt(rows, String(target.key), target.dropPosition)),
    onItemDrop: ({ items, target }) => drop(items, String(target.key), "on"),
    onInsert: ({ items, target }) => drop(items, String(target.key), target.dropPosition),
    onRootDrop: ({ items }) => drop(items, rows.at(-1)?.id ?? "", "after"),
  });
  async function drop(items: readonly DropItem[], key: string, position: "before" | "after" | "on"): Promise<void> {
    const target = targetAt(rows, key, position);
    const moved: string[] = [];
    for (const item of items) {
      if (item.kind !== "text") continue;
      if (item.types.has(TYPE_DRAG)) actions.addType(await item.getText(TYPE_DRAG), target);
      else if (item.types.has(FIELD_DRAG)) moved.push(...namesIn(await item.getText(FIELD_DRAG)));
    }
    actions.move(moved, target);
  }
  return dragAndDropHooks;
}
