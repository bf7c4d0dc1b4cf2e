/** Draft of a form, shared by all tabs of the form's screen: its history, its autosave and its session. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { Form, FormAction } from "../../../client/index.ts";
import { useClient } from "../api/client.ts";
import { formKeys, keys } from "../api/keys.ts";
import { formQuery } from "../api/resources.ts";
import { useEvent } from "../use-event.ts";
import { type Authors, type Draft, openDraft, type OpenedDraft } from "./draft.ts";
import { DraftSession, type SessionOptions, type SessionState } from "./draft-session.ts";
import { type History, isUnsaved } from "./history.ts";
import type { StoredDraft } from "./stored-content.ts";
import { type EditHistory, useEditHistory } from "./use-edit-history.ts";

/** Debounce before the draft is saved. */
const SAVE_DEBOUNCE_MS = 1_000;

/** Interval at which the draft is read again, because another user may have saved it. */
const PULL_INTERVAL_MS = 20_000;

/** Time for which a user counts as editing after a save. */
const EDITING_MS = 5 * 60_000;

const authorsOf = ({ draft }: StoredDraft): Authors => ({
  logins: draft.authors,
  removed: draft.warnings.map(({ message, user = draft.user }) => ({ login: user, message })),
});

const isEditing = (stored: StoredDraft | null, login: string | undefined): stored is StoredDraft =>
  stored !== null &&
  login !== undefined &&
  stored.draft.user !== login &&
  Date.now() - Date.parse(stored.draft.updated_at) < EDITING_MS;

/** Reads a form and its draft once; {@link useDraft} follows both afterwards. */
export function useOpenedDraft(id: number): UseQueryResult<OpenedDraft> {
  const client = useClient();
  return useQuery({
    queryKey: keys.editor(id),
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) => openDraft(client, id, signal),
  });
}

export function useDraft(
  opened: OpenedDraft,
  { login, onOthersChange }: Pick<SessionOptions, "login" | "onOthersChange">,
): Draft {
  const edits = useEditHistory(opened.content);
  const session = useSession(opened, edits, login, useEvent(onOthersChange));
  const state = useSyncExternalStore(session.subscribe, session.state);
  useAutosave(session, edits.history, state.activity);
  const { live, stored } = state;
  const content = edits.history.shown;
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
      ...commandsOf(edits),
      form,
      live,
      content,
      canUndo: edits.history.past.length > 0,
      canRedo: edits.history.future.length > 0,
      saving: savingOf(edits.history, state.activity),
      isPublishing: state.activity === "publishing",
      fault: state.fault,
      rebased: state.rebased,
      authors: stored === null ? null : authorsOf(stored),
      alsoEditing: isEditing(stored, login) ? stored.draft.user : null,
      save: session.save,
      publish: session.publish,
      publishRevision: session.publishRevision,
      changeLive: session.changeLive,
      discard: session.discard,
      decide: session.decide,
      closeRebased: session.closeRebased,
      clearFault: session.clearFault,
    }),
    [content, edits, form, live, login, session, state, stored],
  );
}

function savingOf(history: History, activity: SessionState["activity"]): Draft["saving"] {
  if (activity === "saving" || activity === "failed") return activity;
  return isUnsaved(history) ? "unsaved" : "saved";
}

/** Commands of the tabs that edit settings, actions and messages. */
function commandsOf({
  latest,
  run,
}: EditHistory): Pick<Draft, "current" | "setTitle" | "setSetting" | "setMessage" | "changeActions"> {
  return {
    current: () => latest().shown,
    setTitle: (title) => run({ kind: "title", title }, "title"),
    setSetting: (key, value) => run({ kind: "settings", change: { [key]: value } }, `setting ${key}`),
    setMessage: (key, value) => run({ kind: "messages", change: { [key]: value } }, `message ${key}`),
    changeActions(update) {
      const actions = latest().shown.settings["actions"] as readonly FormAction[];
      const next = update(actions);
      if (next !== actions) run({ kind: "settings", change: { actions: next } });
    },
  };
}

/** Creates the session, and synchronizes it with other tabs, users and screens. */
function useSession(
  opened: OpenedDraft,
  edits: EditHistory,
  login: string | undefined,
  onOthersChange: SessionOptions["onOthersChange"],
): DraftSession {
  const client = useClient();
  const queries = useQueryClient();
  const tabs = useRef<BroadcastChannel | null>(null);
  const { id } = opened.live.form;
  const [session] = useState(
    () =>
      new DraftSession({
        client,
        opened,
        edits,
        login,
        onOthersChange,
        onLive: ({ form, etag }) => queries.setQueryData(formQuery(client, id).queryKey, { form, etag }),
        onChanged: () => Promise.all(formKeys(id).map((queryKey) => queries.invalidateQueries({ queryKey }))),
        onStored: () => tabs.current?.postMessage("changed"),
      }),
  );
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") void session.pull().catch(() => undefined);
    };
    const channel = new BroadcastChannel(`cf-forms-draft-${id}`);
    tabs.current = channel;
    channel.addEventListener("message", refresh);
    const timer = setInterval(refresh, PULL_INTERVAL_MS);
    addEventListener("focus", refresh);
    return () => {
      channel.close();
      clearInterval(timer);
      removeEventListener("focus", refresh);
    };
  }, [id, session]);
  // Follows changes of the live form by another screen or another person.
  const { data: known } = useQuery({ ...formQuery(client, id), initialData: opened.live });
  useEffect(() => {
    void session.follow(known.form.revision).catch(() => undefined);
  }, [known.form.revision, session]);
  return session;
}

/** Saves a moment after the last edit and on leaving, and warns before a page with unsaved edits closes. */
function useAutosave({ save }: DraftSession, history: History, activity: SessionState["activity"]): void {
  useEffect(() => {
    if (!isUnsaved(history) || activity === "saving" || activity === "publishing") return;
    const timer = setTimeout(() => void save().catch(() => undefined), SAVE_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [history, save, activity]);
  const isChanged = isUnsaved(history);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);
  useEffect(() => () => void save().catch(() => undefined), [save]);
}
