/** Notice on a host without a mail server: mails are kept, not sent. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { mailServerQuery, mailsQuery } from "../shared/api/host.ts";
import { useOptions } from "../shared/options.ts";
import { useText } from "../shared/text/text.tsx";

export interface MailState {
  /** Whether the host keeps mails instead of sending them; undefined where that is unknown. */
  readonly isKept: boolean | undefined;
  /** Whether the account may set up the mail server. */
  readonly canSetUp: boolean;
}

/** Asks the host whether mails are sent: administrators its settings, editors its outbox. */
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

/** Says that mails are kept, with the way to a mail server for those who may set one up. */
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
