/** The form editor: palette and outline, preview, and the inspector of the selection. */
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from "react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "wouter";
import { ApiError, useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import type { Form } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Confirm, Dialog } from "../../ui/overlays.tsx";
import { ErrorText, Loaded, Loading } from "../../ui/states.tsx";
import type { TabProps } from "../../shared/form-draft.ts";
import { Canvas } from "./canvas.tsx";
import { FieldInspector, FormInspector, MultiFieldInspector, StepInspector } from "./inspector.tsx";
import { ConversionWarnings } from "./conversion-warnings.tsx";
import { MarkupSide } from "./markup-side.tsx";
import type { FormSchema } from "./model/content.ts";
import { openContent } from "./stored-content.ts";
import { partsOf, placeOf, stepsOf, type Target } from "./model/tree.ts";
import { Outline } from "./outline.tsx";
import { Publish } from "./publish.tsx";
import { Palette } from "./palette.tsx";
import { MessageText } from "./message-text.tsx";
import { type Editor, type OpenedContent, useEditor } from "./use-editor.ts";
import { useSelection } from "./selection.ts";
import { useFieldActions } from "./use-field-actions.ts";

const Conflict = lazy(() => import("./conflict.tsx"));
const TryOut = lazy(() => import("./try-out.tsx"));
const Revisions = lazy(() => import("./revisions.tsx"));

export default function BuildTab({ draft: { form } }: TabProps): ReactNode {
  const client = useClient();
  const opened = useQuery({
    queryKey: keys.editor(form.id),
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) => openContent(client, form.id, signal),
  });
  return <Loaded query={opened}>{(loaded) => <Build form={form} opened={loaded} />}</Loaded>;
}

const VIEWS = ["outline", "canvas", "inspector"] as const;

function Build({ form, opened }: { readonly form: Form; readonly opened: OpenedContent }): ReactNode {
  const t = useText();
  const notices = useNotices();
  const editor = useEditor(form, opened, () => notices.show(t("build.published")));
  const { content } = editor;
  // A link may select a field.
  const requestedField = new URLSearchParams(useSearch()).get("field");
  const selection = useSelection();
  const { keys: selected, set: setSelected, show } = selection;
  useEffect(() => {
    if (requestedField !== null) setSelected(new Set([requestedField]));
  }, [requestedField]);
  const [view, setView] = useState<(typeof VIEWS)[number]>("outline");
  const [isCode, setIsCode] = useState(false);
  const [editRequest, setEditRequest] = useState<{ readonly name: string; readonly time: number } | null>(null);
  const requestEdit = useCallback(
    (name: string) => setEditRequest((before) => ({ name, time: (before?.time ?? 0) + 1 })),
    [],
  );
  const [openDialog, setOpenDialog] = useState<"revisions" | "try-out" | null>(null);
  const steps = stepsOf(content.schema);
  const selectedKeys = [...selected];
  const [first] = selectedKeys;
  // A selection by keyboard shows in the outline and the preview first, then in the inspector.
  const inspected = useDeferredValue(first);
  const fieldOf = (key: string | undefined) => content.schema.fields.find(({ name }) => name === key);
  const field = selectedKeys.length === 1 ? (fieldOf(inspected) ?? fieldOf(first)) : undefined;
  const step = selectedKeys.length === 1 ? steps.find(({ id }) => `step:${id}` === first) : undefined;
  // Renamed and removed fields leave the selection.
  useEffect(() => {
    const known = new Set([...content.schema.fields.map(({ name }) => name), ...steps.map(({ id }) => `step:${id}`)]);
    if (selectedKeys.some((key) => !known.has(key))) setSelected(new Set(selectedKeys.filter((key) => known.has(key))));
  }, [content.schema]);
  const target = useMemo<Target>(
    () => targetAfter(content.schema, selectedKeys.at(-1) ?? null),
    [content.schema, selected],
  );
  const choose = useCallback(
    (name: string) => {
      show(new Set([name]));
      setView((now) => (now === "canvas" ? "inspector" : now));
    },
    [show],
  );
  const clear = useCallback(() => show(new Set()), [show]);
  const actions = useFieldActions(editor, setSelected);
  // A keystroke shows in the inspector and the preview first, then in the outline and the palette.
  const deferredEditor = useDeferredValue(editor);
  const deferredTarget = useDeferredValue(target);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.defaultPrevented) return;
    event.preventDefault();
    if (event.shiftKey) editor.redo();
    else editor.undo();
  };
  return (
    <div className="build" onKeyDown={onKeyDown}>
      <div className="row apart build-bar" role="toolbar" aria-label={t("build.toolbar")}>
        <div className="row">
          <IconButton icon="undo" label={t("build.undo")} isDisabled={!editor.canUndo} onPress={editor.undo} />
          <IconButton icon="redo" label={t("build.redo")} isDisabled={!editor.canRedo} onPress={editor.redo} />
          <Button look="quiet" onPress={() => setIsCode(!isCode)} aria-pressed={isCode}>
            {isCode ? t("build.showFields") : "HTML"}
          </Button>
          <Button look="quiet" onPress={() => setOpenDialog("revisions")}>
            {t("build.revisions")}
          </Button>
          <span className="muted" role="status">
            {t(`build.${editor.saving}`)}
          </span>
        </div>
        <div className="row">
          <Button onPress={() => setOpenDialog("try-out")}>{t("build.tryOut")}</Button>
          {editor.hasDraft ? <Discard editor={editor} /> : null}
          <Publish editor={editor} authors={opened.authors} />
        </div>
      </div>
      <Faults editor={editor} onSelect={choose} />
      <RejectedEditDialog editor={editor} />
      {openDialog === null ? null : (
        <Suspense fallback={null}>
          {openDialog === "revisions" ? (
            <Revisions editor={editor} onClose={() => setOpenDialog(null)} />
          ) : (
            <TryOut editor={editor} onClose={() => setOpenDialog(null)} />
          )}
        </Suspense>
      )}
      {isCode ? (
        <MarkupSide editor={editor} onDone={() => setIsCode(false)} />
      ) : (
        <>
          <div className="build-views" role="group" aria-label={t("build.views")}>
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
          </div>
          <div className="build-columns" data-view={view}>
            <section className="build-outline" aria-label={t("build.view.outline")}>
              <Palette actions={actions} target={deferredTarget} />
              <Outline editor={deferredEditor} actions={actions} selection={selection} onEditText={requestEdit} />
            </section>
            <Canvas
              editor={editor}
              selection={selection.live}
              actions={actions}
              target={deferredTarget}
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
              {field !== undefined ? (
                <FieldInspector key={field.name} field={field} editor={editor} onRenamed={choose} />
              ) : step !== undefined ? (
                <StepInspector step={step} editor={editor} />
              ) : selectedKeys.length > 1 ? (
                <MultiFieldInspector names={selectedKeys} actions={actions} editor={editor} />
              ) : (
                <FormInspector editor={editor} onStep={(id) => setSelected(new Set([`step:${id}`]))} />
              )}
            </section>
          </div>
        </>
      )}
    </div>
  );
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

