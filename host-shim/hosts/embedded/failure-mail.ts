/** Mails administrators about an action that failed three times in a row, at most once a day for each action. */
import type { Database, Host, Mailer, RepeatedFailure } from "../../src/ports.ts";
import type { MailSettingsStore } from "./mail-settings.ts";
import { run } from "./schema.ts";
import type { Users } from "./users.ts";

const DAY_MS = 24 * 3_600_000;

export interface FailureMailOptions {
  readonly database: Database;
  readonly users: Users;
  readonly mailer: Mailer;
  readonly mailSettings: MailSettingsStore;
  /** The sender. */
  readonly from: string;
  /** The address of the admin, for the mail. */
  readonly adminUrl: () => Promise<string>;
  readonly now: () => number;
  readonly log: NonNullable<Host["log"]>;
}

/**
 * Returns the function that the engine calls after each further failure of such an action. The function sends no mail
 * without a mail server, or if an administrator turned these mails off.
 */
export function failureMail(options: FailureMailOptions): NonNullable<Host["actionKeepsFailing"]> {
  const { database, users, mailer, mailSettings, from, adminUrl, now, log } = options;

  /** Whether no worker sent a mail about the action within a day. Stores the time if so. */
  async function isDue({ form_id, action_id, action_type }: RepeatedFailure): Promise<boolean> {
    const { changes } = await run(
      database,
      "INSERT INTO cf_host_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value " +
        "WHERE CAST(cf_host_settings.value AS BIGINT) <= CAST(?3 AS BIGINT)",
      `failure_mail ${form_id} ${action_id || action_type}`,
      String(now()),
      now() - DAY_MS,
    );
    return changes > 0;
  }

  async function send(failure: RepeatedFailure): Promise<void> {
    const { settings } = await mailSettings.read();
    if (settings.host === "" || !settings.failure_mails) return;
    const administrators = (await users.list()).filter(({ role, email }) => role === "administrator" && email !== "");
    if (administrators.length === 0 || !(await isDue(failure))) return;
    const action = failure.action_name || failure.action_label;
    const lines = [
      `The action “${action}” of the form “${failure.form_title}” failed three times in a row.`,
      `The last error: ${failure.message}`,
      `Failed deliveries can be retried in the admin: ${await adminUrl()}`,
      "You get this mail at most once a day for each action.",
    ];
    await mailer.send({
      from,
      to: administrators.map(({ email }) => email),
      cc: [],
      bcc: [],
      reply_to: "",
      subject: `Deliveries fail: ${failure.form_title}`.replaceAll(/\s+/g, " ").slice(0, 200),
      text: lines.join("\n\n"),
      html: null,
      headers: { "Auto-Submitted": "auto-generated" },
      message_id: `<failure-${crypto.randomUUID()}@${from.slice(from.indexOf("@") + 1)}>`,
    });
  }

  return (failure) =>
    send(failure).catch((error: unknown) =>
      log("error", "administrators could not be notified that an action keeps failing", {
        form_id: failure.form_id,
        error: String(error),
      }),
    );
}
