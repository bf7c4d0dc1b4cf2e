/** The forms that the inbox can be narrowed to, and the fields of the chosen one. */
import { useMemo } from "react";
import { useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { answerFields, useForms, useSchema } from "../../shared/api/queries.ts";
import type { Submission } from "../../../client/index.ts";
import { formOfSubmissionQuery, newestQuery } from "../../shared/api/resources.ts";
import { useMayChange } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import type { AnswerField } from "./answers.ts";
import type { NamedForm } from "./columns.tsx";

export interface InboxForms {
  readonly forms: readonly NamedForm[];
  readonly fields: readonly AnswerField[];
  /** How many of the newest submissions the forms were found in, where the forms themselves may not be asked for. */
  readonly ofNewest?: number;
}

export function useInboxForms(formId: number | null, rows: readonly Submission[]): InboxForms {
  const mayChange = useMayChange();
  const forms = useForms();
  const schema = useSchema(formId);
  const fields = useMemo(() => answerFields(schema.data), [schema.data]);
  const found = useFormsOfSubmissions(formId, rows);
  return mayChange ? { forms: forms.data ?? NONE, fields } : found;
}

const NONE: readonly never[] = [];

/** Among so many submissions a reader's forms are looked for. */
const NEWEST = 100;

/** Of so many forms a reader's list speaks: each is one request. */
const MAX_FORMS = 50;

/** What a submission holds of its form, for readers. */
type FormOfSubmission = Pick<Submission, "form_id" | "form_title" | "fields">;
type Place = Pick<Submission, "id" | "form_id">;

const known = (answers: readonly UseQueryResult<FormOfSubmission>[]): readonly FormOfSubmission[] =>
  answers.flatMap(({ data }) => data ?? []);

/** Readers may not ask for forms: a submission of each, among the newest and those in the list, names them. */
function useFormsOfSubmissions(formId: number | null, rows: readonly Submission[]): InboxForms {
  const t = useText();
  const client = useClient();
  const isReader = !useMayChange();
  const newest = useQuery({ ...newestQuery(client, NEWEST), enabled: isReader });
  const places = useMemo(() => {
    const all: readonly Place[] = isReader ? [...(newest.data ?? []), ...rows] : [];
    return [...new Map(all.map(({ id, form_id: form }) => [form, id]))].slice(0, MAX_FORMS);
  }, [isReader, newest.data, rows]);
  const found = useQueries({
    queries: places.map(([form, submission]) => formOfSubmissionQuery(client, form, submission)),
    combine: known,
  });
  return useMemo(() => {
    const forms = found
      .map(({ form_id: id, form_title: title }) => ({ id, title: title ?? `#${id}` }))
      .sort((one, other) => one.title.localeCompare(other.title));
    const isMissing = formId !== null && !forms.some(({ id }) => id === formId);
    return {
      // Of fewer submissions these are all forms that there is something of.
      ...(newest.data?.length === NEWEST ? { ofNewest: NEWEST } : {}),
      forms: isMissing ? [...forms, { id: formId, title: `${t("common.form")} #${formId}` }] : forms,
      fields: found.find(({ form_id: id }) => id === formId)?.fields ?? NONE,
    };
  }, [found, formId, newest.data, t]);
}
