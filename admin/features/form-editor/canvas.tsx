/**
 * Preview of the form from the visitors' renderer. The iframe runs no script, so it may share this page's origin: the
 * editor finds fields in its document and patches only the elements that a change affects.
 */
import {
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useText } from "../../shared/text/text.tsx";
import { useEvent } from "../../shared/use-event.ts";
import { HtmlFrame } from "../../ui/html-frame.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { CanvasBar, type Scheme, type Width, WIDTHS } from "./canvas-bar.tsx";
import { CanvasDrop } from "./canvas-drop.tsx";
import { CanvasGap, type CanvasPointer } from "./canvas-gap.tsx";
import { CanvasMark, type CanvasTools } from "./canvas-mark.tsx";
import { documentOf, elementOf, elementsOf } from "./canvas-page.ts";
import { addStepSpaces, CanvasSteps } from "./canvas-steps.tsx";
import { EditableTextInput } from "./editable-text-input.tsx";
import { addScriptedElements, ENDING } from "./editable-texts.ts";
import { type FormSchema, holdsFields } from "../../shared/draft/content.ts";
import { useLayoutSignal } from "./layout-signal.ts";
import type { Box, FieldBox } from "./model/drop-place.ts";
import { rowsOf } from "./model/rows.ts";
import { partsOf, stepsOf, type Target } from "../../shared/draft/tree.ts";
import { type LiveSelection, onlyKey, type SelectMode } from "./selection.ts";
import { THEME_VALUES } from "../../shared/theme-values.ts";
import { useCanvasRender } from "./use-canvas-render.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import type { FieldActions } from "./use-field-actions.ts";
import { useTextEditing } from "./use-text-editing.ts";

const EMPTY_BOX = { left: 0, top: 0, width: 0, height: 0 } as const;

/** Time after which the frame has the layout of a changed page or container. */
const LAYOUT_MS = 50;

export interface CanvasProps {
  readonly editor: Draft;
  readonly selection: LiveSelection;
  readonly actions: FieldActions;
  readonly tools: CanvasTools;
  /** Returns the position after the selection. */
  readonly findTarget: () => Target;
  readonly onSelect: (name: string, how?: SelectMode) => void;
  /** Called for a click outside of every field, which clears the selection. */
  readonly onClear: () => void;
  /** Request to edit a field's texts in place; `time` differs for each request. */
  readonly editRequest: { readonly name: string; readonly time: number } | null;
}

