/** The mail as it would be sent now, with the newest submission or with sample answers. */
import { type ReactNode, useEffect, useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useClient } from "../../../shared/api/client.ts";
import { mailPreviewQuery, newestAnswersQuery } from "../../../shared/api/resources.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { useText } from "../../../shared/text/text.tsx";
import type { Field, FormSchema, FormAction } from "../../../../client/index.ts";
import { ApiMessage } from "../../../ui/api-message.tsx";
import { HtmlFrame } from "../../../ui/html-frame.tsx";
import { ErrorText } from "../../../ui/states.tsx";
import { emailFields } from "./answers.ts";
import { mailForFrame } from "./mail-frame.ts";
import { sampleOf } from "../sample-answers.ts";

/** Answers of the newest submission, or samples for a form without any. */
export interface TestAnswers {
  readonly data: Readonly<Record<string, unknown>>;
  readonly isSample: boolean;
}

/** Recipient of a preview whose action has none yet. */
const SOMEBODY = "name@example.com";

/** Debounce before the mail is composed again. */
const DEBOUNCE_MS = 400;

export function useTestAnswers(formId: number, fields: readonly Field[]): TestAnswers {
  const t = useText();
  const { data: newest } = useQuery(newestAnswersQuery(useClient(), formId));
  const samples = Object.fromEntries(fields.map((field) => [field.name, sampleOf(field, t("test.sample"))]));
  return newest === undefined || newest === null
    ? { data: samples, isSample: true }
    : { data: newest, isSample: false };
}

/**
 * Body of a test of an action, without its conditions. An `autoresponder` needs an address in the visitor's field.
 */
export function testBody(
  action: FormAction,
  { formId, schema }: Pick<MailPreviewProps, "formId" | "schema">,
  data: TestAnswers["data"],
  to: string,
) {
  const { type, conditions: _, ...settings } = action;
  const common = { action_type: type, form_id: formId, schema };
  if (type === "email") return { ...common, settings: { ...settings, to }, test_data: data };
  const field = String(settings["email_field"] ?? "").trim() || "email";
  return { ...common, settings, test_data: { ...data, [field]: to } };
}

export interface MailPreviewProps {
  readonly action: FormAction;
  readonly formId: number;
  readonly fields: readonly Field[];
  /** Schema of the draft, with which test mails are composed. */
  readonly schema: FormSchema;
}

export function MailPreview({ action, formId, fields, schema }: MailPreviewProps): ReactNode {
  const t = useText();
  const client = useClient();
  const answers = useTestAnswers(formId, fields);
  const to = action.type === "email" ? String(action["to"] ?? "").trim() || SOMEBODY : visitorOf(answers, fields);
  const body = useDebounced(testBody(action, { formId, schema }, answers.data, to));
  const preview = useQuery({ ...mailPreviewQuery(client, body), placeholderData: keepPreviousData });
  const mail = mailOf(preview.data?.output);
  return (
    <section className="mail-preview" aria-label={t("mail.preview")} aria-busy={preview.isFetching}>
      <header className="row apart">
        <h3>{t("mail.preview")}</h3>
        <span className="help">{t(answers.isSample ? "mail.previewSample" : "mail.previewNewest")}</span>
      </header>
      {preview.isError ? <ErrorText error={preview.error} /> : null}
      {preview.data !== undefined && mail === null ? (
        <p className="fault">
          <ApiMessage>{preview.data.message}</ApiMessage>
        </p>
      ) : null}
      {mail === null ? null : (
        <>
          <dl className="facts">
            <Fact name={t("common.from")} value={mail.from} />
            <Fact name={t("common.to")} value={action.type === "email" && to === SOMEBODY ? "–" : mail.to.join(", ")} />
            <Fact name={t("exchange.reply_to")} value={mail.replyTo} />
            <Fact name={t("exchange.subject")} value={mail.subject} />
          </dl>
          {mail.html === null ? (
            <pre className="mail-text">{mail.text}</pre>
          ) : (
            <HtmlFrame
              html={mailForFrame(mail.html)}
              className="mail-frame"
              sandbox=""
              title={t("mail.preview")}
              tabIndex={-1}
            />
          )}
        </>
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return value === "" ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Address of the visitor in the answers; a sample address if there is none. */
function visitorOf({ data }: TestAnswers, fields: readonly Field[]): string {
  const addresses = emailFields(fields).map(({ name }) => data[name]);
  return addresses.find((address) => typeof address === "string" && address.includes("@"))?.toString() ?? SOMEBODY;
}

interface ComposedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly replyTo: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Reads the mail from a test's output; null if there is none. */
function mailOf(output: unknown): ComposedMail | null {
  if (!isRecord(output) || !Array.isArray(output["to"])) return null;
  const text = (name: string) => String(output[name] ?? "");
  return {
    from: text("from"),
    to: output["to"].map(String),
    replyTo: text("reply_to"),
    subject: text("subject"),
    text: text("text"),
    html: typeof output["html"] === "string" ? output["html"] : null,
  };
}

/** Returns the value after a debounce. Values are compared as JSON. */
function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
