/** Undo history of a form's content, with edits of an author's HTML made by the engine in place. */
import { useMemo, useState } from "react";
import { useClient } from "../api/client.ts";
import type { Command } from "./commands.ts";
import type { Content, FormSchema } from "./content.ts";
import { isDeepEqual } from "./deep-equal.ts";
import { type History, redo, startHistory, undo, withParsedSchema } from "./history.ts";
import { MarkupEditQueue, type RejectedEdit } from "./markup-edit-queue.ts";
import type { Converted } from "./stored-content.ts";

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

export function useEditHistory(opened: Content): EditHistory {
  const client = useClient();
  const [history, setHistory] = useState<History>(() => startHistory(opened));
  const [rejectedEdit, setRejectedEdit] = useState<RejectedEdit | null>(null);
  const [queue] = useState(
    () => new MarkupEditQueue(client, history, { onHistory: setHistory, onRejected: setRejectedEdit }),
  );
  // The methods stay the same while the history changes, since effects depend on them.
  const methods = useMemo(
    () => ({
      latest: () => queue.latest,
      set: (next: History) => queue.set(next),
      run: (command: Command, mergeKey?: string) => queue.run(command, mergeKey),
      undo: () => void queue.flush().then(() => queue.set(undo(queue.latest))),
      redo: () => void queue.flush().then(() => queue.set(redo(queue.latest))),
      flush: () => queue.flush(),
      convert: (content: Content, edit?: Readonly<Record<string, unknown>>) => queue.convert(content, edit),
      readMarkup: (markup: string, schema: FormSchema, before?: FormSchema) =>
        readMarkup(queue, markup, schema, before),
      clearRejectedEdit: () => setRejectedEdit(null),
    }),
    [queue],
  );
  return useMemo(() => ({ history, rejectedEdit, ...methods }), [history, rejectedEdit, methods]);
}

/** Sets the schema that typed HTML was parsed to, unless the content changed since. */
function readMarkup(queue: MarkupEditQueue, markup: string, schema: FormSchema, before?: FormSchema): void {
  const { shown } = queue.latest;
  const isCurrent =
    shown.source === "markup" && shown.markup === markup && (before === undefined || shown.schema === before);
  if (isCurrent && !isDeepEqual(shown.schema, schema)) queue.set(withParsedSchema(queue.latest, schema));
}
