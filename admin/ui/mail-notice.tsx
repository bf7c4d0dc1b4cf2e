/** Notice to administrators of a host without a mail server: mails are kept, not sent. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { mailServerQuery } from "../shared/api/host.ts";
import { useOptions } from "../shared/options.ts";
import { useText } from "../shared/text/text.tsx";

export function MailNotice(): ReactNode {
  const t = useText();
  const address = useOptions().host?.mailServer;
  const { data } = useQuery({ ...mailServerQuery(useClient(), address ?? ""), enabled: address !== undefined });
  if (data === undefined || data.host !== "") return null;
  return (
    <p className="hint">
      {t("mail.notSetUp")}. <Link href="/settings/mail">{t("mail.setUp")}</Link>
    </p>
  );
}
