/** The preview's page, scaled to the available space, with the tools that are drawn over it. */
import { type MouseEvent, type ReactNode, type RefObject, useCallback, useRef } from "react";
import type { Step } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import type { Target } from "../../shared/draft/tree.ts";
import { titleOfName } from "../../shared/field-types.ts";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { HtmlFrame } from "../../ui/html-frame.tsx";
import { WIDTHS } from "./canvas-bar.tsx";
import { boxesOf, withoutButtons } from "./canvas-boxes.ts";
import { CanvasDrop } from "./canvas-drop.tsx";
import { CanvasGap, type CanvasPointer } from "./canvas-gap.tsx";
import { CanvasMark, type CanvasTools } from "./canvas-mark.tsx";
import { documentOf, elementOf } from "./canvas-page.ts";
import { CanvasSteps } from "./canvas-steps.tsx";
import { EditableTextInput } from "./editable-text-input.tsx";
import type { Box } from "./model/drop-place.ts";
import type { LiveSelection, SelectMode } from "./selection.ts";
import { type CanvasLayout, LAYOUT_MS } from "./use-canvas-layout.ts";
import type { FieldActions } from "./use-field-actions.ts";
import type { TextEditing } from "./use-text-editing.ts";

const EMPTY_BOX = { left: 0, top: 0, width: 0, height: 0 } as const;

export interface CanvasProps {
  readonly editor: Draft;
  readonly selection: LiveSelection;
  readonly actions: FieldActions;
  readonly tools: CanvasTools;
  /** Returns the position after the selection. */
  readonly findTarget: () => Target;
  readonly onSelect: (name: string, how?: SelectMode) => void;
  /** Called for a click outside all fields, which clears the selection. */
  readonly onClear: () => void;
  /** Request to edit a field's texts in place; `time` differs for each request. */
  readonly editRequest: { readonly name: string; readonly time: number } | null;
}

interface CanvasStageProps extends CanvasProps {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  /** Page that the frame loads first; null until it is rendered. */
  readonly initialHtml: string | null;
  readonly layout: CanvasLayout;
  readonly steps: readonly Step[];
  readonly editing: TextEditing;
  /** Decorates the page once it is loaded. */
  readonly onLoad: () => void;
}

export function CanvasStage(props: CanvasStageProps): ReactNode {
  const { frame, initialHtml, layout, editing, onLoad } = props;
  const { width, height, scale } = layout;
  const t = useText();
  const onPointer = useRef<CanvasPointer>(() => undefined);
  const pointIn = (event: MouseEvent<HTMLElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - edge.left) / scale, y: (event.clientY - edge.top) / scale };
  };
  /** Whether either click of a double click hit a tool. The tool may have moved between the clicks. */
  const isOnTool = useRef(false);
  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    const isTool = (event.target as Element).closest("button,[role=button],.build-tools") !== null;
    isOnTool.current = isTool || (event.detail > 1 && isOnTool.current);
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    if (isOnTool.current) return;
    const { x, y } = pointIn(event);
    editing.openAt(x, y);
  };
  return (
    <div className="build-frame" style={{ width: `${WIDTHS[width] * scale}px`, height: `${height * scale}px` }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard edits texts by a button of the toolbar. */}
      <div
        className="build-scaled"
        onClickCapture={onClickCapture}
        onDoubleClick={onDoubleClick}
        onPointerMove={(event) => onPointer.current(event.pointerType === "mouse" ? pointIn(event) : null)}
        onPointerLeave={() => onPointer.current(null)}
        style={{ width: `${WIDTHS[width]}px`, height: `${height}px`, transform: `scale(${scale})` }}
      >
        {initialHtml === null ? null : (
          <HtmlFrame
            frame={frame}
            html={initialHtml}
            title={t("preview.title")}
            sandbox="allow-same-origin"
            tabIndex={-1}
            inert
            onLoad={() => setTimeout(onLoad, LAYOUT_MS)}
          />
        )}
        <CanvasOverlays {...props} onPointer={onPointer} />
      </div>
    </div>
  );
}

interface CanvasOverlaysProps extends CanvasStageProps {
  readonly onPointer: RefObject<CanvasPointer>;
}

/** Everything that is drawn over the page: drop lines, step names, gaps, the selection, the edited text. */
function CanvasOverlays(props: CanvasOverlaysProps): ReactNode {
  const { editor, frame, layout, steps, selection, actions, tools, editing, onPointer, findTarget } = props;
  const language = useLanguage();
  const { content, current } = editor;
  const { signal, scale, width } = layout;
  const { editedText, finish } = editing;
  const boxOf = useCallback(
    (name: string): Box | null => {
      const page = documentOf(frame);
      const { left, top, width, height } =
        (page === null ? null : elementOf(page, name))?.getBoundingClientRect() ?? EMPTY_BOX;
      return width === 0 ? null : { left, top, width, height };
    },
    [frame],
  );
  const labelOf = useCallback(
    (name: string) => titleOfName(current().schema.fields, name, language),
    [current, language],
  );
  return (
    <>
      <CanvasDrop
        scale={scale}
        boxesOf={() => boxesOf(documentOf(frame), content.schema)}
        actions={actions}
        findTarget={findTarget}
        onSelect={props.onSelect}
        onClear={props.onClear}
      />
      <CanvasSteps frame={frame} steps={steps} layout={signal} selection={selection} onSelect={props.onSelect} />
      <CanvasGap
        boxesOf={() => boxesOf(documentOf(frame), withoutButtons(content.schema))}
        layout={signal}
        selection={selection}
        onPointer={onPointer}
        labelOf={labelOf}
        onAdd={tools.addAfter}
      />
      <CanvasMark selection={selection} boxOf={boxOf} labelOf={labelOf} layout={signal} tools={tools} />
      {editedText === null ? null : (
        <EditableTextInput
          key={editedText.id}
          text={editedText}
          pageWidth={WIDTHS[width]}
          onLeave={(text, to) => finish(editedText, text, to)}
        />
      )}
    </>
  );
}
