/** Frames around the selected fields in the preview, and the tools that act on all of them. */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useState } from "react";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { px } from "./canvas-drop.tsx";
import type { LayoutSignal } from "./layout-signal.ts";
import type { Box } from "./model/drop-place.ts";
import { type LiveSelection, useSelectedKeys } from "./selection.ts";
import { FIELD_DRAG, joinNames } from "./use-field-actions.ts";

export interface CanvasTools {
  duplicate(names: readonly string[]): void;
  remove(names: readonly string[]): void;
  /** Moves fields one place up or down. */
  shift(names: readonly string[], by: 1 | -1): void;
  /** Opens the field types; a chosen type is added after the field. */
  addAfter(name: string): void;
}

export interface CanvasMarkProps {
  readonly selection: LiveSelection;
  /** Returns the current box of a field; null for a field that the preview does not show. */
  readonly boxOf: (name: string) => Box | null;
  readonly labelOf: (name: string) => string;
  readonly layout: LayoutSignal;
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

export function CanvasMark({ selection, boxOf, labelOf, layout, tools }: CanvasMarkProps): ReactNode {
  const t = useText();
  const keys = useSelectedKeys(selection);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  useLayoutEffect(() => {
    const measure = () =>
      setMarks((before) => {
        const next = [...keys].flatMap((name): readonly Mark[] => {
          const box = boxOf(name);
          return box === null ? [] : [{ name, box }];
        });
        return isEqual(before, next) ? before : next;
      });
    measure();
    return layout.subscribe(measure);
  }, [boxOf, keys, layout]);
  const names = marks.map(({ name }) => name);
  const label = names.map(labelOf).join(", ");
  return marks.map(({ name, box }, index) => (
    <div key={name} className="build-mark" style={px(box)}>
      {index > 0 ? null : (
        <div className="build-tools" role="toolbar" aria-label={t("build.toolsFor", { name: label })}>
          <MoveHandle names={names} label={label} tools={tools} />
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

interface MoveHandleProps {
  readonly names: readonly string[];
  readonly label: string;
  readonly tools: CanvasTools;
}

/** Button that moves the fields: by dragging, or with the arrow keys. */
function MoveHandle({ names, label, tools }: MoveHandleProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") tools.shift(names, event.key === "ArrowUp" ? -1 : 1);
    else if (event.key === "Enter" || event.key === " ") notices.show(t("build.moveHint"));
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: Firefox does not drag a button.
    <span
      className="build-mark-handle"
      role="button"
      tabIndex={0}
      aria-label={t("build.drag", { name: label })}
      aria-keyshortcuts="ArrowUp ArrowDown"
      title={t("build.moveHint")}
      draggable
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer.setData(FIELD_DRAG, joinNames(names));
        event.dataTransfer.setData("text/plain", label);
        event.dataTransfer.effectAllowed = "move";
      }}
    >
      <Icon name="grip" />
    </span>
  );
}
