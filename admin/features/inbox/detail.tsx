/** Detail view of one submission: buttons, answers, files, timeline, notes and source. */
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { answerFields, useSchema } from "../../shared/api/queries.ts";
import { formActionsQuery } from "../../shared/api/resources.ts";
import type { Submission } from "../../../client/index.ts";
import { useCanChange } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { ErrorMessage, Loading } from "../../ui/states.tsx";
import { type AnswerField, answerText, labelOf, shownAnswer, summaryOf } from "./answers.ts";
import { DaysLeft, StatusBadge } from "./columns.tsx";
import { DetailBar } from "./detail-bar.tsx";
import { EditAnswers } from "./edit-answers.tsx";
import { FileList } from "./files.tsx";
import { mailtoOf, quoted, replyAddress, replyFieldsOf } from "./reply.ts";
import { Timeline } from "./timeline.tsx";
import type { Submissions } from "./use-submissions.ts";
import type { Verb } from "./verbs.ts";
import { useEvent } from "../../shared/use-event.ts";

export interface DetailProps {
  readonly id: number;
  readonly query: UseQueryResult<Submission>;
  /** The submission with the list's optimistic updates; null until it is read. */
  readonly submission: Submission | null;
  /** Title of the submission's form, if it is known. */
  readonly formTitle: string | undefined;
  readonly list: Submissions;
  /** Whether the detail view replaces the list instead of being beside it. */
  readonly isSheet: boolean;
  readonly replyLink: Ref<HTMLAnchorElement>;
  readonly onVerb: (verb: Verb) => void;
  readonly onStar: () => void;
  readonly onDelete: () => void;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onClose: () => void;
}

export function Detail(props: DetailProps): ReactNode {
  const { id, query, submission, isSheet } = props;
  const t = useText();
  const section = useRef<HTMLElement>(null);
  // The list is hidden, so the detail view takes the focus.
  useEffect(() => {
    if (isSheet) section.current?.focus();
  }, [isSheet]);
  return (
    <section className="detail" aria-label={t("detail.title", { id })} ref={section} tabIndex={-1}>
      {submission === null ? (
        <>
          <DetailBar {...props} submission={null} reply={null} onEdit={() => undefined} />
          {query.isError ? <ErrorMessage error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
        </>
      ) : (
        <Content {...props} submission={submission} />
      )}
    </section>
  );
}

function Content(props: DetailProps & { readonly submission: Submission }): ReactNode {
  const { submission, list } = props;
  const textOf = useTextOf();
  const t = useText();
  const canChange = useCanChange();
  const schema = useSchema(submission.form_id);
  const [isEditing, setIsEditing] = useState(false);
  const fields: readonly AnswerField[] = canChange
    ? answerFields(schema.data)
    : answerFields({ fields: submission.fields ?? [] });
  const formTitle = submission.form_title ?? props.formTitle ?? "";
  const address = useReplyAddress(submission, fields);
  const { heading, isName } = summaryOf(submission);
  const reply =
    address === null
      ? null
      : mailtoOf({
          to: address,
          subject: t("inbox.replySubject", { title: formTitle }),
          greeting: isName ? t("triage.greetingName", { name: heading }) : t("triage.greeting"),
          quote: quoted(submission, fields),
        });
  useMarkRead(submission, canChange, list.markRead);
  return (
    <>
      <DetailBar {...props} submission={submission} reply={reply} onEdit={() => setIsEditing(true)} />
      <div className="detail-content">
        <div className="detail-inner">
          <Heading submission={submission} address={address} formTitle={formTitle} />
          {submission.spam_reasons.length === 0 ? null : (
            <div className="hint">
              <strong>{t("detail.spamReasons", { score: submission.spam_score })}</strong>
              <ul className="bullets">
                {submission.spam_reasons.map((reason) => (
                  <li key={reason}>{textOf("reason", reason)}</li>
                ))}
              </ul>
            </div>
          )}
          <Answers submission={submission} fields={fields} />
          {submission.files.length === 0 ? null : <FileList submission={submission} fields={fields} />}
          <Timeline submission={submission} />
          <Facts submission={submission} />
        </div>
      </div>
      {isEditing ? (
        <EditAnswers
          submission={submission}
          fields={fields}
          onClose={() => setIsEditing(false)}
          onSaved={list.replace}
        />
      ) : null}
    </>
  );
}

/** The visitor's address. Unless the form has exactly one email field, an action's reply address selects the field. */
function useReplyAddress(submission: Submission, fields: readonly AnswerField[]): string | null {
  const canChange = useCanChange();
  const hasSeveral = fields.filter(({ type }) => type === "email").length !== 1;
  const { data: actions = [] } = useQuery({
    ...formActionsQuery(useClient(), submission.form_id),
    enabled: canChange && hasSeveral,
  });
  return replyAddress(submission, fields, replyFieldsOf(actions));
}

function Heading({
  submission,
  address,
  formTitle,
}: {
  readonly submission: Submission;
  readonly address: string | null;
  readonly formTitle: string;
}): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { id, status, submitted_at: submittedAt } = submission;
  const { heading } = summaryOf(submission);
  const number = t("triage.number", { id });
  return (
    <header className="detail-head">
      <h2>{heading === "" ? number : heading}</h2>
      <p className="muted row">
        {address === null ? null : <a href={`mailto:${encodeURIComponent(address).replace("%40", "@")}`}>{address}</a>}
        {formTitle === "" ? null : <span>{formTitle}</span>}
        <time dateTime={submittedAt}>{formats.dateTime(submittedAt)}</time>
        {heading === "" ? null : <span className="number">{number}</span>}
        {status === "new" || status === "read" ? null : <StatusBadge status={status} />}
        {status === "trash" ? <DaysLeft submission={submission} /> : null}
      </p>
    </header>
  );
}