function Discard({ editor }: { readonly editor: Editor }): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t("build.discard")}</Button>
      <Confirm
        title={t("build.discard")}
        text={t("build.discardText")}
        action={t("build.discard")}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => void editor.discard()}
      />
    </>
  );
}

/** The faults that prevent publishing; a fault of a field links to that field. */
function Faults({
  editor,
  onSelect,
}: {
  readonly editor: Editor;
  readonly onSelect: (name: string) => void;
}): ReactNode {
  const t = useText();
  const { fault, content } = editor;
  if (fault === null) return null;
  if (fault instanceof ApiError && fault.status === 412)
    return (
      <Suspense fallback={<Loading />}>
        <Conflict editor={editor} />
      </Suspense>
    );
  const params = fault instanceof ApiError ? fault.data["params"] : undefined;
  const faults = typeof params === "object" && params !== null && !Array.isArray(params) ? Object.entries(params) : [];
  return (
    <div className="trouble" role="alert">
      <div>
        <strong>{t("build.notPublished")}</strong>
        {faults.length === 0 ? (
          <ErrorText error={fault} />
        ) : (
          <ul>
            {faults.map(([position, message]) => {
              const field = content.schema.fields[Number(/fields\[(\d+)\]/.exec(position)?.[1] ?? -1)];
              return (
                <li key={position}>
                  {field === undefined ? (
                    <code>{position}</code>
                  ) : (
                    <Button look="quiet" onPress={() => onSelect(field.name)}>
                      {field.label || field.name}
                    </Button>
                  )}{" "}
                  {String(message)}
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </div>
  );
}

/** Dialog for an edit that cannot be made in the author's HTML. It offers to make the fields the source. */
function RejectedEditDialog({ editor }: { readonly editor: Editor }): ReactNode {
  const t = useText();
  const { content, rejectedEdit } = editor;
  const converted = useQuery({
    queryKey: ["conversion-warnings", content.markup],
    enabled: rejectedEdit !== null,
    queryFn: () => editor.convert(content),
  });
  const useFields = () => {
    editor.clearRejectedEdit();
    editor.run({ kind: "source", source: "schema", markup: content.markup, schema: content.schema }, "source");
    if (rejectedEdit !== null) editor.run(rejectedEdit.command, "source");
  };
  return (
    <Dialog
      title={t("build.refused")}
      isOpen={rejectedEdit !== null}
      onClose={editor.clearRejectedEdit}
      actions={
        <>
          <Button onPress={editor.clearRejectedEdit}>{t("common.cancel")}</Button>
          <Button look="primary" onPress={useFields}>
            {t("build.useFields")}
          </Button>
        </>
      }
    >
      <p>{t("build.refusedText")}</p>
      {rejectedEdit === null || rejectedEdit.reason === "" ? null : (
        <p className="help">
          <MessageText text={rejectedEdit.reason} />
        </p>
      )}
      <ConversionWarnings warnings={converted.data?.lost ?? []} />
    </Dialog>
  );
}
