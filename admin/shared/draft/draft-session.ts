/**
 * Requests of a draft, without React: saves, merges other users' saves, publishes and discards. Requests run in
 * sequence, so that no save overtakes a publication.
 */
import type { Form, FormStatus } from "../../../client/index.ts";
import { ApiError, type Client } from "../api/client.ts";
import { type Content, isSameContent, toDraft } from "./content.ts";
import type { FormChange, OpenedDraft, Rebased } from "./draft.ts";
import { isUnsaved, mapHistory, markStored } from "./history.ts";
import type { Conflict } from "./merge.ts";
import {
  draftContent,
  type Live,
  parseMarkup,
  readDraft,
  readLive,
  revisionContent,
  type StoredDraft,
} from "./stored-content.ts";
import type { EditHistory } from "./use-edit-history.ts";

/** Limit on the retries of a save after other users' saves. */
const MAX_SAVE_ATTEMPTS = 4;

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status;

/** Loads the merge code when the first merge needs it; most sessions have none. */
const loadMerge = () => import("./merge.ts");

/** State that the screen shows. Each change replaces the object. */
export interface SessionState {
  readonly live: Live;
  readonly stored: StoredDraft | null;
  readonly activity: "idle" | "saving" | "failed" | "publishing";
  /** Error of the last attempt to publish. */
  readonly fault: unknown;
  readonly rebased: Rebased | null;
}

/** A change of the draft by a save outside this tab. */
export interface OthersChange {
  readonly before: Content;
  readonly after: Content;
  undo(): void;
}

export interface SessionOptions {
  readonly client: Client;
  readonly opened: OpenedDraft;
  readonly edits: Pick<EditHistory, "flush" | "latest" | "readMarkup" | "run" | "set">;
  /** Login of the signed-in user. */
  readonly login: string | undefined;
  /**
   * Reports that another user's save changed the draft, or that a save in another tab replaced an edit of this one.
   * `undo` restores the content.
   */
  readonly onOthersChange: (login: string, change: OthersChange) => void;
  /** Reports a new version of the live form. */
  readonly onLive: (live: Live) => void;
  /** Reports that this session changed the live form; resolves when the screens are updated. */
  readonly onChanged: () => Promise<unknown>;
  /** Reports to other tabs that the stored draft changed. */
  readonly onStored: () => void;
}

