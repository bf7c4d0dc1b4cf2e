/** Forms that the inbox can be filtered by, and the fields of the selected form. */
import { useMemo } from "react";
import { useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { answerFields, useForms, useSchema } from "../../shared/api/queries.ts";
import type { Submission } from "../../../client/index.ts";
import { formOfSubmissionQuery, newestQuery } from "../../shared/api/resources.ts";
import { useCanChange } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import type { AnswerField } from "./answers.ts";
import type { NamedForm } from "./columns.tsx";

export interface InboxForms {
  readonly forms: readonly NamedForm[];
  readonly fields: readonly AnswerField[];
  /** Number of newest submissions that the forms were collected from, for users who may not list forms. */
  readonly newestCount?: number;
}

export function useInboxForms(formId: number | null, rows: readonly Submission[]): InboxForms {
  const canChange = useCanChange();
  const forms = useForms();
  const schema = useSchema(formId);
  const fields = useMemo(() => answerFields(schema.data), [schema.data]);
  const found = useFormsOfSubmissions(formId, rows);
  return canChange ? { forms: forms.data ?? EMPTY, fields } : found;
}

const EMPTY: readonly never[] = [];

/** Number of newest submissions that a reader's forms are collected from. */
const NEWEST_COUNT = 100;

/** Limit of a reader's list of forms, because each form needs a request. */
const MAX_FORMS = 50;

/** Members of a submission that describe its form. */
type FormOfSubmission = Pick<Submission, "form_id" | "form_title" | "fields">;
type SubmissionKey = Pick<Submission, "id" | "form_id">;

const loadedForms = (results: readonly UseQueryResult<FormOfSubmission>[]): readonly FormOfSubmission[] =>
  results.flatMap(({ data }) => data ?? []);

/** Collects forms for readers, who may not list them, from the newest and the listed submissions. */
function useFormsOfSubmissions(formId: number | null, rows: readonly Submission[]): InboxForms {
  const t = useText();
  const client = useClient();
  const isReader = !useCanChange();
  const newest = useQuery({ ...newestQuery(client, NEWEST_COUNT), enabled: isReader });
  const submissionByForm = useMemo(() => {
    const all: readonly SubmissionKey[] = isReader ? [...(newest.data ?? []), ...rows] : [];
    return [...new Map(all.map(({ id, form_id: form }) => [form, id]))].slice(0, MAX_FORMS);
  }, [isReader, newest.data, rows]);
  const found = useQueries({
    queries: submissionByForm.map(([form, submission]) => formOfSubmissionQuery(client, form, submission)),
    combine: loadedForms,
  });
  return useMemo(() => {
    const forms = found
      .map(({ form_id: id, form_title: title }) => ({ id, title: title ?? `#${id}` }))
      .sort((one, other) => one.title.localeCompare(other.title));
    const isMissing = formId !== null && !forms.some(({ id }) => id === formId);
    return {
      // With fewer than `NEWEST_COUNT` submissions, the list holds every form that has any.
      ...(newest.data?.length === NEWEST_COUNT ? { newestCount: NEWEST_COUNT } : {}),
      forms: isMissing ? [...forms, { id: formId, title: `${t("common.form")} #${formId}` }] : forms,
      fields: answerFields({ fields: found.find(({ form_id: id }) => id === formId)?.fields ?? EMPTY }),
    };
  }, [found, formId, newest.data, t]);
}
