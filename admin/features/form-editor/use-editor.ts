/** State of the form editor: undo history, autosaved draft, and edits of fields in the author's HTML. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, useClient } from "../../shared/api/client.ts";
import type { Form, Input } from "../../../client/index.ts";
import { formKeys, keys } from "../../shared/api/keys.ts";
import { readRevision } from "../../shared/api/resources.ts";
import { type Command } from "./model/commands.ts";
import { type Content, type FormSchema, toDraft } from "./model/content.ts";
import { FORMER_NAMES, formerNamesOf, withRename } from "./model/former-names.ts";
import { markupEditsOf } from "./model/markup-edits.ts";
import { isDeepEqual } from "./model/deep-equal.ts";
import { convert as convertContent, type Converted } from "./stored-content.ts";
import {
  startHistory,
  type History,
  isUnsaved,
  redo,
  withParsedSchema,
  run,
  markStored,
  undo,
} from "./model/history.ts";

const SAVE_DEBOUNCE_MS = 2_000;
const EDIT_DEBOUNCE_MS = 350;

/** Result of parsing HTML. */
export type ParsedMarkup = Pick<Converted, "schema" | "lost">;

export interface OpenedContent {
  readonly content: Content;
  readonly baseRevision: number;
  readonly hasDraft: boolean;
  /** Authors of the draft; null without a draft. */
  readonly authors: DraftAuthors | null;
}

/** Logins of everybody who saved the draft, and messages about parts that were removed from a save. */
export interface DraftAuthors {
  readonly logins: readonly string[];
  readonly removed: readonly { readonly login: string; readonly message: string }[];
}

export interface RejectedEdit {
  readonly command: Command;
  readonly reason: string;
}

export interface Editor {
  readonly form: Form;
  readonly content: Content;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly hasDraft: boolean;
  readonly saving: "saved" | "unsaved" | "saving" | "failed";
  readonly isPublishing: boolean;
  /** Revision that the draft is based on. */
  baseRevision(): number;
  /** Content as it was opened, or as it was last published here. */
  baseline(): Content;
  /** Current content, including commands that are not rendered yet. */
  current(): Content;
  /** Error of the last attempt to publish. */
  readonly fault: unknown;
  /** Edit that could not be made in the author's HTML, with the reason. */
  readonly rejectedEdit: RejectedEdit | null;
  run(command: Command, mergeKey?: string): void;
  undo(): void;
  redo(): void;
  convert(content: Content): Promise<Converted>;
  /** Sets the schema that typed HTML was parsed to. */
  readMarkup(markup: string, schema: FormSchema, before?: FormSchema): void;
  publish(): Promise<void>;
  /** Publishes over what somebody else saved, based on the form's current revision. */
  overwrite(): Promise<void>;
  discard(): Promise<void>;
  clearRejectedEdit(): void;
}

export function previewBody(
  { title, source, markup, schema, settings, messages }: Content,
  form: Form,
): Input<"previewForm">["body"] {
  return {
    title,
    ...(source === "markup" ? { markup } : { schema }),
    messages: { ...form.messages, ...messages },
    settings: { ...form.settings, ...settings, actions: [], spam_checks: [] },
  };
}

/** Returns the settings that record a rename, for a form whose source is HTML. */
function renameIn(command: Command, settings: Content["settings"]): Content["settings"] {
  if (command.kind !== "update" || command.change.name === undefined || command.change.name === command.name) return {};
  return { [FORMER_NAMES]: withRename(formerNamesOf(settings), command.name, command.change.name) };
}

