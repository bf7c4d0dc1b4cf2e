/** The form editor: palette and outline, preview, and the inspector of the selection. */
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useSearch } from "wouter";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";
import { Loading } from "../../ui/states.tsx";
import { useAnswerCounts } from "./answer-counts.ts";
import { Canvas } from "./canvas.tsx";
import { FieldInspector } from "./field-inspector.tsx";
import { FormPanel } from "./properties/form-panel.tsx";
import type { FormSchema } from "../../shared/draft/content.ts";
import { partsOf, placeOf, stepsOf, type Target } from "../../shared/draft/tree.ts";
import { FieldsPane } from "./fields-pane.tsx";
import { selectedBy, type SelectMode, useSelection } from "./selection.ts";
import { rowsOf } from "./model/rows.ts";
import type { CanvasTools } from "./canvas-mark.tsx";
import { useFieldActions } from "./use-field-actions.ts";
import { useEvent } from "../../shared/use-event.ts";

const RejectedEditDialog = lazy(() => import("./rejected-edit-dialog.tsx"));
const RemoveFieldsDialog = lazy(() => import("./remove-fields-dialog.tsx"));
const SeveralPanel = lazy(() => import("./properties/several-panel.tsx"));
const StepPanel = lazy(() => import("./properties/step-panel.tsx"));
const MarkupSide = lazy(() => import("./markup-side.tsx"));

const VIEWS = ["outline", "canvas", "inspector"] as const;

export default function BuildTab({ draft: editor }: TabProps): ReactNode {
  const t = useText();
  const { content } = editor;
  // A link may select a field.
  const requestedField = new URLSearchParams(useSearch()).get("field");
  const selection = useSelection();
  const { keys: selected, set: setSelected, show } = selection;
  useEffect(() => {
    if (requestedField !== null) setSelected(new Set([requestedField]));
  }, [requestedField, setSelected]);
  const [view, setView] = useState<(typeof VIEWS)[number]>("outline");
  const [isCode, setIsCode] = useState(false);
  const [editRequest, setEditRequest] = useState<{ readonly name: string; readonly time: number } | null>(null);
  const requestEdit = useCallback(
    (name: string) => setEditRequest((before) => ({ name, time: (before?.time ?? 0) + 1 })),
    [],
  );
  const steps = stepsOf(content.schema);
  const selectedKeys = [...selected];
  const [first] = selectedKeys;
  // A selection by keyboard shows in the outline and the preview first, then in the inspector.
  const inspected = useDeferredValue(first);
  const fieldOf = (key: string | undefined) => content.schema.fields.find(({ name }) => name === key);
  const field = selectedKeys.length === 1 ? (fieldOf(inspected) ?? fieldOf(first)) : undefined;
  const step = selectedKeys.length === 1 ? steps.find(({ id }) => `step:${id}` === first) : undefined;
  // A field that an undo renamed stays selected; removed fields leave the selection.
  const earlierSchema = useRef(content.schema);
  const deselectUnknown = useEvent((schema: FormSchema) => {
    const known = new Set([...schema.fields.map(({ name }) => name), ...stepsOf(schema).map(({ id }) => `step:${id}`)]);
    const newName = renamedTo(earlierSchema.current, schema);
    earlierSchema.current = schema;
    if (selectedKeys.every((key) => known.has(key))) return;
    setSelected(new Set(selectedKeys.map((key) => newName(key) ?? key).filter((key) => known.has(key))));
  });
  useEffect(() => deselectUnknown(content.schema), [content.schema]);
  /** Returns the position after the latest selection, which the components may not show yet. */
  const findTarget = useEvent(
    (): Target => targetAfter(editor.current().schema, [...selection.live.now()].at(-1) ?? null),
  );
  const fieldOrder = useEvent(() =>
    rowsOf(partsOf(content.schema)).flatMap(({ field }) => (field === null ? [] : [field.name])),
  );
  const { now } = selection.live;
  const choose = useCallback(
    (name: string, how: SelectMode = "only") => {
      show(selectedBy(how, name, now(), how === "range" ? fieldOrder() : []));
      setView((now) => (now === "canvas" ? "inspector" : now));
    },
    [show, now],
  );
  const clear = useCallback(() => show(new Set()), [show]);
  const actions = useFieldActions(editor, setSelected);
  const countAnswers = useAnswerCounts(editor);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const remove = useEvent((keys: readonly string[]) => {
    const names = keys.filter((key) => fieldOf(key) !== undefined);
    if (names.some((name) => (countAnswers(name) ?? 0) > 0)) setRemoved(names);
    else actions.remove(names);
  });
  const [typeRequests, setTypeRequests] = useState(0);
  const duplicate = useEvent((names: readonly string[]) =>
    actions.insert(
      content.schema.fields.filter(({ name }) => names.includes(name)),
      targetAfter(content.schema, fieldOrder().findLast((name) => names.includes(name)) ?? null),
    ),
  );
  const tools = useMemo<CanvasTools>(
    () => ({
      duplicate,
      remove,
      shift: actions.shift,
      addAfter(name) {
        show(new Set([name]));
        setView("outline");
        setTypeRequests((count) => count + 1);
      },
    }),
    [show, actions],
  );
  // A keystroke shows in the inspector and the preview first, then in the outline and the palette.
  const deferredEditor = useDeferredValue(editor);
  const bar = <EditorBar editor={editor} isCode={isCode} onCode={setIsCode} />;
  return (
    <div className="build">
      {editor.rejectedEdit === null ? null : (
        <Suspense fallback={null}>
          <RejectedEditDialog editor={editor} />
        </Suspense>
      )}
      {removed.length === 0 ? null : (
        <Suspense fallback={null}>
          <RemoveFieldsDialog
            names={removed}
            countAnswers={countAnswers}
            actions={actions}
            onClose={() => setRemoved([])}
          />
        </Suspense>
      )}
      {isCode ? (
        <Suspense fallback={<Loading />}>
          {bar}
          <MarkupSide editor={editor} onDone={() => setIsCode(false)} />
        </Suspense>
      ) : (
        <>
          <fieldset className="build-views" aria-label={t("build.views")}>
            {VIEWS.map((name) => (
              <Button
                key={name}
                look={view === name ? "primary" : "plain"}
                aria-pressed={view === name}
                onPress={() => setView(name)}
              >
                {t(`build.view.${name}`)}
              </Button>
            ))}
          </fieldset>
          <div className="build-columns" data-view={view}>
            {bar}
            <FieldsPane
              editor={deferredEditor}
              actions={actions}
              findTarget={findTarget}
              typeRequests={typeRequests}
              selection={selection}
              onEditText={requestEdit}
              onRemove={remove}
            />
            <Canvas
              editor={editor}
              selection={selection.live}
              actions={actions}
              tools={tools}
              findTarget={findTarget}
              onSelect={choose}
              onClear={clear}
              editRequest={editRequest}
            />
            <section className="build-inspector card" aria-label={t("build.view.inspector")}>
              {selectedKeys.length === 0 ? null : (
                <div className="build-whole">
                  <Button look="quiet" icon="back" onPress={clear}>
                    {t("build.form")}
                  </Button>
                </div>
              )}
              <Suspense fallback={<Loading />}>
                {field !== undefined ? (
                  <FieldInspector field={field} editor={editor} onRenamed={selection.rename} />
                ) : step !== undefined ? (
                  <StepPanel step={step} editor={editor} />
                ) : selectedKeys.length > 1 ? (
                  <SeveralPanel names={selectedKeys} actions={actions} editor={editor} />
                ) : (
                  <FormPanel editor={editor} onStep={(id) => setSelected(new Set([`step:${id}`]))} />
                )}
              </Suspense>
            </section>
          </div>
        </>
      )}
    </div>
  );
}

