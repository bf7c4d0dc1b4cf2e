/** Frames around the selected fields in the preview, and the tools that act on all of them. */
import { type ReactNode, type RefObject, useLayoutEffect, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { px } from "./canvas-drop.tsx";
import type { Box } from "./model/drop-place.ts";
import { type LiveSelection, useSelectedKeys } from "./selection.ts";
import { FIELD_DRAG, joinNames } from "./use-field-actions.ts";

export interface CanvasTools {
  duplicate(names: readonly string[]): void;
  remove(names: readonly string[]): void;
  /** Leads to the field types; a chosen one is added after the field. */
  addAfter(name: string): void;
}

export interface CanvasMarkProps {
  readonly selection: LiveSelection;
  /** Returns the current box of a field; null for a field that the preview does not show. */
  readonly boxOf: (name: string) => Box | null;
  readonly labelOf: (name: string) => string;
  /** Set to a function that moves the frames to the fields' current positions. */
  readonly moveMark: RefObject<() => void>;
  readonly tools: CanvasTools;
}

interface Mark {
  readonly name: string;
  readonly box: Box;
}

const SIDES = ["left", "top", "width", "height"] as const;

const isEqual = (one: readonly Mark[], other: readonly Mark[]): boolean =>
  one.length === other.length &&
  one.every(({ name, box }, index) => {
    const mark = other[index];
    return mark?.name === name && SIDES.every((side) => mark.box[side] === box[side]);
  });

export function CanvasMark({ selection, boxOf, labelOf, moveMark, tools }: CanvasMarkProps): ReactNode {
  const t = useText();
  const keys = useSelectedKeys(selection);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  useLayoutEffect(() => {
    moveMark.current = () =>
      setMarks((before) => {
        const next = [...keys].flatMap((name): readonly Mark[] => {
          const box = boxOf(name);
          return box === null ? [] : [{ name, box }];
        });
        return isEqual(before, next) ? before : next;
      });
    moveMark.current();
  }, [boxOf, keys, moveMark]);
  const names = marks.map(({ name }) => name);
  const label = names.map(labelOf).join(", ");
  return marks.map(({ name, box }, index) => (
    <div key={name} className="build-mark" style={px(box)}>
      {index > 0 ? null : (
        <div className="build-tools" role="toolbar" aria-label={t("build.toolsFor", { name: label })}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard moves fields in the outline. */}
          <span
            className="build-mark-handle"
            draggable
            title={t("build.drag", { name: label })}
            onDragStart={(event) => {
              event.dataTransfer.setData(FIELD_DRAG, joinNames(names));
              event.dataTransfer.setData("text/plain", label);
              event.dataTransfer.effectAllowed = "move";
            }}
          >
            ⠿
          </span>
          <IconButton icon="copy" label={t("build.duplicate")} onPress={() => tools.duplicate(names)} />
          <IconButton icon="trash" label={t("common.delete")} onPress={() => tools.remove(names)} />
        </div>
      )}
      {marks.length > 1 ? null : (
        <span className="build-insert">
          <IconButton icon="plus" label={t("build.addHere")} onPress={() => tools.addAfter(name)} />
        </span>
      )}
    </div>
  ));
}