export function useEditor(form: Form, opened: OpenedContent, onDone: () => void): Editor {
  const client = useClient();
  const queries = useQueryClient();
  const [history, setHistory] = useState<History>(() => startHistory(opened.content));
  const [hasDraft, setHasDraft] = useState(opened.hasDraft);
  const [state, setState] = useState<"idle" | "saving" | "failed" | "publishing">("idle");
  const [fault, setFault] = useState<unknown>(null);
  const [rejectedEdit, setRejectedEdit] = useState<RejectedEdit | null>(null);
  const base = useRef(opened.baseRevision);
  const baseline = useRef(opened.content);
  const latest = useRef(history);
  /** Debounced edit of a field in the author's HTML. */
  const pending = useRef<{
    readonly name: string;
    change: Record<string, unknown>;
    before: History;
    timer: ReturnType<typeof setTimeout>;
  } | null>(null);
  /** Edits of the HTML that are not sent yet, oldest first. */
  const unsent = useRef<{ readonly name: string; change: Record<string, unknown>; before: History }[]>([]);
  const queue = useRef<Promise<void>>(Promise.resolve());

  const set = useCallback((next: History) => {
    latest.current = next;
    setHistory(next);
  }, []);

  const convert = useCallback(
    (content: Content, edit?: Readonly<Record<string, unknown>>) =>
      convertContent(client, { ...previewBody(content, form), ...(edit === undefined ? {} : { edit }) }),
    [client, form],
  );

  /** Takes the result of an edit and reapplies the unsent edits to it, so that they stay visible. */
  const applyResult = useCallback(
    (next: History) => {
      let shown = next;
      for (const edit of unsent.current) {
        edit.before = next;
        shown = run(shown, { kind: "update", name: edit.name, change: edit.change }, `edit ${edit.name}`);
      }
      set(shown);
    },
    [set],
  );

  /** Applies a command to the HTML as one undo step; the server's result replaces the optimistic update. */
  const editMarkup = useCallback(
    async (before: History, command: Command) => {
      try {
        const edits = markupEditsOf(command);
        if (edits === null) throw new ApiError(409, "markup_not_patched", "");
        let { markup, schema } = before.shown;
        for (const edit of edits)
          ({ markup, schema } = await convert({ ...before.shown, markup, schema }, edit(schema)));
        applyResult(
          run(
            { ...before, future: [] },
            {
              kind: "markup",
              markup,
              schema,
              settings: renameIn(command, { ...form.settings, ...before.shown.settings }),
            },
          ),
        );
      } catch (error) {
        applyResult(before);
        setRejectedEdit({
          command,
          reason: error instanceof ApiError ? String(error.data["reason"] ?? error.message) : String(error),
        });
      }
    },
    [convert, form.settings, applyResult],
  );

  /** Adds work to the queue, after the debounced edit. The work must not wait for {@link flush}. */
  const enqueue = useCallback(
    (work: () => Promise<void> | void) => {
      const edit = pending.current;
      if (edit !== null) {
        clearTimeout(edit.timer);
        pending.current = null;
        queue.current = queue.current.then(() => {
          unsent.current = unsent.current.filter((other) => other !== edit);
          return editMarkup(edit.before, { kind: "update", name: edit.name, change: edit.change });
        });
      }
      queue.current = queue.current.then(work);
    },
    [editMarkup],
  );

  /** Waits until no edit is debounced or queued, including edits that arrive meanwhile. */
  const flush = useCallback(async () => {
    for (let waited: Promise<void> | null = null; pending.current !== null || queue.current !== waited; ) {
      if (pending.current !== null) enqueue(() => undefined);
      waited = queue.current;
      await waited;
    }
  }, [enqueue]);

  const runCommand = useCallback(
    (command: Command, mergeKey?: string) => {
      const { current } = latest;
      const isField =
        command.kind === "add" ||
        command.kind === "remove" ||
        command.kind === "update" ||
        command.kind === "move" ||
        command.kind === "layout" ||
        command.kind.endsWith("_step");
      if (current.shown.source !== "markup" || !isField) {
        set(run(current, command, mergeKey ?? null));
        return;
      }
      if (command.kind === "update") {
        const before = pending.current?.name === command.name ? pending.current.before : null;
        if (before === null && pending.current !== null) {
          enqueue(() => runCommand(command, mergeKey));
          return;
        }
        clearTimeout(pending.current?.timer);
        unsent.current = unsent.current.filter((other) => other !== pending.current);
        pending.current = {
          name: command.name,
          change: { ...pending.current?.change, ...command.change },
          before: before ?? current,
          timer: setTimeout(() => void flush(), EDIT_DEBOUNCE_MS),
        };
        unsent.current.push(pending.current);
        // Optimistic update; the HTML follows.
        set(run(current, command, `edit ${command.name}`));
        return;
      }
      enqueue(() => editMarkup(latest.current, command));
    },
    [editMarkup, enqueue, flush, set],
  );

  const save = useCallback(async () => {
    await flush();
    const { shown } = latest.current;
    setState("saving");
    try {
      await client.putDraft({ id: form.id, body: toDraft(shown, base.current) });
      set(markStored(latest.current, shown));
      setHasDraft(true);
      setState("idle");
    } catch (error) {
      setState("failed");
      throw error;
    }
  }, [client, flush, form.id, set]);

  const isChanged = isUnsaved(history);
  useEffect(() => {
    if (!isChanged || state === "saving" || state === "publishing") return;
    const timer = setTimeout(() => void save().catch(() => undefined), SAVE_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [history.shown, isChanged, save, state]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);

  const publish = useCallback(async () => {
    setFault(null);
    try {
      await save();
      setState("publishing");
      const { shown } = latest.current;
      base.current = (await client.publishDraft({ id: form.id })).revision;
      baseline.current = shown;
      setHasDraft(false);
      setState("idle");
      await Promise.all(formKeys(form.id).map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone();
    } catch (error) {
      setState("idle");
      setFault(error);
    }
  }, [client, form.id, onDone, queries, save]);

  const current = useCallback(() => latest.current.shown, []);
  const baselineContent = useCallback(() => baseline.current, []);
  const readMarkup = useCallback(
    (markup: string, schema: FormSchema, before?: FormSchema) => {
      const { current } = latest;
      const { shown } = current;
      const isCurrent =
        shown.source === "markup" && shown.markup === markup && (before === undefined || shown.schema === before);
      if (isCurrent && !isDeepEqual(shown.schema, schema)) set(withParsedSchema(current, schema));
    },
    [set],
  );

  return useMemo<Editor>(
    () => ({
      form,
      content: history.shown,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      hasDraft,
      fault,
      rejectedEdit,
      baseRevision: () => base.current,
      baseline: baselineContent,
      current,
      isPublishing: state === "publishing",
      saving: state === "saving" ? "saving" : state === "failed" ? "failed" : isChanged ? "unsaved" : "saved",
      run: runCommand,
      convert,
      readMarkup,
      publish,
      undo: () => void flush().then(() => set(undo(latest.current))),
      redo: () => void flush().then(() => set(redo(latest.current))),
      async overwrite() {
        base.current = await readRevision(client, form.id);
        await publish();
      },
      async discard() {
        await client.deleteDraft({ id: form.id }).catch(() => undefined);
        await queries.resetQueries({ queryKey: keys.editor(form.id) });
      },
      clearRejectedEdit: () => setRejectedEdit(null),
    }),
    [
      client,
      convert,
      current,
      fault,
      flush,
      form,
      hasDraft,
      history,
      isChanged,
      publish,
      queries,
      readMarkup,
      rejectedEdit,
      runCommand,
      set,
      baselineContent,
      state,
    ],
  );
}