interface EditorBarProps {
  readonly editor: Draft;
  readonly isCode: boolean;
  readonly onCode: (isCode: boolean) => void;
}

/** Undo, redo, whether the draft is saved, and the switch between fields and HTML. */
function EditorBar({ editor, isCode, onCode }: EditorBarProps): ReactNode {
  const t = useText();
  return (
    <div className="build-bar" role="toolbar" aria-label={t("build.toolbar")}>
      <IconButton icon="undo" label={t("build.undo")} isDisabled={!editor.canUndo} onPress={editor.undo} />
      <IconButton icon="redo" label={t("build.redo")} isDisabled={!editor.canRedo} onPress={editor.redo} />
      <Button look="quiet" onPress={() => onCode(!isCode)} aria-pressed={isCode}>
        {isCode ? t("build.showFields") : "HTML"}
      </Button>
      <span className="muted" role="status">
        {t(`build.${editor.saving}`)}
      </span>
    </div>
  );
}

/** Returns a lookup of the new names of renamed fields: the names at the positions of missing names. */
function renamedTo(before: FormSchema, after: FormSchema): (name: string) => string | undefined {
  if (before.fields.length !== after.fields.length) return () => undefined;
  const names = new Set(before.fields.map(({ name }) => name));
  return (name) => {
    const now = after.fields[before.fields.findIndex((field) => field.name === name)]?.name;
    return now === undefined || names.has(now) ? undefined : now;
  };
}

/** Returns the position after the selection; without one, the end of the form, before its submit button. */
function targetAfter(schema: FormSchema, key: string | null): Target {
  const parts = partsOf(schema);
  const steps = stepsOf(schema);
  if (key?.startsWith("step:") === true) {
    const step = key.slice(5);
    const part = parts.find((candidate) => candidate.step?.id === step);
    return { step, group: null, after: part?.children.at(-1)?.field.name ?? null };
  }
  const position = key === null ? null : placeOf(parts, key);
  if (position !== null) return { ...position, after: key };
  const last = parts.at(steps.length > 0 ? -1 : 0);
  const before = (last?.children ?? []).filter(({ field }) => field.type !== "submit").at(-1);
  return { step: last?.step?.id ?? null, group: null, after: before?.field.name ?? null };
}
