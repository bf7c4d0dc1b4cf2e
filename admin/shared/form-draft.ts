/** What was changed of a form and is not saved yet: one draft for all tabs. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, useClient } from "./api/client.ts";
import { keys } from "./api/keys.ts";
import { formQuery, type LoadedForm } from "./api/resources.ts";
import type { Form, FormAction, FormSettingsMembers, Input } from "../../client/index.ts";
import { useText } from "./text/text.tsx";
import { useNotices } from "./notices.ts";

export interface Edited {
  readonly title?: string;
  readonly slug?: string;
  readonly markup?: string;
  readonly settings?: FormSettingsMembers;
  readonly messages?: Readonly<Record<string, string>>;
}

/** What a save of a form may change. */
export type FormChange = NonNullable<Input<"updateForm">["body"]>;

export interface FormDraft {
  /** The form as it would be if it were saved now. */
  readonly form: Form;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Somebody else saved meanwhile. */
  readonly isBehind: boolean;
  readonly fault: unknown;
  /** What the saved form is warned of, such as an action that lacks a setting. */
  readonly warnings: readonly string[];
  change(edited: Edited): void;
  setSetting(key: string, value: unknown): void;
  /** Changes the actions as they are then, not as they were when this draft was shown; the same list is no change. */
  changeActions(update: (actions: readonly FormAction[]) => readonly FormAction[]): void;
  setMessage(key: string, value: string): void;
  save(further?: FormChange): Promise<boolean>;
  discard(): void;
}

/** Props of a tab of the form's screen. */
export interface TabProps {
  readonly draft: FormDraft;
}

export function useFormDraft({ form: stored, etag }: LoadedForm): FormDraft {
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const t = useText();
  const [edited, setEdited] = useState<Edited>({});
  const [base, setBase] = useState(etag);
  const [isSaving, setIsSaving] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const isChanged = Object.keys(edited).length > 0;

  useEffect(() => {
    if (!isChanged) setBase(etag);
  }, [etag, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);

  const form = useMemo(() => overlay(stored, edited), [stored, edited]);
  const latest = useRef(form);
  latest.current = form;
  const change = useCallback(
    (more: Edited) =>
      setEdited((before) => ({
        ...before,
        ...more,
        ...(more.settings === undefined ? {} : { settings: { ...before.settings, ...more.settings } }),
        ...(more.messages === undefined ? {} : { messages: { ...before.messages, ...more.messages } }),
      })),
    [],
  );

  const save = async (further: FormChange = {}): Promise<boolean> => {
    setIsSaving(true);
    setFault(null);
    try {
      const headers = base === null ? {} : { "If-Match": base };
      const answer = await client.answer("updateForm", { id: stored.id, body: { ...edited, ...further } }, { headers });
      queries.setQueryData(formQuery(client, stored.id).queryKey, { form: answer.data, etag: answer.etag });
      setBase(answer.etag);
      setEdited({});
      const warnings = warningsOf(answer.headers);
      // What no submission can hold is named; what was removed is only counted.
      const removed =
        Number(answer.headers.get("x-cf-warnings") ?? 0) -
        warnings.filter((text) => text.startsWith("not stored,")).length;
      setWarnings([...warnings, ...(removed > 0 ? [t("form.removed", { count: removed })] : [])]);
      await Promise.all(
        [keys.forms, keys.schema(stored.id), keys.revisions(stored.id)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
      return true;
    } catch (error) {
      setFault(error);
      if (!(error instanceof ApiError)) notices.fail(error);
      return false;
    } finally {
      setIsSaving(false);
    }
  };

  return {
    form,
    isChanged,
    isSaving,
    fault,
    change,
    save,
    warnings,
    isBehind: fault instanceof ApiError && fault.status === 412,
    setSetting: (key, value) => change({ settings: { [key]: value } }),
    changeActions(update) {
      const { actions } = latest.current.settings;
      const next = update(actions);
      if (next !== actions) change({ settings: { actions: next } });
    },
    setMessage: (key, value) => change({ messages: { [key]: value } }),
    discard() {
      setEdited({});
      setFault(null);
      void queries.invalidateQueries({ queryKey: keys.form(stored.id) });
    },
  };
}

function overlay(stored: Form, edited: Edited): Form {
  return {
    ...stored,
    ...(edited.title === undefined ? {} : { title: edited.title }),
    ...(edited.slug === undefined ? {} : { slug: edited.slug }),
    ...(edited.markup === undefined ? {} : { markup: edited.markup }),
    settings: { ...stored.settings, ...edited.settings },
    messages: { ...stored.messages, ...edited.messages },
  };
}

/** The header's items, which are percent-encoded where they are no plain text. */
export function warningsOf(headers: Headers): readonly string[] {
  const text = headers.get("x-cf-warning");
  if (text === null || text === "") return [];
  return text.split(/,\s+/).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}