/** Marks a new submission as read when it is opened. */
function useMarkRead(submission: Submission, canChange: boolean, markRead: (submission: Submission) => void): void {
  const isDone = useRef(false);
  const markOpened = useEvent(() => {
    // A submission that is marked as unread while it is shown stays unread.
    if (isDone.current) return;
    isDone.current = true;
    if (canChange && submission.status === "new") markRead(submission);
  });
  // A layout effect runs before the next key press, which may change the status.
  useLayoutEffect(() => markOpened(), []);
}

/** Types of fields without a line among the answers: files have a section, passwords are not stored. */
const WITHOUT_ANSWER: ReadonlySet<string> = new Set(["file", "password"]);
/** Types whose fields are left out while they are empty, because visitors do not fill them in. */
const HIDDEN_WHILE_EMPTY: ReadonlySet<string> = new Set(["hidden", "submit"]);

/** Answers in the order of the form, then answers whose field the form no longer has. */
function Answers({
  submission: { data },
  fields,
}: {
  readonly submission: Submission;
  readonly fields: readonly AnswerField[];
}): ReactNode {
  const t = useText();
  const known = new Set(fields.map(({ name }) => name));
  const rows = [
    ...fields
      .filter(({ name, type }) => !WITHOUT_ANSWER.has(type) && (name in data || !HIDDEN_WHILE_EMPTY.has(type)))
      .map((field) => ({ name: field.name, label: labelOf(field), text: shownAnswer(data[field.name], field) })),
    ...Object.entries(data)
      .filter(([name]) => !known.has(name))
      .map(([name, value]) => ({ name, label: name, text: answerText(value) })),
  ];
  if (rows.length === 0) return null;
  return (
    <dl className="panel answers">
      {rows.map(({ name, label, text }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd className={text === "" ? "unanswered" : "answer"}>{text === "" ? t("detail.noAnswer") : text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ submission }: { readonly submission: Submission }): ReactNode {
  const t = useText();
  const facts: readonly (readonly [string, string])[] = [
    [t("detail.page"), submission.page_url],
    [t("detail.referrer"), submission.referer_url],
    [t("detail.address"), submission.ip_address],
    [t("detail.browser"), submission.user_agent],
  ];
  return (
    <details className="details">
      <summary>{t("detail.facts")}</summary>
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== "")
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="answer">{value}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}
