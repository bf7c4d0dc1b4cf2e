/** Layer over the preview: a click selects the field below it, and a drop lands where the line shows. */
import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { DropZone } from "react-aria-components/DropZone";
import { useText } from "../../shared/text/text.tsx";
import { type Box, type DropPlace, dropPlaceAt, fieldAt, type FieldBox } from "./model/drop-place.ts";
import type { Target } from "../../shared/draft/tree.ts";
import { type LiveSelection, useOnlySelected } from "./selection.ts";
import { FIELD_DRAG, type FieldActions, TYPE_DRAG } from "./use-field-actions.ts";

export interface CanvasDropProps {
  /** Scale of the preview. */
  readonly scale: number;
  /** Returns the current boxes of the fields in the preview. */
  readonly boxesOf: () => readonly FieldBox[];
  readonly actions: FieldActions;
  /** Position for a drop by keyboard and for pasted fields. */
  readonly target: Target;
  readonly onSelect: (name: string) => void;
  /** Called for a click outside of every field. */
  readonly onClear: () => void;
}

const SIDES = ["left", "top", "width", "height"] as const;
const px = ({ left, top, width, height }: Box) => ({
  left: `${left}px`,
  top: `${top}px`,
  width: `${width}px`,
  height: `${height}px`,
});

export function CanvasDrop({ scale, boxesOf, actions, target, onSelect, onClear }: CanvasDropProps): ReactNode {
  const t = useText();
  const boxes = useRef<readonly FieldBox[]>([]);
  const [place, setPlace] = useState<DropPlace | null>(null);
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    const field = fieldAt(boxesOf(), (event.clientX - edge.left) / scale, (event.clientY - edge.top) / scale);
    if (field === null) onClear();
    else onSelect(field.name);
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
          const dropTarget = place?.target ?? target;
          const beside = place?.beside ?? null;
          setPlace(null);
          for (const item of items) {
            if (item.kind !== "text") continue;
            if (item.types.has(TYPE_DRAG))
              void item.getText(TYPE_DRAG).then((type) => actions.addType(type, dropTarget, beside));
            else if (item.types.has(FIELD_DRAG))
              void item.getText(FIELD_DRAG).then((name) => actions.move([name], dropTarget, beside));
            else void item.getText("text/plain").then((text) => actions.paste(text, dropTarget));
          }
        }}
      />
      {place === null ? null : <div className="build-drop-line" style={px(place.line)} />}
    </div>
  );
}

export interface CanvasMarkProps {
  readonly selection: LiveSelection;
  /** Returns the current box of a field; null for a field that the preview does not show. */
  readonly boxOf: (name: string) => Box | null;
  readonly labelOf: (name: string) => string;
  /** Set to a function that moves the mark to the field's current position. */
  readonly moveMark: RefObject<() => void>;
}

/** Frame around the selected field, with a handle to drag it. */
export function CanvasMark({ selection, boxOf, labelOf, moveMark }: CanvasMarkProps): ReactNode {
  const name = useOnlySelected(selection);
  const [box, setBox] = useState<Box | null>(null);
  useLayoutEffect(() => {
    moveMark.current = () =>
      setBox((before) => {
        const next = name === null ? null : boxOf(name);
        return before !== null && next !== null && SIDES.every((side) => before[side] === next[side]) ? before : next;
      });
    moveMark.current();
  }, [boxOf, name, moveMark]);
  if (name === null || box === null) return null;
  const label = labelOf(name);
  return (
    <div className="build-mark" style={px(box)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard moves fields in the outline. */}
      <span
        className="build-mark-handle"
        draggable
        title={label}
        onDragStart={(event) => {
          event.dataTransfer.setData(FIELD_DRAG, name);
          event.dataTransfer.setData("text/plain", label);
          event.dataTransfer.effectAllowed = "move";
        }}
      >
        ⠿
      </span>
    </div>
  );
}
