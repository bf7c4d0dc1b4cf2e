/** Account of the signed-in user: email address, password, application passwords, and a switch for shortcuts. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import {
  type Account,
  accountQuery,
  type ApplicationPassword,
  applicationPasswordsQuery,
  type EndedAccess,
  type NewPassword,
  sendToHost,
} from "../../shared/api/host.ts";
import { keys } from "../../shared/api/keys.ts";
import { storeNotifiedAddress } from "../../shared/default-notification.ts";
import { useChange } from "../../shared/api/queries.ts";
import { useOptions } from "../../shared/options.ts";
import { useUnsaved } from "../../shared/unsaved.ts";
import { useFormats } from "../../shared/text/format.ts";
import { areSingleKeysOn, storeSingleKeys } from "../../shared/single-keys.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Switch, Checkbox, TextField } from "../../ui/fields.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { PasswordHint } from "./password-hint.tsx";

export default function AccountPage(): ReactNode {
  const t = useText();
  const { host, user } = useOptions();
  if (host?.account === undefined) return <Empty icon="person" title={t("nav.notFound")} />;
  return (
    <Page title={t("nav.account")}>
      <div className="stack">
        <Card title={user?.login ?? ""}>
          <EmailForm address={host.account} />
        </Card>
        <Card title={t("account.password")}>
          <PasswordForm address={`${host.account}/password`} />
        </Card>
        <ApplicationPasswords address={`${host.account}/application-passwords`} />
        <SingleKeys />
      </div>
    </Page>
  );
}

/** Turns the shortcuts of a single character off, in this browser. */
function SingleKeys(): ReactNode {
  const t = useText();
  const [areOn, setAreOn] = useState(areSingleKeysOn);
  return (
    <Card title={t("keys.title")}>
      <Switch
        label={t("keys.off")}
        value={!areOn}
        onChange={(areOff) => {
          storeSingleKeys(!areOff);
          setAreOn(!areOff);
        }}
      />
    </Card>
  );
}

/** The account's email address, for notifications of new forms and for mails about failed deliveries. */
function EmailForm({ address }: { readonly address: string }): ReactNode {
  const t = useText();
  const stored = useQuery(accountQuery(useClient(), address)).data?.email ?? "";
  const notices = useNotices();
  const [typed, setTyped] = useState<string | null>(null);
  const email = (typed ?? stored).trim();
  const isChanged = typed !== null && email !== stored;
  useUnsaved(isChanged);
  const change = useChange((client) => sendToHost<Account>(client, "PATCH", address, { body: { email } }), {
    stale: [keys.account, keys.users],
    then() {
      storeNotifiedAddress(email);
      setTyped(null);
      notices.show(t("common.saved"));
    },
  });
  return (
    <form
      className="row bottom"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) change.mutate(undefined);
      }}
    >
      <TextField
        type="email"
        autoComplete="email"
        label={t("users.email")}
        value={typed ?? stored}
        onChange={setTyped}
        help={t("account.emailHelp")}
      />
      <Button type="submit" isDisabled={!isChanged} isPending={change.isPending}>
        {t("account.saveEmail")}
      </Button>
    </form>
  );
}

function PasswordForm({ address }: { readonly address: string }): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [shouldKeep, setShouldKeep] = useState(false);
  useUnsaved(current !== "" || next !== "");
  const body = { current_password: current, new_password: next, keep_application_passwords: shouldKeep };
  const change = useChange((client) => sendToHost<EndedAccess>(client, "POST", address, { body }), {
    stale: [keys.applicationPasswords],
    then(ended: EndedAccess) {
      notices.show(
        t("account.passwordChanged", {
          sessions: ended.sessions_ended,
          passwords: ended.application_passwords_revoked,
        }),
      );
      setCurrent("");
      setNext("");
    },
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(undefined);
      }}
    >
      <div className="columns">
        <TextField
          type="password"
          autoComplete="current-password"
          label={t("account.current")}
          value={current}
          onChange={setCurrent}
        />
        <TextField
          type="password"
          autoComplete="new-password"
          label={t("account.next")}
          value={next}
          onChange={setNext}
          help={t("account.nextHelp")}
        />
      </div>
      <Checkbox label={t("account.keepPrograms")} value={shouldKeep} onChange={setShouldKeep} />
      <div>
        <Button type="submit" isDisabled={current === "" || next.length < 12} isPending={change.isPending}>
          {t("account.change")}
        </Button>
      </div>
    </form>
  );
}

function ApplicationPasswords({ address }: { readonly address: string }): ReactNode {
  const t = useText();
  const client = useClient();
  const [name, setName] = useState("");
  const [newPassword, setNewPassword] = useState<string | null>(null);
  useUnsaved(name.trim() !== "");
  const list = useQuery(applicationPasswordsQuery(client, address));
  const create = useChange(
    (client) => sendToHost<NewPassword>(client, "POST", address, { body: { name: name.trim() } }),
    {
      stale: [keys.applicationPasswords],
      then({ password }) {
        setNewPassword(password);
        setName("");
      },
    },
  );
  const revoke = useChange((client, uuid: string) => client.request("DELETE", `${address}/${uuid}`), {
    stale: [keys.applicationPasswords],
  });
  return (
    <Card title={t("account.programs")} help={t("account.programsHelp")}>
      <form
        className="row bottom"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") create.mutate(undefined);
        }}
      >
        <TextField label={t("account.programName")} value={name} onChange={setName} />
        <Button type="submit" isDisabled={name.trim() === ""} isPending={create.isPending}>
          {t("account.make")}
        </Button>
      </form>
      {newPassword === null ? null : <PasswordHint text={t("account.made")} password={newPassword} />}
      <Loaded query={list}>
        {(passwords) =>
          passwords.length === 0 ? (
            <p className="muted">{t("account.noPrograms")}</p>
          ) : (
            <ul className="entries">
              {passwords.map((entry) => (
                <ApplicationPasswordEntry
                  key={entry.uuid}
                  entry={entry}
                  isRevoking={revoke.isPending}
                  onRevoke={() => revoke.mutate(entry.uuid)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

/** An application password: when it was made and last used, and the button that revokes it. */
function ApplicationPasswordEntry({
  entry,
  isRevoking,
  onRevoke,
}: {
  readonly entry: ApplicationPassword;
  readonly isRevoking: boolean;
  readonly onRevoke: () => void;
}): ReactNode {
  const t = useText();
  const formats = useFormats();
  return (
    <li className="entry">
      <div className="entry-text">
        <strong>{entry.name}</strong>
        <span className="muted">
          {t("account.since", { date: formats.day(entry.created) })} ·{" "}
          {entry.last_used === null
            ? t("account.neverUsed")
            : t("account.lastUsed", { date: formats.day(entry.last_used), address: entry.last_ip ?? "" })}
        </span>
      </div>
      <Button onPress={onRevoke} isPending={isRevoking} aria-label={t("account.revokeOf", { name: entry.name })}>
        {t("account.revoke")}
      </Button>
    </li>
  );
}