export class DraftSession {
  readonly #options: SessionOptions;
  readonly #id: number;
  /** Content and revision that the draft is based on. */
  #base: Content;
  #baseRevision: number;
  /** Content of the last load or save, the common base of a merge with the stored draft. */
  #synced: Content;
  /** Content when this tab opened the form or published it, the base of the edits of this tab. */
  #opened: Content;
  #state: SessionState;
  #running: Promise<unknown> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  constructor(options: SessionOptions) {
    const { live, base, baseRevision, content, stored } = options.opened;
    this.#options = options;
    this.#id = live.form.id;
    this.#base = base;
    this.#baseRevision = baseRevision;
    this.#synced = content;
    this.#opened = content;
    this.#state = { live, stored, activity: "idle", fault: null, rebased: null };
  }

  readonly state = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Saves unsaved changes. */
  readonly save = (): Promise<void> => this.#serial(() => this.#save());

  /** Merges the state that another user saved, published or discarded. */
  readonly pull = (): Promise<void> => this.#serial(() => this.#pull());

  /** Moves the draft onto a newer revision of the live form, if there is one. */
  readonly follow = (revision: number): Promise<void> =>
    this.#serial(async () => {
      const isNewer = revision > this.#state.live.form.revision;
      await this.#moveOnto(isNewer ? await this.#readLive() : this.#state.live, false);
    });

  /**
   * Publishes the draft, if there is one, and sets the status, if one is given. Resolves to the revision that was live
   * before; null if it failed.
   */
  readonly publish = async (status?: FormStatus): Promise<number | null> => {
    this.#show({ fault: null });
    try {
      return await this.#serial(() => this.#publish(status));
    } catch (fault) {
      this.#show({ fault });
      return null;
    } finally {
      this.#show({ activity: "idle" });
    }
  };

  /** Publishes the content of an earlier revision. */
  readonly publishRevision = async (revision: number): Promise<void> => {
    const content = await revisionContent(this.#options.client, this.#id, revision);
    this.#options.edits.run({ kind: "replace", content });
    await this.publish();
  };

  /** Changes the live form at once: its status, its schedule, its link. */
  readonly changeLive = (change: FormChange): Promise<Form> =>
    this.#serial(async () => {
      await this.#options.client.updateForm({ id: this.#id, body: change });
      const live = await this.#readLive();
      await this.#moveOnto(live, true);
      await this.#options.onChanged();
      return live.form;
    });

  /** Removes the draft. */
  readonly discard = (): Promise<void> =>
    this.#serial(async () => {
      await this.#pull();
      await this.#removeDraft();
      const { content } = this.#state.live;
      this.#options.edits.run({ kind: "replace", content });
      this.#takeStored(null, content);
      this.#markStored(content);
      this.#show({ rebased: null });
      this.#options.onStored();
    });

  /** Decides a conflict of the last merge. */
  readonly decide = async (conflict: Conflict, side: "theirs" | "yours"): Promise<void> => {
    const { decide } = await loadMerge();
    const { edits } = this.#options;
    edits.run({ kind: "replace", content: decide(edits.latest().shown, conflict, side) });
    const { rebased } = this.#state;
    this.#show({
      rebased: rebased && { ...rebased, conflicts: rebased.conflicts.filter((other) => other !== conflict) },
    });
  };

  readonly closeRebased = (): void => this.#show({ rebased: null });
  readonly clearFault = (): void => this.#show({ fault: null });

  #serial<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#running.then(work, work);
    this.#running = result.catch(() => undefined);
    return result;
  }

  #show(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  #readLive(): Promise<Live> {
    return readLive(this.#options.client, this.#id);
  }

  #takeLive(live: Live): void {
    this.#show({ live });
    this.#options.onLive(live);
  }

  #takeStored(stored: StoredDraft | null, content: Content): void {
    this.#synced = content;
    this.#show({ stored });
  }

  #markStored(content: Content): void {
    const { edits } = this.#options;
    edits.set(markStored(edits.latest(), content));
  }

  /** Merges content that another user stored into every step of the history. */
  async #mergeIn(base: Content, theirs: Content): Promise<Rebased> {
    const { client, edits } = this.#options;
    const { merge } = await loadMerge();
    const before = edits.latest();
    const { content, taken, conflicts } = merge(base, theirs, before.shown);
    edits.set(mapHistory(before, (step) => (step === before.shown ? content : merge(base, theirs, step).content)));
    if (content.source === "markup" && content.markup !== before.shown.markup)
      edits.readMarkup(content.markup, await parseMarkup(client, content.title, content.markup));
    return { taken, conflicts };
  }

  /** Moves the draft onto a revision of the live form. Returns the conflicts. */
  async #moveOnto(live: Live, isByUser: boolean): Promise<readonly Conflict[]> {
    await this.#options.edits.flush();
    this.#takeLive(live);
    if (live.form.revision === this.#baseRevision) return [];
    // Another user's publication includes the edits that this tab saved, so these are part of the base.
    const base = !isByUser && (await this.#isDraftPublished()) ? this.#synced : this.#base;
    const rebased = await this.#mergeIn(base, live.content);
    const { merge } = await loadMerge();
    this.#synced = merge(base, live.content, this.#synced).content;
    this.#base = live.content;
    this.#baseRevision = live.form.revision;
    const { taken, conflicts } = rebased;
    const isSilent = isByUser ? conflicts.length === 0 : taken + conflicts.length === 0;
    if (!isSilent) this.#show({ rebased });
    return conflicts;
  }

  /** Whether the stored draft is gone, as after another user's publication. */
  async #isDraftPublished(): Promise<boolean> {
    return this.#state.stored !== null && (await readDraft(this.#options.client, this.#id)) === null;
  }

  /** Content of a stored draft, moved to the base of this session if another user stored it on an older base. */
  async #contentOf({ draft }: StoredDraft): Promise<Content> {
    const { client } = this.#options;
    if (draft.base_revision === this.#baseRevision) return draftContent(client, draft, this.#base);
    const older = await revisionContent(client, this.#id, draft.base_revision).catch(() => this.#base);
    const { merge } = await loadMerge();
    return merge(older, this.#base, await draftContent(client, draft, older)).content;
  }

  async #pull(): Promise<void> {
    const { client, edits, login, onOthersChange } = this.#options;
    await edits.flush();
    const read = await readDraft(client, this.#id);
    if (read?.etag === this.#state.stored?.etag) return;
    if (read?.draft.base_revision !== this.#baseRevision) await this.#moveOnto(await this.#readLive(), false);
    const theirs = read === null ? this.#state.live.content : await this.#contentOf(read);
    const before = edits.latest().shown;
    const isOverwritten = await this.#isOverwritten(theirs, before);
    const { taken } = await this.#mergeIn(this.#synced, theirs);
    this.#takeStored(read, theirs);
    const { shown } = edits.latest();
    if (isSameContent(shown, theirs)) this.#markStored(shown);
    // Changes by the same account in another tab need no notice, unless they replace an edit: people may share it.
    if (read !== null && taken > 0 && (read.draft.user !== login || isOverwritten))
      onOthersChange(read.draft.user, {
        before,
        after: shown,
        undo: () => edits.run({ kind: "replace", content: before }),
      });
  }

  /** Whether stored content replaces an edit of this tab by another one. */
  async #isOverwritten(theirs: Content, shown: Content): Promise<boolean> {
    const { merge } = await loadMerge();
    return merge(this.#opened, theirs, shown).conflicts.length > 0;
  }

  async #save(): Promise<void> {
    const { edits } = this.#options;
    await edits.flush();
    if (!isUnsaved(edits.latest())) return;
    this.#show({ activity: "saving" });
    try {
      for (let attempt = 0; isUnsaved(edits.latest()); attempt += 1) {
        try {
          await this.#store();
        } catch (error) {
          if (!hasStatus(error, 412) || attempt === MAX_SAVE_ATTEMPTS) throw error;
          await this.#pull();
        }
      }
      this.#show({ activity: "idle" });
    } catch (error) {
      this.#show({ activity: "failed" });
      throw error;
    }
  }

  /** Stores the draft, or removes it if it equals the live form. */
  async #store(): Promise<void> {
    const { client, edits, onStored } = this.#options;
    await edits.flush();
    const { shown } = edits.latest();
    const { live, stored } = this.#state;
    if (isSameContent(shown, live.content)) {
      await this.#removeDraft();
      this.#takeStored(null, shown);
    } else {
      const headers = stored?.etag == null ? { "If-None-Match": "*" } : { "If-Match": stored.etag };
      const body = toDraft(shown, this.#base, this.#baseRevision);
      const { data, etag } = await client.answer("putDraft", { id: this.#id, body }, { headers });
      this.#takeStored({ draft: data, etag }, shown);
    }
    this.#markStored(shown);
    onStored();
  }

  /** Removes the stored draft, unless another user changed it since it was read. */
  async #removeDraft(): Promise<void> {
    const { stored } = this.#state;
    if (stored === null) return;
    const headers = stored.etag === null ? {} : { "If-Match": stored.etag };
    await this.#options.client.deleteDraft({ id: this.#id }, { headers }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error;
    });
  }

  async #publish(status: FormStatus | undefined): Promise<number | null> {
    const { client, edits, onChanged, onStored } = this.#options;
    const before = this.#state.live.form.revision;
    await this.#save();
    this.#show({ activity: "publishing" });
    const { shown } = edits.latest();
    try {
      await client.publishDraft({ id: this.#id, body: status === undefined ? {} : { status } });
    } catch (error) {
      if (!hasStatus(error, 412)) throw error;
      const conflicts = await this.#moveOnto(await this.#readLive(), false);
      return conflicts.length === 0 ? this.#publish(status) : null;
    }
    const live = await this.#readLive();
    this.#takeStored(null, live.content);
    this.#takeLive(live);
    this.#base = live.content;
    this.#opened = live.content;
    this.#baseRevision = live.form.revision;
    // The engine completes the published content, for example with ids of new actions.
    const { content } = live;
    edits.set(
      markStored(
        mapHistory(edits.latest(), (step) => (step === shown ? content : step)),
        content,
      ),
    );
    this.#show({ rebased: null });
    onStored();
    await onChanged();
    return before;
  }
}
