/** The draft of a form, as the tabs of the form's screen see it. */
import type { Form, FormAction, FormStatus, Input } from "../../../client/index.ts";
import type { Client } from "../api/client.ts";
import type { Content } from "./content.ts";
import type { Conflict } from "./merge.ts";
import { draftContent, type Live, readDraft, readLive, revisionContent, type StoredDraft } from "./stored-content.ts";
import type { EditHistory } from "./use-edit-history.ts";

/** Logins of all who saved the draft, and warnings about what was removed from their saves. */
export interface Authors {
  readonly logins: readonly string[];
  readonly removed: readonly { readonly login: string; readonly message: string }[];
}

export interface OpenedDraft {
  readonly live: Live;
  /** Content of the revision that the draft is based on. */
  readonly base: Content;
  readonly baseRevision: number;
  readonly content: Content;
  readonly stored: StoredDraft | null;
}

/** Body of a request that changes the live form. */
export type FormChange = NonNullable<Input<"updateForm">["body"]>;

/** Changes in the draft that another person's publication made. */
export interface Rebased {
  readonly taken: number;
  readonly conflicts: readonly Conflict[];
}

type EditCommands = Pick<
  EditHistory,
  "run" | "undo" | "redo" | "convert" | "readMarkup" | "rejectedEdit" | "clearRejectedEdit"
>;

export interface Draft extends EditCommands {
  /** The live form, with the draft's title, settings and messages. */
  readonly form: Form;
  readonly live: Live;
  readonly content: Content;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly saving: "saved" | "unsaved" | "saving" | "failed";
  readonly isPublishing: boolean;
  /** Error of the last attempt to publish. */
  readonly fault: unknown;
  readonly authors: Authors | null;
  /** Login of another user who saved the draft in the last minutes. */
  readonly alsoEditing: string | null;
  /** Result of the last merge with another user's publication; null if there was none. */
  readonly rebased: Rebased | null;
  /** Current content, including commands that are not rendered yet. */
  current(): Content;
  setTitle(title: string): void;
  setSetting(key: string, value: unknown): void;
  setMessage(key: string, value: string): void;
  /** Updates the current actions, not those of the last render. An `update` that returns its input changes nothing. */
  changeActions(update: (actions: readonly FormAction[]) => readonly FormAction[]): void;
  /** Saves now, such as when a field loses the focus. */
  save(): Promise<void>;
  /**
   * Publishes the draft, if there is one, and sets the status, if one is given. Resolves to the revision that was live
   * before; null if it failed.
   */
  publish(status?: FormStatus): Promise<number | null>;
  /** Publishes the content of an earlier revision. */
  publishRevision(revision: number): Promise<void>;
  /** Changes the live form at once: its status, its schedule, its link. */
  changeLive(change: FormChange): Promise<Form>;
  discard(): Promise<void>;
  /** Decides a conflict of {@link rebased}. */
  decide(conflict: Conflict, side: "theirs" | "yours"): Promise<void>;
  closeRebased(): void;
  clearFault(): void;
}

/** Props of a tab of the form's screen. */
export interface TabProps {
  readonly draft: Draft;
}

/** Loads the live form and the draft over it. */
export async function openDraft(client: Client, id: number, signal: AbortSignal): Promise<OpenedDraft> {
  const [live, stored] = await Promise.all([readLive(client, id, signal), readDraft(client, id, signal)]);
  const baseRevision = stored?.draft.base_revision ?? live.form.revision;
  const base =
    baseRevision === live.form.revision
      ? live.content
      : await revisionContent(client, id, baseRevision).catch(() => live.content);
  const content = stored === null ? live.content : await draftContent(client, stored.draft, base);
  return { live, base, baseRevision, content, stored };
}
