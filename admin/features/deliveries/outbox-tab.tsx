/** Mails that a host without SMTP stored as files. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { mailQuery, mailsQuery } from "../../shared/api/host.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { useNotices } from "../../shared/notices.ts";
import { EntryState, type DeliveryFacts } from "../../ui/delivery-state.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Output } from "../../ui/scrollable.tsx";

/** State of the mails in the outbox, which stay there even after a mail server is set up. */
const KEPT_MAIL: DeliveryFacts = { action_type: "email", status: "success", detail: "kept" };

export default function OutboxTab({ address }: { readonly address: string }): ReactNode {
  const t = useText();
  const client = useClient();
  const formats = useFormats();
  const [opened, setOpened] = useState<string | null>(null);
  const list = useQuery({ ...mailsQuery(client, address), refetchInterval: 10_000 });
  return (
    <Loaded query={list}>
      {({ kept, mails }) => (
        <div className="stack">
          <p className="help">{kept ? t("outbox.help") : t("outbox.smtp")}</p>
          {mails.length === 0 ? (
            <Empty icon="mail" title={t("outbox.empty")} />
          ) : (
            <ul className="entries">
              {mails.map((mail) => (
                <li key={mail.name} className="entry">
                  <EntryState facts={KEPT_MAIL} />
                  <div className="entry-text">
                    <strong>{mail.subject}</strong>
                    <span className="muted">
                      {mail.to.join(", ")} · {formats.dateTime(mail.sent_at)} · {formats.size(mail.size)}
                    </span>
                  </div>
                  <Button
                    onPress={() => setOpened(mail.name)}
                    aria-label={t("outbox.openOf", { subject: mail.subject })}
                  >
                    {t("outbox.open")}
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {opened === null ? null : <MailDialog address={`${address}/${opened}`} onClose={() => setOpened(null)} />}
        </div>
      )}
    </Loaded>
  );
}

function MailDialog({ address, onClose }: { readonly address: string; readonly onClose: () => void }): ReactNode {
  const t = useText();
  const client = useClient();
  const notices = useNotices();
  const mail = useQuery(mailQuery(client, address));
  const save = () => {
    client
      .request("GET", `${address}/source`)
      .then((answer) => answer.blob())
      .then((blob) => saveFile(`${mail.data?.name ?? "mail"}`, blob), notices.showError);
  };
  return (
    <Dialog
      wide
      title={mail.data?.subject ?? t("outbox.open")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button icon="download" onPress={save}>
            .eml
          </Button>
          <Button look="primary" onPress={onClose}>
            {t("common.close")}
          </Button>
        </>
      }
    >
      <Loaded query={mail}>
        {(content) => (
          <>
            <dl className="facts">
              <div>
                <dt>{t("common.from")}</dt>
                <dd>{content.from}</dd>
              </div>
              <div>
                <dt>{t("common.to")}</dt>
                <dd>{content.to.join(", ")}</dd>
              </div>
              {content.reply_to.length === 0 ? null : (
                <div>
                  <dt>{t("outbox.replyTo")}</dt>
                  <dd>{content.reply_to.join(", ")}</dd>
                </div>
              )}
              {content.attachments.map((file) => (
                <div key={file.name}>
                  <dt>{t("detail.files")}</dt>
                  <dd>{file.name}</dd>
                </div>
              ))}
            </dl>
            <Output label={content.subject}>{content.text}</Output>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
