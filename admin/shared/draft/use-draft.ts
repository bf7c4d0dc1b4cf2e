/**
 * Draft of a form, shared by all tabs of the form's screen: one undo history, autosave, merging of what others save, and
 * publishing.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Form, FormAction, FormStatus } from "../../../client/index.ts";
import { ApiError, useClient } from "../api/client.ts";
import { formKeys } from "../api/keys.ts";
import { formQuery } from "../api/resources.ts";
import { type Content, isSameContent, toDraft } from "./content.ts";
import type { Authors, Draft, FormChange, OpenedDraft, Rebased } from "./draft.ts";
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
import { useEditHistory } from "./use-edit-history.ts";

/** Debounce before the draft is saved. */
const SAVE_DEBOUNCE_MS = 1_000;

/** Interval at which the draft is read again, in case somebody else saved it. */
const PULL_INTERVAL_MS = 20_000;

/** How long somebody who saved the draft counts as editing. */
const EDITING_MS = 5 * 60_000;

/** Limit on the saves that are tried again after somebody else's save. */
const MAX_SAVE_ATTEMPTS = 4;

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Loads the merge with the first change of somebody else; most sessions have none. */
const loadMerge = () => import("./merge.ts");

const authorsOf = ({ draft }: StoredDraft): Authors => ({
  logins: draft.authors,
  removed: draft.warnings.map(({ message, user = draft.user }) => ({ login: user, message })),
});

const isEditing = (stored: StoredDraft | null, login: string | undefined): stored is StoredDraft =>
  stored !== null &&
  login !== undefined &&
  stored.draft.user !== login &&
  Date.now() - Date.parse(stored.draft.updated_at) < EDITING_MS;

export interface DraftOptions {
  /** Login of the signed-in user. */
  readonly login: string | undefined;
  /** Reports that somebody else's save changed the draft; `undo` sets the units back. */
  readonly onOthersChange: (login: string, undo: () => void) => void;
}

