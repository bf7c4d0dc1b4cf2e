/** The editor's state: one history, the work in progress kept as it grows, edits of an author's HTML made in place. */
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
import { isSame } from "./model/same.ts";
import { convert as convertContent, type Converted } from "./stored-content.ts";
import { begin, type History, isUnsaved, redo, reread, run, stored, undo } from "./model/history.ts";

const SAVE_MS = 2_000;
const EDIT_MS = 350;

/** What HTML reads as. */
export type Read = Pick<Converted, "schema" | "lost">;

export interface Opened {
  readonly content: Content;
  readonly baseRevision: number;
  readonly hasDraft: boolean;
  /** Who saved the draft; null without one. */
  readonly authors: Authors | null;
}

/** The logins of all who saved a draft, and what was removed from whose save, in sentences. */
export interface Authors {
  readonly logins: readonly string[];
  readonly removed: readonly { readonly login: string; readonly message: string }[];
}

export interface Refusal {
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
  /** The revision that the work began from. */
  baseRevision(): number;
  /** The form as it was opened, or published since. */
  settled(): Content;
  /** What is edited, with what was run since it was shown. */
  current(): Content;
  /** Why the form could not be published. */
  readonly fault: unknown;
  /** An edit that could not be made in the author's HTML, and why. */
  readonly refused: Refusal | null;
  run(command: Command, word?: string): void;
  undo(): void;
  redo(): void;
  convert(content: Content): Promise<Converted>;
  /** Notes what HTML that was typed reads as. */
  readMarkup(markup: string, schema: FormSchema, before?: FormSchema): void;
  publish(): Promise<void>;
  /** Goes on from the form's revision of now, over what somebody else saved. */
  overwrite(): Promise<void>;
  discard(): Promise<void>;
  clearRefused(): void;
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

/** What a form's settings remember of a rename, where its HTML has no place for it. */
function renameIn(command: Command, settings: Content["settings"]): Content["settings"] {
  if (command.kind !== "update" || command.change.name === undefined || command.change.name === command.name) return {};
  return { [FORMER_NAMES]: withRename(formerNamesOf(settings), command.name, command.change.name) };
}

export function useEditor(form: Form, opened: Opened, onDone: () => void): Editor {
  const client = useClient();
  const queries = useQueryClient();
  const [history, setHistory] = useState<History>(() => begin(opened.content));
  const [hasDraft, setHasDraft] = useState(opened.hasDraft);
  const [state, setState] = useState<"idle" | "saving" | "failed" | "publishing">("idle");
  const [fault, setFault] = useState<unknown>(null);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const base = useRef(opened.baseRevision);
  const settled = useRef(opened.content);
  const latest = useRef(history);
  /** An edit of a field in the author's HTML, gathered until nobody types for a moment. */
  const pending = useRef<{
    readonly name: string;
    change: Record<string, unknown>;
    before: History;
    timer: ReturnType<typeof setTimeout>;
  } | null>(null);
  /** Edits of the HTML that are not begun yet, oldest first. */
  const open = useRef<{ readonly name: string; change: Record<string, unknown>; before: History }[]>([]);
  const sending = useRef<Promise<void>>(Promise.resolve());

  const set = useCallback((next: History) => {
    latest.current = next;
    setHistory(next);
  }, []);

  const convert = useCallback(
    (content: Content, edit?: Readonly<Record<string, unknown>>) =>
      convertContent(client, { ...previewBody(content, form), ...(edit === undefined ? {} : { edit }) }),
    [client, form],
  );

  /** What came of an edit; those that are gathered or wait are made in it, and stay shown. */
  const settle = useCallback(
    (next: History) => {
      let shown = next;
      for (const edit of open.current) {
        edit.before = next;
        shown = run(shown, { kind: "update", name: edit.name, change: edit.change }, `edit ${edit.name}`);
      }
      set(shown);
    },
    [set],
  );

  /** Makes a command in the HTML that was there before it, as one step; what was shown meanwhile gives way to what it reads as. */
  const editMarkup = useCallback(
    async (before: History, command: Command) => {
      try {
        const edits = markupEditsOf(command);
        if (edits === null) throw new ApiError(409, "markup_not_patched", "");
        let { markup, schema } = before.shown;
        for (const edit of edits)
          ({ markup, schema } = await convert({ ...before.shown, markup, schema }, edit(schema)));
        settle(
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
        settle(before);
        setRefused({
          command,
          reason: error instanceof ApiError ? String(error.data["reason"] ?? error.message) : String(error),
        });
      }
    },
    [convert, form.settings, settle],
  );

  /** Puts work behind what is under way; none of it may wait for {@link flush}. */
  const enqueue = useCallback(
    (work: () => Promise<void> | void) => {
      const edit = pending.current;
      if (edit !== null) {
        clearTimeout(edit.timer);
        pending.current = null;
        sending.current = sending.current.then(() => {
          open.current = open.current.filter((own) => own !== edit);
          return editMarkup(edit.before, { kind: "update", name: edit.name, change: edit.change });
        });
      }
      sending.current = sending.current.then(work);
    },
    [editMarkup],
  );

  /** Until nothing is gathered or under way, what came meanwhile included. */
  const flush = useCallback(async () => {
    for (let waited: Promise<void> | null = null; pending.current !== null || sending.current !== waited; ) {
      if (pending.current !== null) enqueue(() => undefined);
      waited = sending.current;
      await waited;
    }
  }, [enqueue]);

  const runCommand = useCallback(
    (command: Command, word?: string) => {
      const { current } = latest;
      const isField =
        command.kind === "add" ||
        command.kind === "remove" ||
        command.kind === "update" ||
        command.kind === "move" ||
        command.kind === "layout" ||
        command.kind.endsWith("_step");
      if (current.shown.source !== "markup" || !isField) {
        set(run(current, command, word ?? null));
        return;
      }
      if (command.kind === "update") {
        const before = pending.current?.name === command.name ? pending.current.before : null;
        if (before === null && pending.current !== null) {
          enqueue(() => runCommand(command, word));
          return;
        }
        clearTimeout(pending.current?.timer);
        open.current = open.current.filter((own) => own !== pending.current);
        pending.current = {
          name: command.name,
          change: { ...pending.current?.change, ...command.change },
          before: before ?? current,
          timer: setTimeout(() => void flush(), EDIT_MS),
        };
        open.current.push(pending.current);
        // Shown at once; the HTML follows.
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
      set(stored(latest.current, shown));
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
    const timer = setTimeout(() => void save().catch(() => undefined), SAVE_MS);
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
      settled.current = shown;
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
  const settledContent = useCallback(() => settled.current, []);
  const readMarkup = useCallback(
    (markup: string, schema: FormSchema, before?: FormSchema) => {
      const { current } = latest;
      const { shown } = current;
      const isMeant =
        shown.source === "markup" && shown.markup === markup && (before === undefined || shown.schema === before);
      if (isMeant && !isSame(shown.schema, schema)) set(reread(current, schema));
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
      refused,
      baseRevision: () => base.current,
      settled: settledContent,
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
      clearRefused: () => setRefused(null),
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
      refused,
      runCommand,
      set,
      settledContent,
      state,
    ],
  );
}
