/** Detail view of one submission: answers, files, notes, timeline and buttons. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { answerFields, useSchema } from "../../shared/api/queries.ts";
import { submissionQuery } from "../../shared/api/resources.ts";
import type { Submission } from "../../../client/index.ts";
import { useCanChange } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { Loaded } from "../../ui/states.tsx";
import { type AnswerField, answerText, labelOf, shownAnswer } from "./answers.ts";
import { StatusBadge } from "./columns.tsx";
import { EditAnswers } from "./edit-answers.tsx";
import { FileList } from "./files.tsx";
import { fieldParameter } from "./filters.ts";
import { Timeline } from "./timeline.tsx";
import type { Submissions } from "./use-submissions.ts";

export interface DetailProps {
  readonly id: number;
  readonly list: Submissions;
  readonly onPrevious?: () => void;
  readonly onNext?: () => void;
  readonly onClose: () => void;
}

export function Detail({ id, list, onPrevious, onNext, onClose }: DetailProps): ReactNode {
  const t = useText();
  const client = useClient();
  const query = useQuery(submissionQuery(client, id));
  // The list holds optimistic updates that this query does not have yet.
  const row = list.rows.find((listed) => listed.id === id);
  return (
    <section className="detail" aria-label={t("detail.title", { id })}>
      <div className="detail-nav">
        <Button look="quiet" icon="back" onPress={onClose}>
          {t("detail.back")}
        </Button>
        <span className="row">
          <IconButton
            icon="up"
            label={t("keys.previous")}
            isDisabled={onPrevious === undefined}
            onPress={() => onPrevious?.()}
          />
          <IconButton icon="down" label={t("keys.next")} isDisabled={onNext === undefined} onPress={() => onNext?.()} />
        </span>
      </div>
      <Loaded query={query}>
        {(read) => (
          <Content
            submission={
              row === undefined ? read : { ...read, status: row.status, is_spam: row.is_spam, starred: row.starred }
            }
            list={list}
            onClose={onClose}
          />
        )}
      </Loaded>
    </section>
  );
}

function Content({
  submission,
  list,
  onClose,
}: {
  readonly submission: Submission;
  readonly list: Submissions;
  readonly onClose: () => void;
}): ReactNode {
  const t = useText();
  const formats = useFormats();
  const textOf = useTextOf();
  const canChange = useCanChange();
  const schema = useSchema(submission.form_id);
  const [isEditing, setIsEditing] = useState(false);
  const fields: readonly AnswerField[] = canChange ? answerFields(schema.data) : (submission.fields ?? []);
  const { id, status } = submission;
  useMarkRead(submission, canChange, list.replace);
  const set = (next: string) => list.setStatus([id], next, submission);
  const entries: (MenuEntry | null)[] = [
    ...(status === "new"
      ? [{ id: "read", label: t("inbox.markRead"), onAction: () => set("read") }]
      : [{ id: "unread", label: t("inbox.markNew"), onAction: () => set("new") }]),
    { id: "replied", label: t("inbox.markReplied"), onAction: () => set("replied") },
    null,
    { id: "print", label: t("common.print"), icon: "print", onAction: () => print() },
    null,
    status === "trash"
      ? {
          id: "delete",
          label: t("inbox.deleteForever"),
          icon: "trash",
          danger: true,
          onAction: () => {
            list.remove([id]);
            onClose();
          },
        }
      : { id: "trash", label: t("inbox.trash"), icon: "trash", danger: true, onAction: () => set("trash") },
  ];
  return (
    <div className="detail-content stack">
      <header className="detail-head">
        <div>
          <h2 className="row">
            #{id} <StatusBadge status={status} />
          </h2>
          <p className="muted">
            <time dateTime={submission.submitted_at}>{formats.dateTime(submission.submitted_at)}</time>
          </p>
        </div>
        {canChange ? (
          <div className="row">
            <IconButton
              icon="star"
              filled={submission.starred}
              label={t("inbox.star", { id })}
              onPress={() => list.setStarred(submission, !submission.starred)}
            />
            <IconButton icon="edit" label={t("detail.edit")} onPress={() => setIsEditing(true)} />
            <Button onPress={() => set("archived")} isDisabled={status === "archived"}>
              {t("inbox.archive")}
            </Button>
            {status === "spam" ? (
              <Button onPress={() => set("read")}>{t("inbox.notSpam")}</Button>
            ) : (
              <Button onPress={() => set("spam")}>{t("inbox.markSpam")}</Button>
            )}
            <Menu label={t("common.more")} entries={entries} />
          </div>
        ) : (
          <IconButton icon="print" label={t("common.print")} onPress={() => print()} />
        )}
      </header>
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
      {isEditing ? (
        <EditAnswers
          submission={submission}
          fields={fields}
          onClose={() => setIsEditing(false)}
          onSaved={list.replace}
        />
      ) : null}
    </div>
  );
}

/** Marks a new submission as read when it is opened. */
function useMarkRead(submission: Submission, canChange: boolean, onRead: (read: Submission) => void): void {
  const client = useClient();
  const done = useRef(false);
  useEffect(() => {
    if (!canChange || done.current || submission.status !== "new") return;
    done.current = true;
    void client.updateSubmission({ id: submission.id, body: { status: "read" } }).then(onRead, () => undefined);
  }, [client, canChange, submission]);
}

/** Answers in the order of the form, then answers whose field the form no longer has. */
function Answers({
  submission,
  fields,
}: {
  readonly submission: Submission;
  readonly fields: readonly AnswerField[];
}): ReactNode {
  const t = useText();
  const { data, form_id: formId } = submission;
  const known = new Set(fields.map(({ name }) => name));
  const rows = [
    ...fields
      .filter(({ name, type }) => type !== "file" && name in data)
      .map((field) => ({
        name: field.name,
        label: labelOf(field),
        text: shownAnswer(data[field.name], field),
        value: data[field.name],
      })),
    ...Object.entries(data)
      .filter(([name]) => !known.has(name))
      .map(([name, value]) => ({ name, label: name, text: answerText(value), value })),
  ];
  return (
    <dl className="answers">
      {rows.map(({ name, label, text, value }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            {text === "" ? (
              <span className="muted">{t("detail.noAnswer")}</span>
            ) : (
              <span className="answer">{text}</span>
            )}
            {typeof value === "string" && value !== "" && value.length <= 100 ? (
              <Link
                className="same"
                href={`/inbox?${new URLSearchParams({ form: String(formId), [fieldParameter(name)]: value })}`}
              >
                {t("detail.same")}
                <span className="visually-hidden">: {label}</span>
              </Link>
            ) : null}
          </dd>
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
