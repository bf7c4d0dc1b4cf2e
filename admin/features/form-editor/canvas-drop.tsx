/** Layer over the preview: a click selects the field below it, and a drop adds or moves fields to the drawn line. */
import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { DropZone } from "react-aria-components/DropZone";
import type { DropItem } from "react-aria-components/useDragAndDrop";
import { useText } from "../../shared/text/text.tsx";
import { type Box, type DropPlace, dropPlaceAt, fieldAt, type FieldBox } from "./model/drop-place.ts";
import type { Target } from "../../shared/draft/tree.ts";
import type { SelectMode } from "./selection.ts";
import { FIELD_DRAG, type FieldActions, namesIn, TYPE_DRAG } from "./use-field-actions.ts";

export interface CanvasDropProps {
  /** Scale of the preview. */
  readonly scale: number;
  /** Returns the current boxes of the fields in the preview. */
  readonly boxesOf: () => readonly FieldBox[];
  readonly actions: FieldActions;
  /** Returns the position for a drop by keyboard and for pasted fields. */
  readonly findTarget: () => Target;
  readonly onSelect: (name: string, how: SelectMode) => void;
  /** Called for a click outside all fields. */
  readonly onClear: () => void;
}

/** Position of a box as a style. */
export const px = ({ left, top, width, height }: Box) => ({
  left: `${left}px`,
  top: `${top}px`,
  width: `${width}px`,
  height: `${height}px`,
});

/** Content of a drop: types of new fields, names of moved fields, and pasted texts. */
async function dropped(items: readonly DropItem[]) {
  const types: string[] = [];
  const names: string[] = [];
  const texts: string[] = [];
  for (const item of items) {
    if (item.kind !== "text") continue;
    if (item.types.has(TYPE_DRAG)) types.push(await item.getText(TYPE_DRAG));
    else if (item.types.has(FIELD_DRAG)) names.push(...namesIn(await item.getText(FIELD_DRAG)));
    else texts.push(await item.getText("text/plain"));
  }
  return { types, names, texts };
}

export function CanvasDrop({ scale, boxesOf, actions, findTarget, onSelect, onClear }: CanvasDropProps): ReactNode {
  const t = useText();
  const boxes = useRef<readonly FieldBox[]>([]);
  const [place, setPlace] = useState<DropPlace | null>(null);
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    const field = fieldAt(boxesOf(), (event.clientX - edge.left) / scale, (event.clientY - edge.top) / scale);
    if (field === null) onClear();
    else onSelect(field.name, event.shiftKey ? "range" : event.ctrlKey || event.metaKey ? "toggle" : "only");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard selects fields in the outline.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard selects fields in the outline.
    <div className="build-drop" onClick={onClick}>
      <DropZone
        className="build-drop-zone"
        aria-label={t("build.dropHere")}
        getDropOperation={(types) =>
          types.has(TYPE_DRAG) ? "copy" : types.has(FIELD_DRAG) ? "move" : types.has("text/plain") ? "copy" : "cancel"
        }
        onDropEnter={() => {
          boxes.current = boxesOf();
        }}
        onDropMove={({ x, y }) => setPlace(dropPlaceAt(boxes.current, x / scale, y / scale))}
        onDropExit={() => setPlace(null)}
        onDrop={({ items }) => {
          const dropTarget = place?.target ?? findTarget();
          const beside = place?.beside ?? null;
          setPlace(null);
          void dropped(items).then(({ types, names, texts }) => {
            for (const type of types) actions.addType(type, dropTarget, beside);
            if (names.length > 0) actions.move(names, dropTarget, beside);
            for (const text of texts) actions.paste(text, dropTarget);
          });
        }}
      />
      {place === null ? null : <div className="build-drop-line" style={px(place.line)} />}
    </div>
  );
}
