/** Notice on a host without a mail server: mails are kept, not sent. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { mailServerQuery, mailsQuery } from "../shared/api/host.ts";
import { useOptions } from "../shared/options.ts";
import { useText } from "../shared/text/text.tsx";

export interface MailState {
  /** Whether the host stores mails instead of sending them; undefined while that is unknown. */
  readonly isKept: boolean | undefined;
  /** Whether the account may set up the mail server. */
  readonly canSetUp: boolean;
}

/** Asks the host whether it sends mails: reads the settings for administrators, the outbox for editors. */
export function useMailState(): MailState {
  const client = useClient();
  const { mailServer, mail } = useOptions().host ?? {};
  const canSetUp = mailServer !== undefined;
  const server = useQuery({ ...mailServerQuery(client, mailServer ?? ""), enabled: canSetUp });
  const outbox = useQuery({
    ...mailsQuery(client, mail ?? ""),
    enabled: !canSetUp && mail !== undefined,
    staleTime: 60_000,
  });
  return { canSetUp, isKept: canSetUp ? server.data && server.data.host === "" : outbox.data?.kept };
}

export function MailNotice(): ReactNode {
  const { isKept } = useMailState();
  return isKept === true ? (
    <p className="hint">
      <MailSetup />
    </p>
  ) : null;
}

/** Says that mails are not sent, with a link to the mail settings for users who may change them. */
export function MailSetup(): ReactNode {
  const t = useText();
  const { canSetUp } = useMailState();
  return (
    <>
      {t("mail.notSetUp")}.{" "}
      {canSetUp ? <Link href="/settings/mail">{t("mail.setUp")}</Link> : t("mail.askAdministrator")}
    </>
  );
}