export function useDraft(opened: OpenedDraft, { login, onOthersChange }: DraftOptions): Draft {
  const client = useClient();
  const queries = useQueryClient();
  const edits = useEditHistory(opened.content);
  const { history, latest, set, flush } = edits;
  const [live, setLive] = useState(opened.live);
  const [stored, setStored] = useState(opened.stored);
  const [state, setState] = useState<"idle" | "saving" | "failed" | "publishing">("idle");
  const [fault, setFault] = useState<unknown>(null);
  const [rebased, setRebased] = useState<Rebased | null>(null);
  const id = opened.live.form.id;
  /** What the requests need, as of now. `synced` is the content of the last load or save. */
  const now = useRef({
    live: opened.live,
    base: opened.base,
    baseRevision: opened.baseRevision,
    stored: opened.stored,
    synced: opened.content,
  });
  const channel = useRef<BroadcastChannel | null>(null);
  const working = useRef<Promise<unknown>>(Promise.resolve());
  /** Runs requests one after the other, so that no save overtakes a publication. */
  const serial = useCallback(<Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = working.current.then(work, work);
    working.current = result.catch(() => undefined);
    return result;
  }, []);

  const takeLive = useCallback(
    (next: Live) => {
      now.current.live = next;
      setLive(next);
      queries.setQueryData(formQuery(client, next.form.id).queryKey, { form: next.form, etag: next.etag });
    },
    [client, queries],
  );
  const takeStored = useCallback((next: StoredDraft | null, content: Content) => {
    now.current.stored = next;
    now.current.synced = content;
    setStored(next);
  }, []);
  const announce = useCallback(() => channel.current?.postMessage("changed"), []);

  /** Merges a content that somebody else stored into every step of the history. */
  const mergeIn = useCallback(
    async (base: Content, theirs: Content): Promise<Rebased> => {
      const { merge } = await loadMerge();
      const before = latest();
      const { content, taken, conflicts } = merge(base, theirs, before.shown);
      const next = mapHistory(before, (step) => (step === before.shown ? content : merge(base, theirs, step).content));
      set(next);
      if (content.source === "markup" && content.markup !== before.shown.markup)
        edits.readMarkup(content.markup, await parseMarkup(client, content.title, content.markup));
      return { taken, conflicts };
    },
    [client, edits.readMarkup, latest, set],
  );

  /** Moves the draft onto a newer revision of the live form. Returns the conflicts. */
  const moveOnto = useCallback(
    async (next: Live, isByUser: boolean): Promise<readonly Conflict[]> => {
      await flush();
      takeLive(next);
      const { base, baseRevision } = now.current;
      if (next.form.revision === baseRevision) return [];
      const result = await mergeIn(base, next.content);
      const { merge } = await loadMerge();
      now.current.synced = merge(base, next.content, now.current.synced).content;
      now.current.base = next.content;
      now.current.baseRevision = next.form.revision;
      const isSilent = isByUser ? result.conflicts.length === 0 : result.taken + result.conflicts.length === 0;
      if (!isSilent) setRebased(result);
      return result.conflicts;
    },
    [flush, mergeIn, takeLive],
  );

  /** Content of a stored draft on the base of this one, also if somebody else stored it on an older base. */
  const contentOfDraft = useCallback(
    async ({ draft }: StoredDraft): Promise<Content> => {
      const { base, baseRevision } = now.current;
      if (draft.base_revision === baseRevision) return draftContent(client, draft, base);
      const older = await revisionContent(client, id, draft.base_revision).catch(() => base);
      const { merge } = await loadMerge();
      return merge(older, base, await draftContent(client, draft, older)).content;
    },
    [client, id],
  );

  /** Reads the stored draft again and merges what somebody else saved, published or discarded. */
  const pull = useCallback(async () => {
    await flush();
    const read = await readDraft(client, id);
    if (read?.etag === now.current.stored?.etag) return;
    if (read?.draft.base_revision !== now.current.baseRevision) await moveOnto(await readLive(client, id), false);
    const theirs = read === null ? now.current.live.content : await contentOfDraft(read);
    const before = latest().shown;
    const { taken } = await mergeIn(now.current.synced, theirs);
    takeStored(read, theirs);
    if (isSameContent(latest().shown, theirs)) set(markStored(latest(), latest().shown));
    if (read !== null && read.draft.user !== login && taken > 0)
      onOthersChange(read.draft.user, () => edits.run({ kind: "replace", content: before }));
  }, [client, contentOfDraft, edits.run, flush, id, latest, login, mergeIn, moveOnto, onOthersChange, set, takeStored]);

  /** Stores the draft, or removes it if it equals the live form. */
  const store = useCallback(async () => {
    await flush();
    const { shown } = latest();
    const { live: current, base, baseRevision, stored: known } = now.current;
    if (isSameContent(shown, current.content)) {
      if (known !== null) await client.deleteDraft({ id });
      takeStored(null, shown);
    } else {
      const headers = known?.etag == null ? { "If-None-Match": "*" } : { "If-Match": known.etag };
      const body = toDraft(shown, base, baseRevision);
      const { data, etag } = await client.answer("putDraft", { id, body }, { headers });
      takeStored({ draft: data, etag }, shown);
    }
    set(markStored(latest(), shown));
    announce();
  }, [announce, client, flush, id, latest, set, takeStored]);

  /** Saves what is unsaved. A 412 means that somebody else saved the draft, which is merged first. */
  const saveNow = useCallback(async () => {
    await flush();
    if (!isUnsaved(latest())) return;
    setState("saving");
    try {
      for (let attempt = 0; isUnsaved(latest()); attempt += 1) {
        try {
          await store();
        } catch (error) {
          if (!isConflict(error) || attempt === MAX_SAVE_ATTEMPTS) throw error;
          await pull();
        }
      }
      setState("idle");
    } catch (error) {
      setState("failed");
      throw error;
    }
  }, [flush, latest, pull, store]);
  const save = useCallback(() => serial(saveNow), [saveNow, serial]);

  const isChanged = isUnsaved(history);
  useEffect(() => {
    if (!isUnsaved(history) || state === "saving" || state === "publishing") return;
    const timer = setTimeout(() => void save().catch(() => undefined), SAVE_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [history, save, state]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);
  const saveOnLeave = useRef(save);
  saveOnLeave.current = save;
  useEffect(() => () => void saveOnLeave.current().catch(() => undefined), []);

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") void serial(pull).catch(() => undefined);
    };
    const tabs = new BroadcastChannel(`cf-forms-draft-${id}`);
    channel.current = tabs;
    tabs.addEventListener("message", refresh);
    const timer = setInterval(refresh, PULL_INTERVAL_MS);
    addEventListener("focus", refresh);
    return () => {
      tabs.close();
      clearInterval(timer);
      removeEventListener("focus", refresh);
    };
  }, [id, pull, serial]);

  // Another screen or another person changed the live form.
  const { data: known } = useQuery({ ...formQuery(client, id), initialData: opened.live });
  useEffect(() => {
    void serial(async () => {
      const { live: current } = now.current;
      const isNewer = known.form.revision > current.form.revision;
      await moveOnto(isNewer ? await readLive(client, id) : current, false);
    });
  }, [client, id, known.form.revision, moveOnto, serial]);

  const invalidate = useCallback(
    () => Promise.all(formKeys(id).map((queryKey) => queries.invalidateQueries({ queryKey }))),
    [id, queries],
  );

  const publishNow = useCallback(
    async (status?: FormStatus): Promise<number | null> => {
      const before = now.current.live.form.revision;
      await saveNow();
      setState("publishing");
      const { shown } = latest();
      try {
        await client.publishDraft({ id, body: status === undefined ? {} : { status } });
      } catch (error) {
        if (!isConflict(error)) throw error;
        const conflicts = await moveOnto(await readLive(client, id), false);
        return conflicts.length === 0 ? publishNow(status) : null;
      }
      takeStored(null, shown);
      const next = await readLive(client, id);
      takeLive(next);
      now.current = { ...now.current, base: next.content, baseRevision: next.form.revision, synced: next.content };
      // The engine completes what was published, such as the ids of new actions.
      set(
        markStored(
          mapHistory(latest(), (step) => (step === shown ? next.content : step)),
          next.content,
        ),
      );
      setRebased(null);
      announce();
      await invalidate();
      return before;
    },
    [announce, client, id, invalidate, latest, moveOnto, saveNow, set, takeLive, takeStored],
  );
  const publish = useCallback(
    async (status?: FormStatus): Promise<number | null> => {
      setFault(null);
      try {
        return await serial(() => publishNow(status));
      } catch (error) {
        setFault(error);
        return null;
      } finally {
        setState("idle");
      }
    },
    [publishNow, serial],
  );

  const changeLive = useCallback(
    (change: FormChange): Promise<Form> =>
      serial(async () => {
        await client.updateForm({ id, body: change });
        const next = await readLive(client, id);
        await moveOnto(next, true);
        await invalidate();
        return next.form;
      }),
    [client, id, invalidate, moveOnto, serial],
  );

  const discard = useCallback(
    () =>
      serial(async () => {
        await flush();
        if (now.current.stored !== null) await client.deleteDraft({ id });
        const { content } = now.current.live;
        edits.run({ kind: "replace", content });
        takeStored(null, content);
        set(markStored(latest(), latest().shown));
        setRebased(null);
        announce();
      }),
    [announce, client, edits.run, flush, id, latest, serial, set, takeStored],
  );

  const content = history.shown;
  const { title, settings, messages } = content;
  /** The live form with the draft's title, settings and messages. */
  const form = useMemo(
    (): Form => ({
      ...live.form,
      title,
      settings: settings as Form["settings"],
      messages: messages as Form["messages"],
    }),
    [live.form, title, settings, messages],
  );
  return useMemo<Draft>(
    () => ({
      ...edits,
      form,
      live,
      content,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      saving: state === "saving" ? "saving" : state === "failed" ? "failed" : isChanged ? "unsaved" : "saved",
      isPublishing: state === "publishing",
      fault,
      authors: stored === null ? null : authorsOf(stored),
      alsoEditing: isEditing(stored, login) ? stored.draft.user : null,
      rebased,
      current: () => latest().shown,
      setTitle: (title) => edits.run({ kind: "title", title }, "title"),
      setSetting: (key, value) => edits.run({ kind: "settings", change: { [key]: value } }, `setting ${key}`),
      setMessage: (key, value) => edits.run({ kind: "messages", change: { [key]: value } }, `message ${key}`),
      changeActions(update) {
        const actions = latest().shown.settings["actions"] as readonly FormAction[];
        const next = update(actions);
        if (next !== actions) edits.run({ kind: "settings", change: { actions: next } });
      },
      save,
      publish,
      async publishRevision(revision) {
        edits.run({ kind: "replace", content: await revisionContent(client, id, revision) });
        await publish();
      },
      changeLive,
      discard,
      decide(conflict, side) {
        void loadMerge().then(({ decide }) =>
          edits.run({ kind: "replace", content: decide(latest().shown, conflict, side) }),
        );
        setRebased((all) => all && { ...all, conflicts: all.conflicts.filter((other) => other !== conflict) });
      },
      closeRebased: () => setRebased(null),
      clearFault: () => setFault(null),
    }),
    [
      changeLive,
      client,
      content,
      discard,
      edits,
      fault,
      form,
      history,
      id,
      isChanged,
      latest,
      live,
      login,
      publish,
      rebased,
      save,
      state,
      stored,
    ],
  );
}