export const Canvas = memo(function Canvas({
  editor,
  selection,
  actions,
  tools,
  findTarget,
  onSelect,
  onClear,
  editRequest,
}: CanvasProps): ReactNode {
  const t = useText();
  const { content, form, current } = editor;
  const frame = useRef<HTMLIFrameElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<Width>(() => (innerWidth < 600 ? "phone" : "full"));
  const [scheme, setScheme] = useState<Scheme>("light");
  const [step, setStep] = useState("");
  const [height, setHeight] = useState(480);
  const [scale, setScale] = useState(1);
  const layout = useLayoutSignal();
  const onPointer = useRef<CanvasPointer>(() => undefined);
  const { editedText, openAt, openField, finish, follow } = useTextEditing(
    frame,
    container,
    editor,
    selection,
    onSelect,
  );

  const steps = useMemo(() => stepsOf(content.schema), [content.schema]);
  const measure = useCallback(() => {
    const space = container.current?.clientWidth ?? 0;
    // On a phone, the preview may be hidden.
    if (space === 0) return;
    setScale(Math.min(1, space / WIDTHS[width]));
    const page = documentOf(frame);
    if (page === null || page.body === null) return;
    setHeight(Math.max(200, page.querySelector(".cf-main")?.getBoundingClientRect().bottom ?? 0) + 24);
    follow();
    layout.notify();
  }, [width, follow, layout]);
  const measureNow = useEvent(measure);

  const { source, settings, messages } = content;
  const decorate = useCallback(() => {
    const page = documentOf(frame);
    if (page === null || page.body === null) return;
    page.documentElement.style.colorScheme = scheme;
    addScriptedElements(page, { source, settings, messages }, form, step);
    const values = settings["theme_values"] ?? form.settings["theme_values"] ?? {};
    for (const element of [page.body, ...page.querySelectorAll<HTMLElement>(".cf-form")])
      styleByTheme(element, scheme, values as Readonly<Record<string, unknown>>);
    for (const element of page.querySelectorAll<HTMLElement>("[data-step]"))
      element.style.display = step !== "" && step !== ENDING && element.dataset["step"] !== step ? "none" : "";
    addStepSpaces(page, step === ENDING ? [] : steps);
    measureNow();
  }, [source, settings, messages, form, scheme, step, steps]);

  const { initialHtml, fault } = useCanvasRender(frame, editor, { onRender: decorate, onEdit: measure });
  useEffect(decorate, [decorate]);
  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    if (container.current === null) return;
    // The iframe gets its layout shortly after its container.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      measureNow();
      clearTimeout(timer);
      timer = setTimeout(measureNow, LAYOUT_MS);
    });
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    const timer = setTimeout(measure, LAYOUT_MS);
    return () => clearTimeout(timer);
  }, [measure]);

  const openRequested = useEvent(openField);
  useEffect(() => {
    if (editRequest !== null) openRequested(editRequest.name);
  }, [editRequest]);
  const editSelected = useCallback(() => openField(onlyKey(selection.now())), [openField, selection]);
  const pointIn = (event: MouseEvent<HTMLElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - edge.left) / scale, y: (event.clientY - edge.top) / scale };
  };
  /** Whether one of the clicks of a double click was on a tool, which may have moved since. */
  const isOnTool = useRef(false);
  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    const isTool = (event.target as Element).closest("button,[role=button],.build-tools") !== null;
    isOnTool.current = isTool || (event.detail > 1 && isOnTool.current);
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    if (isOnTool.current) return;
    const { x, y } = pointIn(event);
    openAt(x, y);
  };
  const boxOf = useCallback((name: string): Box | null => {
    const page = documentOf(frame);
    const { left, top, width, height } =
      (page === null ? null : elementOf(page, name))?.getBoundingClientRect() ?? EMPTY_BOX;
    return width === 0 ? null : { left, top, width, height };
  }, []);
  const labelOf = useCallback(
    (name: string) => current().schema.fields.find((field) => field.name === name)?.label || name,
    [current],
  );
  return (
    <section className="build-canvas" aria-label={t("build.view.canvas")}>
      <CanvasBar
        steps={steps}
        width={width}
        scheme={scheme}
        step={step}
        onWidth={setWidth}
        onScheme={setScheme}
        onStep={setStep}
        onEditText={editSelected}
      />
      {fault === null ? null : (
        <div className="trouble" role="alert">
          <div>
            <ErrorText error={fault} />
          </div>
        </div>
      )}
      <div className="build-room">
        <div className="build-space" ref={container}>
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
                  onLoad={() => setTimeout(decorate, LAYOUT_MS)}
                />
              )}
              <CanvasDrop
                scale={scale}
                boxesOf={() => boxesOf(documentOf(frame), content.schema)}
                actions={actions}
                findTarget={findTarget}
                onSelect={onSelect}
                onClear={onClear}
              />
              <CanvasSteps frame={frame} steps={steps} layout={layout} selection={selection} onSelect={onSelect} />
              <CanvasGap
                boxesOf={() => boxesOf(documentOf(frame), withoutButtons(content.schema))}
                layout={layout}
                selection={selection}
                onPointer={onPointer}
                labelOf={labelOf}
                onAdd={tools.addAfter}
              />
              <CanvasMark selection={selection} boxOf={boxOf} labelOf={labelOf} layout={layout} tools={tools} />
              {editedText === null ? null : (
                <EditableTextInput
                  key={editedText.id}
                  text={editedText}
                  pageWidth={WIDTHS[width]}
                  onLeave={(text, to) => finish(editedText, text, to)}
                />
              )}
            </div>
          </div>
        </div>
      </div>
    </section>
  );
});

/** Sets the color scheme and the theme's values, which a stored form has in a style sheet. */
function styleByTheme(element: HTMLElement, scheme: Scheme, values: Readonly<Record<string, unknown>>): void {
  element.style.colorScheme = scheme;
  for (const name of THEME_VALUES)
    element.style.setProperty(`--cf-${name}`, typeof values[name] === "string" ? values[name] : "");
}

/** Returns the schema without submit buttons, below which no field belongs. */
const withoutButtons = (schema: FormSchema): FormSchema => ({
  ...schema,
  fields: schema.fields.filter(({ type }) => type !== "submit"),
});

/** Returns the boxes of the fields that the page shows. */
function boxesOf(page: Document | null, schema: FormSchema): readonly FieldBox[] {
  if (page === null) return [];
  const elements = elementsOf(page);
  return rowsOf(partsOf(schema)).flatMap(({ field, place }) => {
    const box = field === null ? undefined : elements.get(field.name)?.getBoundingClientRect();
    if (field === null || box === undefined || box.width === 0) return [];
    const { left, top, width, height } = box;
    return [{ name: field.name, isContainer: holdsFields(field.type), place, left, top, width, height }];
  });
}
