/**
 * Preview of the form from the visitors' renderer. The iframe runs no script, so it may share this page's origin: the
 * editor finds fields in its document and patches only the elements that a change affects.
 */
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { useEvent } from "../../shared/use-event.ts";
import { ErrorText } from "../../ui/states.tsx";
import { stepsOf } from "../../shared/draft/tree.ts";
import { CanvasBar, type Scheme, type Width } from "./canvas-bar.tsx";
import { type CanvasProps, CanvasStage } from "./canvas-stage.tsx";
import { onlyKey } from "./selection.ts";
import { useCanvasDecoration } from "./use-canvas-decoration.ts";
import { useCanvasLayout, useMeasuring } from "./use-canvas-layout.ts";
import { useCanvasRender } from "./use-canvas-render.ts";
import { useTextEditing } from "./use-text-editing.ts";

export const Canvas = memo(function Canvas(props: CanvasProps): ReactNode {
  const { editor, selection, onSelect, editRequest } = props;
  const t = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<Width>(() => (innerWidth < 600 ? "phone" : "full"));
  const [scheme, setScheme] = useState<Scheme>("light");
  const [step, setStep] = useState("");
  const editing = useTextEditing(frame, container, editor, selection, onSelect);
  const { openField } = editing;
  const { schema } = editor.content;
  const steps = useMemo(() => stepsOf(schema), [schema]);
  const layout = useCanvasLayout(frame, container, width, editing.follow);
  const { measure } = layout;
  const decorate = useCanvasDecoration(frame, editor, { scheme, step, steps }, useEvent(measure));
  const { initialHtml, fault } = useCanvasRender(frame, editor, { onRender: decorate, onEdit: measure });
  useEffect(decorate, [decorate]);
  useMeasuring(container, measure);
  const openRequested = useEvent(openField);
  useEffect(() => {
    if (editRequest !== null) openRequested(editRequest.name);
  }, [editRequest]);
  const editSelected = useCallback(() => openField(onlyKey(selection.now())), [openField, selection]);
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
          <CanvasStage {...props} {...{ frame, initialHtml, layout, steps, editing }} onLoad={decorate} />
        </div>
      </div>
    </section>
  );
});
