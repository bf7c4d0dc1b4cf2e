/** The form editor: what there is to add and what there is, the form as visitors see it, and what is chosen of it. */
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
import { FieldInspector, FormInspector, SeveralInspector, StepInspector } from "./inspector.tsx";
import { Lost } from "./lost.tsx";
import { MarkupSide } from "./markup-side.tsx";
import type { FormSchema } from "./model/content.ts";
import { openContent } from "./stored-content.ts";
import { partsOf, placeOf, stepsOf, type Target } from "./model/tree.ts";
import { Outline } from "./outline.tsx";
import { Publish } from "./publish.tsx";
import { Palette } from "./palette.tsx";
import { MessageText } from "./message-text.tsx";
import { type Editor, type Opened, useEditor } from "./use-editor.ts";
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

function Build({ form, opened }: { readonly form: Form; readonly opened: Opened }): ReactNode {
  const t = useText();
  const notices = useNotices();
  const editor = useEditor(form, opened, () => notices.show(t("build.published")));
  const { content } = editor;
  // A link may lead to one field.
  const asked = new URLSearchParams(useSearch()).get("field");
  const selection = useSelection();
  const { keys: selected, set: setSelected, show } = selection;
  useEffect(() => {
    if (asked !== null) setSelected(new Set([asked]));
  }, [asked]);
  const [view, setView] = useState<(typeof VIEWS)[number]>("outline");
  const [isCode, setIsCode] = useState(false);
  const [words, setWords] = useState<{ readonly name: string; readonly time: number } | null>(null);
  const changeWords = useCallback(
    (name: string) => setWords((before) => ({ name, time: (before?.time ?? 0) + 1 })),
    [],
  );
  const [over, setOver] = useState<"revisions" | "try-out" | null>(null);
  const steps = stepsOf(content.schema);
  const chosen = [...selected];
  const [first] = chosen;
  // A choice by keyboard shows in the outline and the preview first, then in the inspector.
  const inspected = useDeferredValue(first);
  const fieldOf = (key: string | undefined) => content.schema.fields.find(({ name }) => name === key);
  const field = chosen.length === 1 ? (fieldOf(inspected) ?? fieldOf(first)) : undefined;
  const step = chosen.length === 1 ? steps.find(({ id }) => `step:${id}` === first) : undefined;
  // What was renamed, taken away or undone is chosen no more.
  useEffect(() => {
    const known = new Set([...content.schema.fields.map(({ name }) => name), ...steps.map(({ id }) => `step:${id}`)]);
    if (chosen.some((key) => !known.has(key))) setSelected(new Set(chosen.filter((key) => known.has(key))));
  }, [content.schema]);
  const target = useMemo<Target>(() => placeBehind(content.schema, chosen.at(-1) ?? null), [content.schema, selected]);
  const choose = useCallback(
    (name: string) => {
      show(new Set([name]));
      setView((now) => (now === "canvas" ? "inspector" : now));
    },
    [show],
  );
  const clear = useCallback(() => show(new Set()), [show]);
  const actions = useFieldActions(editor, setSelected);
  // A keystroke shows in the inspector and the preview first, then in the columns that list fields.
  const later = useDeferredValue(editor);
  const laterTarget = useDeferredValue(target);
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
          <Button look="quiet" onPress={() => setOver("revisions")}>
            {t("build.revisions")}
          </Button>
          <span className="muted" role="status">
            {t(`build.${editor.saving}`)}
          </span>
        </div>
        <div className="row">
          <Button onPress={() => setOver("try-out")}>{t("build.tryOut")}</Button>
          {editor.hasDraft ? <Discard editor={editor} /> : null}
          <Publish editor={editor} authors={opened.authors} />
        </div>
      </div>
      <Faults editor={editor} onSelect={choose} />
      <Refused editor={editor} />
      {over === null ? null : (
        <Suspense fallback={null}>
          {over === "revisions" ? (
            <Revisions editor={editor} onClose={() => setOver(null)} />
          ) : (
            <TryOut editor={editor} onClose={() => setOver(null)} />
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
              <Palette actions={actions} target={laterTarget} />
              <Outline editor={later} actions={actions} selection={selection} onWords={changeWords} />
            </section>
            <Canvas
              editor={editor}
              chosen={selection.chosen}
              actions={actions}
              target={laterTarget}
              onSelect={choose}
              onClear={clear}
              editRequest={words}
            />
            <section className="build-inspector card" aria-label={t("build.view.inspector")}>
              {chosen.length === 0 ? null : (
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
              ) : chosen.length > 1 ? (
                <SeveralInspector names={chosen} actions={actions} editor={editor} />
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

/** Behind what is chosen; without a choice at the end, before the button that sends. */
function placeBehind(schema: FormSchema, key: string | null): Target {
  const parts = partsOf(schema);
  const steps = stepsOf(schema);
  if (key?.startsWith("step:") === true) {
    const step = key.slice(5);
    const own = parts.find((part) => part.step?.id === step);
    return { step, group: null, after: own?.children.at(-1)?.field.name ?? null };
  }
  const place = key === null ? null : placeOf(parts, key);
  if (place !== null) return { ...place, after: key };
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

/** What is in the way of publishing; a fault of a field leads to it. */
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
  const places = typeof params === "object" && params !== null && !Array.isArray(params) ? Object.entries(params) : [];
  return (
    <div className="trouble" role="alert">
      <div>
        <strong>{t("build.notPublished")}</strong>
        {places.length === 0 ? (
          <ErrorText error={fault} />
        ) : (
          <ul>
            {places.map(([place, message]) => {
              const field = content.schema.fields[Number(/fields\[(\d+)\]/.exec(place)?.[1] ?? -1)];
              return (
                <li key={place}>
                  {field === undefined ? (
                    <code>{place}</code>
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

/** An edit that the author's HTML has no place for: the fields can become the source instead. */
function Refused({ editor }: { readonly editor: Editor }): ReactNode {
  const t = useText();
  const { content, refused } = editor;
  const lost = useQuery({
    queryKey: ["lost", content.markup],
    enabled: refused !== null,
    queryFn: () => editor.convert(content),
  });
  const use = () => {
    editor.clearRefused();
    editor.run({ kind: "source", source: "schema", markup: content.markup, schema: content.schema }, "source");
    if (refused !== null) editor.run(refused.command, "source");
  };
  return (
    <Dialog
      title={t("build.refused")}
      isOpen={refused !== null}
      onClose={editor.clearRefused}
      actions={
        <>
          <Button onPress={editor.clearRefused}>{t("common.cancel")}</Button>
          <Button look="primary" onPress={use}>
            {t("build.useFields")}
          </Button>
        </>
      }
    >
      <p>{t("build.refusedText")}</p>
      {refused === null || refused.reason === "" ? null : (
        <p className="help">
          <MessageText text={refused.reason} />
        </p>
      )}
      <Lost items={lost.data?.lost ?? []} />
    </Dialog>
  );
}
