/** Users of the site and their roles. */
import { type ReactNode, useState } from "react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { type EndedAccess, type NewPassword, sendToHost, type User, usersQuery } from "../../shared/api/host.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { useNotices } from "../../shared/notices.ts";
import { useOptions } from "../../shared/options.ts";
import { useUnsaved } from "../../shared/unsaved.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Checkbox, Select, TextField } from "../../ui/fields.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Confirm } from "../../ui/overlays.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SaveBar } from "../../ui/save-bar.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { PasswordHint } from "./password-hint.tsx";

/** A password to show once. `ended` is present if it replaced another password. */
interface ShownPassword extends NewPassword {
  readonly login: string;
  readonly ended?: EndedAccess;
}

const ROLES = ["administrator", "editor", "reader", "subscriber"] as const;

export default function UsersPage(): ReactNode {
  const t = useText();
  const { host } = useOptions();
  return host?.users === undefined ? <Empty icon="people" title={t("nav.notFound")} /> : <Users address={host.users} />;
}

function Users({ address }: { readonly address: string }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const client = useClient();
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<User | null>(null);
  const [resetting, setResetting] = useState<User | null>(null);
  const [password, setPassword] = useState<ShownPassword | null>(null);
  const list = useQuery(usersQuery(client, address));
  const { chosenRoles, setChosenRoles, isChanged, saveRoles } = useRoles(address, list.data ?? []);
  const remove = useChange((client, id: number) => client.request("DELETE", `${address}/${id}`), {
    stale: [keys.users],
  });
  const roles = ROLES.map((value) => ({ value, label: textOf("role", value) }));
  const entryOf = (user: User): UserCommands => ({
    role: chosenRoles[user.id] ?? user.role,
    roles,
    onRole: (role: string) => setChosenRoles((chosen) => ({ ...chosen, [user.id]: role })),
    onReset: () => setResetting(user),
    onRemove: () => setRemoved(user),
  });
  return (
    <Page
      title={t("nav.users")}
      actions={
        <Button look="primary" icon="plus" onPress={() => setIsAdding(true)}>
          {t("users.add")}
        </Button>
      }
    >
      <div className="stack">
        <UserList users={list} entryOf={entryOf} />
        {password === null ? null : <ShownHint {...password} />}
      </div>
      {!isChanged ? null : (
        <SaveBar
          isSaving={saveRoles.isPending}
          onDiscard={() => setChosenRoles({})}
          onSave={() => saveRoles.mutate(undefined)}
        />
      )}
      {isAdding ? (
        <AddUser address={address} roles={roles} onClose={() => setIsAdding(false)} onPassword={setPassword} />
      ) : null}
      {resetting === null ? null : (
        <ResetPassword address={address} user={resetting} onClose={() => setResetting(null)} onPassword={setPassword} />
      )}
      <Confirm
        title={t("users.removeTitle")}
        text={t("users.removeText", { login: removed?.login ?? "" })}
        action={t("common.delete")}
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={() => removed !== null && remove.mutate(removed.id)}
      />
    </Page>
  );
}

/** The roles that were chosen and not saved yet, by the users' ids. */
function useRoles(address: string, users: readonly User[]) {
  const t = useText();
  const notices = useNotices();
  const [chosenRoles, setChosenRoles] = useState<Readonly<Record<number, string>>>({});
  const changed = users.filter(({ id, role }) => (chosenRoles[id] ?? role) !== role);
  useUnsaved(changed.length > 0);
  const saveRoles = useChange(
    async (client) => {
      for (const { id } of changed)
        await client.request("PATCH", `${address}/${id}`, { body: { role: chosenRoles[id] } });
    },
    { stale: [keys.users], then: () => notices.show(t("common.saved")) },
  );
  return { chosenRoles, setChosenRoles, isChanged: changed.length > 0, saveRoles };
}

