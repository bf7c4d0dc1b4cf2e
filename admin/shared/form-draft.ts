/** Unsaved changes of a form, shared by all tabs of its screen. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, useClient } from "./api/client.ts";
import { keys } from "./api/keys.ts";
import { formQuery, type LoadedForm } from "./api/resources.ts";
import type { Form, FormAction, FormSettingsMembers, Input } from "../../client/index.ts";
import { useText } from "./text/text.tsx";
import { useNotices } from "./notices.ts";

export interface FormEdits {
  readonly title?: string;
  readonly slug?: string;
  readonly markup?: string;
  readonly settings?: FormSettingsMembers;
  readonly messages?: Readonly<Record<string, string>>;
}

/** Body of a request that saves a form. */
export type FormChange = NonNullable<Input<"updateForm">["body"]>;

export interface FormDraft {
  /** The form with the unsaved changes. */
  readonly form: Form;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Whether somebody else saved the form after it was loaded here. */
  readonly hasConflict: boolean;
  readonly fault: unknown;
  /** Warnings of the last save, such as an action that lacks a setting. */
  readonly warnings: readonly string[];
  change(edited: FormEdits): void;
  setSetting(key: string, value: unknown): void;
  /** Updates the current actions, not those of the last render. An `update` that returns its input changes nothing. */
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
  const [edited, setEdited] = useState<FormEdits>({});
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
    (more: FormEdits) =>
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
      // The API names fields that no submission can hold, but only counts removed elements.
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
      if (!(error instanceof ApiError)) notices.showError(error);
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
    hasConflict: fault instanceof ApiError && fault.status === 412,
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

function overlay(stored: Form, edited: FormEdits): Form {
  return {
    ...stored,
    ...(edited.title === undefined ? {} : { title: edited.title }),
    ...(edited.slug === undefined ? {} : { slug: edited.slug }),
    ...(edited.markup === undefined ? {} : { markup: edited.markup }),
    settings: { ...stored.settings, ...edited.settings },
    messages: { ...stored.messages, ...edited.messages },
  };
}

/** Returns the items of `X-CF-Warning`, decoding those that are percent-encoded. */
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
