/** Button that submits sample answers to the live form, as a visitor would. */
import type { ReactNode } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { submitForm } from "../../../client/submit.ts";
import { keys } from "../../shared/api/keys.ts";
import type { Field } from "../../shared/draft/content.ts";
import { factsOf } from "../../shared/field-facts.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { sampleAnswers } from "./sample-answers.ts";

export interface TestSubmissionProps {
  readonly form: { readonly id: number; readonly url: string };
  readonly fields: readonly Field[];
}

/** Lists that a new submission changes. */
const STALE = [keys.forms, keys.submissions, keys.poll, keys.counts, keys.unread, keys.newest];

function answersOf(fields: readonly Field[], text: string): FormData {
  const answers = new FormData();
  for (const { name, value, field } of sampleAnswers(fields, text)) {
    // A pattern may reject the sample, so fields with a pattern are left empty unless they are required.
    if (field.required || (field.validation.pattern ?? "") === "") answers.append(name, value);
  }
  return answers;
}

export function TestSubmission({ form, fields }: TestSubmissionProps): ReactNode {
  const t = useText();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => submitForm(form.url, answersOf(fields, t("test.sample"))),
    onSuccess: () => Promise.all(STALE.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const needsFile = fields.some(({ type, required }) => required && factsOf(type)?.answer === "files");
  const openForm = (
    <a href={form.url} target="_blank" rel="noopener">
      {t("first.fillIn")}
    </a>
  );
  if (needsFile) return openForm;
  return (
    <div className="row" role="status">
      {send.isSuccess ? (
        <>
          <span>{t("first.testSent")}</span>
          <Link href={`/inbox?form=${form.id}`}>{t("first.viewInbox")}</Link>
        </>
      ) : (
        <Button isPending={send.isPending} onPress={() => send.mutate()}>
          {t("first.testSubmission")}
        </Button>
      )}
      {send.isError ? (
        <>
          <ErrorText error={send.error} /> {openForm}
        </>
      ) : null}
    </div>
  );
}