function UserList({
  users,
  entryOf,
}: {
  readonly users: UseQueryResult<readonly User[]>;
  readonly entryOf: (user: User) => UserCommands;
}): ReactNode {
  const t = useText();
  return (
    <Card help={t("users.help")}>
      <Loaded query={users}>
        {(list) => (
          <ul className="entries">
            {list.map((user) => (
              <UserEntry key={user.id} user={user} {...entryOf(user)} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

interface UserCommands {
  readonly role: string;
  readonly roles: AddUserProps["roles"];
  readonly onRole: (role: string) => void;
  readonly onReset: () => void;
  readonly onRemove: () => void;
}

/** A user, their role, and the buttons for a new password and for removal. */
function UserEntry({
  user,
  role,
  roles,
  onRole,
  onReset,
  onRemove,
}: UserCommands & { readonly user: User }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { user: self } = useOptions();
  return (
    <li className="entry">
      <div className="entry-text">
        <strong>{user.login}</strong>
        <span className="muted">
          {user.email === "" ? "" : `${user.email} · `}
          {t("account.since", { date: formats.day(user.created_at) })}
        </span>
      </div>
      <div className="row">
        <Select
          hideLabel
          label={t("users.roleOf", { login: user.login })}
          value={role}
          choices={roles}
          onChange={onRole}
        />
        {user.login === self?.login ? null : <Button onPress={onReset}>{t("users.newPassword")}</Button>}
        <IconButton
          icon="trash"
          label={t("users.remove", { login: user.login })}
          isDisabled={user.login === self?.login}
          onPress={onRemove}
        />
      </div>
    </li>
  );
}

function ShownHint({ login, password, ended }: ShownPassword): ReactNode {
  const t = useText();
  return (
    <PasswordHint text={t("users.password", { login })} password={password}>
      {ended === undefined ? null : (
        <p>{t("users.ended", { sessions: ended.sessions_ended, passwords: ended.application_passwords_revoked })}</p>
      )}
    </PasswordHint>
  );
}

interface ResetPasswordProps {
  readonly address: string;
  readonly user: User;
  readonly onClose: () => void;
  readonly onPassword: (made: ShownPassword) => void;
}

function ResetPassword({ address, user, onClose, onPassword }: ResetPasswordProps): ReactNode {
  const t = useText();
  const [shouldKeep, setShouldKeep] = useState(false);
  const body = { keep_application_passwords: shouldKeep };
  const reset = useChange(
    (client) => sendToHost<EndedAccess & NewPassword>(client, "POST", `${address}/${user.id}/password`, { body }),
    {
      then({ password, ...ended }) {
        onPassword({ login: user.login, password, ended });
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t("users.newPasswordOf", { login: user.login })}
      request={reset}
      action={t("users.makePassword")}
      onClose={onClose}
    >
      <p>{t("users.newPasswordHelp", { login: user.login })}</p>
      <Checkbox label={t("account.keepPrograms")} value={shouldKeep} onChange={setShouldKeep} />
    </FormDialog>
  );
}

interface AddUserProps {
  readonly address: string;
  readonly roles: readonly { readonly value: string; readonly label: string }[];
  readonly onClose: () => void;
  readonly onPassword: (made: ShownPassword) => void;
}

function AddUser({ address, roles, onClose, onPassword }: AddUserProps): ReactNode {
  const t = useText();
  const [login, setLogin] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState("editor");
  const create = useChange(
    (client) =>
      sendToHost<User & NewPassword>(client, "POST", address, {
        body: { login: login.trim(), email: email.trim(), role },
      }),
    {
      stale: [keys.users],
      then(made) {
        onPassword(made);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t("users.add")}
      request={create}
      action={t("common.add")}
      isDisabled={login.trim() === ""}
      onClose={onClose}
    >
      <TextField label={t("users.login")} value={login} onChange={setLogin} required autoFocus />
      <TextField type="email" label={t("users.email")} value={email} onChange={setEmail} />
      <Select label={t("users.role")} value={role} choices={roles} onChange={setRole} help={t("users.roleHelp")} />
    </FormDialog>
  );
}
