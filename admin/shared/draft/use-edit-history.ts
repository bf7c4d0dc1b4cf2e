/** Undo history of a form's content, with edits of an author's HTML made by the engine in place. */
import { useCallback, useMemo, useRef, useState } from "react";
import { ApiError, useClient } from "../api/client.ts";
import type { Command } from "./commands.ts";
import type { Content, FormSchema } from "./content.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { FORMER_NAMES, formerNamesOf, withRename } from "./former-names.ts";
import { type History, redo, run, startHistory, undo, withParsedSchema } from "./history.ts";
import { markupEditsOf } from "./markup-edits.ts";
import { convert as convertContent, type Converted, previewBody } from "./stored-content.ts";

/** Debounce before an edit of a field in an author's HTML is sent to the engine. */
const EDIT_DEBOUNCE_MS = 350;

/** Edit that could not be made in the author's HTML. */
export interface RejectedEdit {
  readonly command: Command;
  readonly reason: string;
}

export interface EditHistory {
  readonly history: History;
  readonly rejectedEdit: RejectedEdit | null;
  /** Current history, including commands that are not rendered yet. */
  latest(): History;
  set(next: History): void;
  run(command: Command, mergeKey?: string): void;
  undo(): void;
  redo(): void;
  /** Waits until no edit is debounced or queued. */
  flush(): Promise<void>;
  convert(content: Content, edit?: Readonly<Record<string, unknown>>): Promise<Converted>;
  /** Sets the schema that typed HTML was parsed to. */
  readMarkup(markup: string, schema: FormSchema, before?: FormSchema): void;
  clearRejectedEdit(): void;
}

/** Returns the settings that record a rename, for a form whose source is HTML. */
function renameIn(command: Command, settings: Content["settings"]): Content["settings"] {
  if (command.kind !== "update" || command.change.name === undefined || command.change.name === command.name) return {};
  return { [FORMER_NAMES]: withRename(formerNamesOf(settings), command.name, command.change.name) };
}

export function useEditHistory(opened: Content): EditHistory {
  const client = useClient();
  const [history, setHistory] = useState<History>(() => startHistory(opened));
  const [rejectedEdit, setRejectedEdit] = useState<RejectedEdit | null>(null);
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
      convertContent(client, { ...previewBody(content), ...(edit === undefined ? {} : { edit }) }),
    [client],
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
              settings: renameIn(command, before.shown.settings),
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
    [convert, applyResult],
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

  return useMemo<EditHistory>(
    () => ({
      history,
      rejectedEdit,
      latest: () => latest.current,
      set,
      run: runCommand,
      undo: () => void flush().then(() => set(undo(latest.current))),
      redo: () => void flush().then(() => set(redo(latest.current))),
      flush,
      convert,
      readMarkup,
      clearRejectedEdit: () => setRejectedEdit(null),
    }),
    [convert, flush, history, readMarkup, rejectedEdit, runCommand, set],
  );
}
