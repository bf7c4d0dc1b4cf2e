/** Settings of the mail server, and the site's public address. Values from the environment are shown read-only. */
import { type ReactNode, useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import {
  type MailServer,
  type MailTest,
  mailServerQuery,
  SECURITIES,
  sendToHost,
  usersQuery,
} from "../../shared/api/host.ts";
import { keys } from "../../shared/api/keys.ts";
import { useNotifiedAddress } from "../../shared/default-notification.ts";
import { useNotices } from "../../shared/notices.ts";
import { useOptions } from "../../shared/options.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { useUnsaved } from "../../shared/unsaved.ts";
import { Button } from "../../ui/button.tsx";
import { NumberField, Select, Switch, TextField } from "../../ui/fields.tsx";
import { Badge, Card } from "../../ui/page.tsx";
import { SaveBar } from "../../ui/save-bar.tsx";
import { ErrorText, Loaded } from "../../ui/states.tsx";

export default function MailServerSettings({ address }: { readonly address: string }): ReactNode {
  const query = useQuery(mailServerQuery(useClient(), address));
  return <Loaded query={query}>{(stored) => <MailServerForm address={address} stored={stored} />}</Loaded>;
}

interface MailServerFormProps {
  readonly address: string;
  readonly stored: MailServer;
}

function MailServerForm({ address, stored }: MailServerFormProps): ReactNode {
  const t = useText();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const [changes, setChanges] = useState<Partial<MailServer>>({});
  const isChanged = Object.keys(changes).length > 0;
  useUnsaved(isChanged);
  const { set_by: setBy, ...settings } = { ...stored, ...changes };
  const save = useMutation({
    mutationFn: () => sendToHost<MailServer>(client, "PUT", address, { body: settings }),
    onSuccess(saved) {
      queries.setQueryData(mailServerQuery(client, address).queryKey, saved);
      void queries.invalidateQueries({ queryKey: keys.health });
      setChanges({});
      notices.show(t("mail.saved"));
    },
  });
  const change = (next: Partial<MailServer>) => setChanges((before) => ({ ...before, ...next }));
  const isServerSet = setBy.includes("SMTP_URL");
  const isAddressSet = setBy.includes("BASE_URL");
  return (
    <div className="stack">
      <ServerCard settings={settings} isServerSet={isServerSet} change={change} />
      <TestMail address={address} settings={settings} isChanged={isChanged} />
      <Card
        title={t("mail.publicUrl")}
        {...(isAddressSet ? { help: t("mail.byEnvironment", { name: "BASE_URL" }) } : {})}
      >
        <TextField
          label={t("mail.publicUrl")}
          hideLabel
          type="url"
          value={settings.public_url}
          readOnly={isAddressSet}
          help={t("mail.publicUrlHelp")}
          onChange={(value) => change({ public_url: value })}
        />
      </Card>
      <FailureMails
        isOn={settings.failure_mails}
        isSet={setBy.includes("FAILURE_MAILS")}
        onChange={(failure_mails) => change({ failure_mails })}
      />
      {isChanged ? (
        <SaveBar
          isSaving={save.isPending}
          error={save.error}
          onDiscard={() => {
            setChanges({});
            save.reset();
          }}
          onSave={() => save.mutate()}
        />
      ) : null}
    </div>
  );
}

/** Whether administrators get a mail about an action that keeps failing. */
function FailureMails({
  isOn,
  isSet,
  onChange,
}: {
  readonly isOn: boolean;
  /** Whether the environment sets this option. */
  readonly isSet: boolean;
  readonly onChange: (isOn: boolean) => void;
}): ReactNode {
  const t = useText();
  return (
    <Card title={t("mail.failures")}>
      <Switch
        label={t("mail.failureMails")}
        value={isOn}
        isDisabled={isSet}
        help={isSet ? t("mail.byEnvironment", { name: "FAILURE_MAILS" }) : t("mail.failureMailsHelp")}
        onChange={onChange}
      />
      {isOn ? <MissingAddress /> : null}
    </Card>
  );
}

/** Says that no administrator can get a mail about failures, because none has an email address. */
function MissingAddress(): ReactNode {
  const t = useText();
  const { users: address } = useOptions().host ?? {};
  const users = useQuery({ ...usersQuery(useClient(), address ?? ""), enabled: address !== undefined });
  const isMissing = users.data?.every(({ role, email }) => role !== "administrator" || email === "") ?? false;
  return isMissing ? (
    <p className="hint">
      {t("mail.noAddress")} <Link href="/account">{t("mail.addAddress")}</Link>
    </p>
  ) : null;
}

/** The mail server, its user, and the sender of mails. */
function ServerCard({
  settings,
  isServerSet,
  change,
}: {
  readonly settings: Omit<MailServer, "set_by">;
  /** Whether the environment sets the server. */
  readonly isServerSet: boolean;
  readonly change: (next: Partial<MailServer>) => void;
}): ReactNode {
  const t = useText();
  const text = (name: "host" | "username" | "password" | "from_name" | "from_address", help?: string) => ({
    value: settings[name],
    onChange: (value: string) => change({ [name]: value }),
    readOnly: isServerSet && !name.startsWith("from_"),
    ...(help === undefined ? {} : { help }),
  });
  return (
    <Card title={t("mail.server")} help={isServerSet ? t("mail.byEnvironment", { name: "SMTP_URL" }) : t("mail.help")}>
      <div className="mail-fields">
        <TextField label={t("mail.host")} {...text("host", t("mail.hostHelp"))} />
        <NumberField
          label={t("mail.port")}
          value={settings.port}
          readOnly={isServerSet}
          onChange={(port) => change({ port })}
        />
        {isServerSet ? (
          <TextField
            label={t("mail.security")}
            value={t(`mail.security.${settings.security}`)}
            readOnly
            onChange={() => undefined}
          />
        ) : (
          <Select
            label={t("mail.security")}
            value={settings.security}
            choices={SECURITIES.map((value) => ({ value, label: t(`mail.security.${value}`) }))}
            onChange={(value) => change(withUsualPort(value as MailServer["security"], settings.port))}
          />
        )}
        <TextField label={t("mail.username")} {...text("username")} />
        <TextField label={t("mail.password")} type="password" autoComplete="new-password" {...text("password")} />
      </div>
      <div className="mail-fields">
        <TextField label={t("mail.fromName")} {...text("from_name")} />
        <TextField label={t("mail.fromAddress")} type="email" {...text("from_address", t("mail.fromHelp"))} />
      </div>
    </Card>
  );
}

const USUAL_PORTS: Readonly<Record<MailServer["security"], number>> = { none: 25, starttls: 587, tls: 465 };

/** Returns the change to a security, with its usual port if the present port is the usual one of another. */
function withUsualPort(security: MailServer["security"], port: number): Partial<MailServer> {
  return { security, ...(Object.values(USUAL_PORTS).includes(port) ? { port: USUAL_PORTS[security] } : {}) };
}

interface TestMailProps {
  readonly address: string;
  readonly settings: Omit<MailServer, "set_by">;
  readonly isChanged: boolean;
}

/** Sends a mail with the stored settings and shows the server's reply. */
function TestMail({ address, settings: { host, port, from_address }, isChanged }: TestMailProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const client = useClient();
  const [to, setTo] = useState(useNotifiedAddress());
  const test = useMutation({
    mutationFn: () => sendToHost<MailTest>(client, "POST", `${address}/test`, { body: { to } }),
  });
  return (
    <Card title={t("mail.sendTest")} {...(isChanged ? { help: t("mail.saveFirst") } : {})}>
      <div className="row mail-test">
        <TextField label={t("mail.testTo")} type="email" value={to} onChange={setTo} />
        <Button isDisabled={isChanged || to.trim() === ""} isPending={test.isPending} onPress={() => test.mutate()}>
          {t("mail.sendTest")}
        </Button>
      </div>
      <div role="status">
        {test.data === undefined ? null : (
          <>
            <p>
              <Badge tone={test.data.accepted ? "good" : "bad"}>
                {t(test.data.accepted ? "mail.accepted" : "mail.notAccepted")}
              </Badge>{" "}
              {textOf("mail.problem", test.data.problem ?? "", { host, port, from: from_address }, "")}
            </p>
            <p className="muted">
              {t("mail.reply")} <code>{test.data.response}</code>
            </p>
          </>
        )}
        {test.isError ? (
          <div className="fault">
            <ErrorText error={test.error} />
          </div>
        ) : null}
      </div>
    </Card>
  );
}
