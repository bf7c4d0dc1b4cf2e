/** Queue of edits that the engine makes in an author's HTML, in place and one after another. */
import { ApiError, type Client } from "../api/client.ts";
import type { Command } from "./commands.ts";
import type { Content } from "./content.ts";
import { FORMER_NAMES, formerNamesOf, withRename } from "./former-names.ts";
import { type History, run } from "./history.ts";
import { markupEditsOf } from "./markup-edits.ts";
import { convert as convertContent, type Converted, previewBody } from "./stored-content.ts";

/** Debounce before an edit of a field in an author's HTML is sent to the engine. */
const EDIT_DEBOUNCE_MS = 350;

/** Edit that could not be made in the author's HTML. */
export interface RejectedEdit {
  readonly command: Command;
  readonly reason: string;
}

/** Edit of a field that is shown already and not sent yet. */
interface UnsentEdit {
  readonly name: string;
  change: Record<string, unknown>;
  /** History without the edit. */
  before: History;
}

interface DebouncedEdit extends UnsentEdit {
  readonly timer: ReturnType<typeof setTimeout>;
}

type Update = Extract<Command, { readonly kind: "update" }>;

/** Called with each new history and each rejected edit. */
export interface MarkupEditListener {
  readonly onHistory: (history: History) => void;
  readonly onRejected: (edit: RejectedEdit) => void;
}

export class MarkupEditQueue {
  /** Current history, including commands that are not rendered yet. */
  latest: History;
  readonly #client: Client;
  readonly #listener: MarkupEditListener;
  #debounced: DebouncedEdit | null = null;
  /** The oldest edit comes first. */
  #unsent: UnsentEdit[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(client: Client, opened: History, listener: MarkupEditListener) {
    this.#client = client;
    this.latest = opened;
    this.#listener = listener;
  }

  set(next: History): void {
    this.latest = next;
    this.#listener.onHistory(next);
  }

  convert(content: Content, edit?: Readonly<Record<string, unknown>>): Promise<Converted> {
    return convertContent(this.#client, { ...previewBody(content), ...(edit === undefined ? {} : { edit }) });
  }

  /** Runs a command: in the author's HTML if that is the source, else in the content. */
  run(command: Command, mergeKey?: string): void {
    if (this.latest.shown.source !== "markup" || !changesFields(command))
      this.set(run(this.latest, command, mergeKey ?? null));
    else if (command.kind === "update") this.#update(command);
    else this.#enqueue(() => this.#editMarkup(this.latest, command));
  }

  /** Waits until no edit is debounced or queued, including edits that arrive meanwhile. */
  async flush(): Promise<void> {
    for (let waited: Promise<void> | null = null; this.#debounced !== null || this.#queue !== waited; ) {
      if (this.#debounced !== null) this.#enqueue(() => undefined);
      waited = this.#queue;
      await waited;
    }
  }

  /** Shows an edit of a field at once. It is sent after a debounce, together with later edits of the field. */
  #update(command: Update): void {
    const before = this.#debounced?.name === command.name ? this.#debounced.before : null;
    if (before === null && this.#debounced !== null) {
      this.#enqueue(() => this.run(command));
      return;
    }
    clearTimeout(this.#debounced?.timer);
    this.#unsent = this.#unsent.filter((other) => other !== this.#debounced);
    this.#debounced = {
      name: command.name,
      change: { ...this.#debounced?.change, ...command.change },
      before: before ?? this.latest,
      timer: setTimeout(() => void this.flush(), EDIT_DEBOUNCE_MS),
    };
    this.#unsent.push(this.#debounced);
    // Optimistic update; the HTML follows.
    this.set(run(this.latest, command, `edit ${command.name}`));
  }

  /** Adds work to the queue, after the debounced edit. The work must not wait for {@link flush}. */
  #enqueue(work: () => Promise<void> | void): void {
    const edit = this.#debounced;
    if (edit !== null) {
      clearTimeout(edit.timer);
      this.#debounced = null;
      this.#queue = this.#queue.then(() => {
        this.#unsent = this.#unsent.filter((other) => other !== edit);
        return this.#editMarkup(edit.before, { kind: "update", name: edit.name, change: edit.change });
      });
    }
    this.#queue = this.#queue.then(work);
  }

  /** Applies a command to the HTML as one undo step; the server's result replaces the optimistic update. */
  async #editMarkup(before: History, command: Command): Promise<void> {
    try {
      const edits = markupEditsOf(command);
      if (edits === null) throw new ApiError(409, "markup_not_patched", "");
      let { markup, schema } = before.shown;
      for (const edit of edits)
        ({ markup, schema } = await this.convert({ ...before.shown, markup, schema }, edit(schema)));
      const settings = renameIn(command, before.shown.settings);
      this.#applyResult(run({ ...before, future: [] }, { kind: "markup", markup, schema, settings }));
    } catch (error) {
      this.#applyResult(before);
      const reason = error instanceof ApiError ? String(error.data["reason"] ?? error.message) : String(error);
      this.#listener.onRejected({ command, reason });
    }
  }

  /** Takes the result of an edit and reapplies the unsent edits to it, so that they stay visible. */
  #applyResult(next: History): void {
    let shown = next;
    for (const edit of this.#unsent) {
      edit.before = next;
      shown = run(shown, { kind: "update", name: edit.name, change: edit.change }, `edit ${edit.name}`);
    }
    this.set(shown);
  }
}

/** Whether a command changes fields or their order, which an author's HTML holds. */
const changesFields = ({ kind }: Command): boolean =>
  ["add", "remove", "update", "move", "layout"].includes(kind) || kind.endsWith("_step");

/** Returns the settings that record a rename, for a form whose source is HTML. */
function renameIn(command: Command, settings: Content["settings"]): Content["settings"] {
  if (command.kind !== "update" || command.change.name === undefined || command.change.name === command.name) return {};
  return { [FORMER_NAMES]: withRename(formerNamesOf(settings), command.name, command.change.name) };
}
