/** Users, their passwords and their roles. */
import { hash, verify } from "@node-rs/argon2";
import type { Database, Principal, SqlValue, Statement } from "../../src/ports.ts";
import { run, statement } from "./schema.ts";
import { randomLettersAndDigits } from "./secret.ts";

export const ROLES = ["administrator", "editor", "reader", "subscriber"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Capabilities of each role. `edit_forms` gives access to the REST API, `unfiltered_html` allows scripts in markup, and
 * `manage_options` shows the admin's screens for users, state and the mail server, whose routes check the role.
 */
const CAPABILITIES: Readonly<Record<Role, readonly string[]>> = {
  administrator: ["edit_forms", "unfiltered_html", "manage_options"],
  editor: ["edit_forms"],
  // A reader may only read submissions: see `access` in `principalOf`.
  reader: ["edit_forms"],
  subscriber: [],
};

export interface User {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly role: Role;
  /** Time of creation, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** A user with the hash of their password, which changes with each password change. */
export interface Account {
  readonly user: User;
  readonly passwordHash: string;
}

/** Sessions and application passwords that survive a new password; default: none. */
export interface KeptAccess {
  /** The session that sets the password. */
  readonly sessionId?: string | null;
  readonly applicationPasswords?: boolean;
}

/** Numbers of sessions and application passwords that a new password has ended. */
export interface EndedAccess {
  readonly sessions: number;
  readonly applicationPasswords: number;
}

/** Result of changing or deleting a user. */
export type UserChange = "done" | "last_administrator" | "unknown";

/**
 * Limit for passwords. Longer passwords are never hashed, so that strangers cannot waste the server's time.
 */
export const MAX_PASSWORD_LENGTH = 1024;

export interface Users {
  /** Creates a user; null when the login is taken. */
  create(login: string, email: string, role: Role, password: string): Promise<User | null>;
  findByLogin(login: string): Promise<User | null>;
  findAccount(login: string): Promise<Account | null>;
  /** Returns the account when login and password match. An unknown login takes as long as a wrong password. */
  verifyPassword(login: string, password: string): Promise<Account | null>;
  /**
   * Sets the password, and ends the user's sessions and application passwords. Known devices become unknown, because they
   * are signed with the old hash.
   */
  setPassword(userId: number, password: string, kept?: KeptAccess): Promise<EndedAccess>;
  areThereAny(): Promise<boolean>;
  find(userId: number): Promise<User | null>;
  /** Lists users by login, at most {@link MAX_LISTED}. */
  list(): Promise<readonly User[]>;
  /** Changes a user. The last administrator keeps that role, also with concurrent requests. */
  change(userId: number, changes: { readonly role?: Role; readonly email?: string }): Promise<UserChange>;
  /** Deletes the user with their sessions and application passwords, unless it is the last administrator. */
  remove(userId: number): Promise<UserChange>;
}

const MAX_LISTED = 1000;

/** Columns for `readUser`, in its order, for queries that join users. */
export const USER_COLUMNS = "u.id, u.login, u.email, u.role, u.created_at";

/** SQL condition under which a user may stop being an administrator: another one remains. */
const mayLoseRole = (id: string): string =>
  `(role <> 'administrator' OR EXISTS (SELECT 1 FROM cf_host_users other WHERE other.role = 'administrator' AND other.id <> ${id}))`;

export function readUser(row: readonly SqlValue[]): User {
  const role = ROLES.find((name) => name === row[3]) ?? "subscriber";
  return { id: Number(row[0]), login: String(row[1]), email: String(row[2]), role, createdAt: Number(row[4]) };
}

export function principalOf(user: User): Principal {
  const principal = { id: String(user.id), login: user.login, capabilities: CAPABILITIES[user.role] };
  return user.role === "reader" ? { ...principal, access: "submissions_read" } : principal;
}

export function generatePassword(): string {
  return randomLettersAndDigits(24);
}

export async function openUsers(database: Database, now: () => number): Promise<Users> {
  // Argon2id with the library's parameters: 19 MiB and two passes, as OWASP recommends.
  return new StoredUsers(database, now, await hash(generatePassword()));
}

class StoredUsers implements Users {
  private readonly database: Database;
  private readonly now: () => number;
  /** Hash that is compared when the login is unknown, so that both cases take the same time. */
  private readonly dummyHash: string;

  constructor(database: Database, now: () => number, dummyHash: string) {
    this.database = database;
    this.now = now;
    this.dummyHash = dummyHash;
  }

  async create(login: string, email: string, role: Role, password: string): Promise<User | null> {
    const { changes } = await run(
      this.database,
      `INSERT INTO cf_host_users (login, email, password_hash, role, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (login) DO NOTHING`,
      login,
      email,
      await hash(password),
      role,
      this.now(),
    );
    return changes === 1 ? this.select("u.login = ?1", login) : null;
  }

  findByLogin(login: string): Promise<User | null> {
    return this.select("u.login = ?1", login);
  }

  async findAccount(login: string): Promise<Account | null> {
    const { rows } = await run(
      this.database,
      `SELECT ${USER_COLUMNS}, u.password_hash FROM cf_host_users u WHERE u.login = ?1`,
      login,
    );
    const [row] = rows;
    return row === undefined ? null : { user: readUser(row), passwordHash: String(row[5]) };
  }

  async verifyPassword(login: string, password: string): Promise<Account | null> {
    const account = await this.findAccount(login);
    const usable = password.length <= MAX_PASSWORD_LENGTH ? password : "";
    const isRight = await verify(account?.passwordHash ?? this.dummyHash, usable);
    return isRight && usable === password ? account : null;
  }

  async setPassword(
    userId: number,
    password: string,
    { sessionId = null, applicationPasswords = false }: KeptAccess = {},
  ): Promise<EndedAccess> {
    const passwordHash = await hash(password);
    const write = (sql: string, ...params: SqlValue[]) => statement(this.database.dialect, sql, ...params);
    const [, , sessions, passwords] = await this.database.batch([
      write("UPDATE cf_host_users SET password_hash = ?1 WHERE id = ?2", passwordHash, userId),
      write("DELETE FROM cf_host_sessions WHERE user_id = ?1 AND expires_at <= ?2", userId, this.now()),
      write("DELETE FROM cf_host_sessions WHERE user_id = ?1 AND token_hash <> ?2", userId, sessionId ?? ""),
      ...(applicationPasswords ? [] : [write("DELETE FROM cf_host_application_passwords WHERE user_id = ?1", userId)]),
    ]);
    return { sessions: sessions?.changes ?? 0, applicationPasswords: passwords?.changes ?? 0 };
  }

  find(userId: number): Promise<User | null> {
    return this.select("u.id = ?1", userId);
  }

  async list(): Promise<readonly User[]> {
    const { rows } = await run(
      this.database,
      `SELECT ${USER_COLUMNS} FROM cf_host_users u ORDER BY u.login LIMIT ${MAX_LISTED}`,
    );
    return rows.map(readUser);
  }

  change(userId: number, { role, email }: Parameters<Users["change"]>[1]): Promise<UserChange> {
    return this.guarded(userId, [
      statement(
        this.database.dialect,
        `UPDATE cf_host_users SET role = COALESCE(?1, role), email = COALESCE(?2, email)
         WHERE id = ?3 AND (COALESCE(?1, role) = 'administrator' OR ${mayLoseRole("?3")})`,
        role ?? null,
        email ?? null,
        userId,
      ),
    ]);
  }

  remove(userId: number): Promise<UserChange> {
    const gone = "user_id = ?1 AND NOT EXISTS (SELECT 1 FROM cf_host_users WHERE id = ?1)";
    // Deletes each table's rows, because SQLite enforces foreign keys only when they are enabled.
    return this.guarded(
      userId,
      [
        `DELETE FROM cf_host_users WHERE id = ?1 AND ${mayLoseRole("?1")}`,
        `DELETE FROM cf_host_sessions WHERE ${gone}`,
        `DELETE FROM cf_host_application_passwords WHERE ${gone}`,
      ].map((sql) => statement(this.database.dialect, sql, userId)),
    );
  }

  async areThereAny(): Promise<boolean> {
    const { rows } = await run(this.database, "SELECT 1 FROM cf_host_users LIMIT 1");
    return rows.length > 0;
  }

  private async select(condition: string, value: SqlValue): Promise<User | null> {
    const { rows } = await run(this.database, `SELECT ${USER_COLUMNS} FROM cf_host_users u WHERE ${condition}`, value);
    return rows[0] === undefined ? null : readUser(rows[0]);
  }

  /** Runs statements, the first of which changes the user, unless no administrator would remain. */
  private async guarded(userId: number, statements: readonly Statement[]): Promise<UserChange> {
    // SQLite has one writer. On PostgreSQL, two concurrent batches would each still see the other's administrator, so the
    // rows are locked in one order before they are read.
    const lock = "SELECT id FROM cf_host_users WHERE role = 'administrator' ORDER BY id FOR UPDATE";
    const locks = this.database.dialect === "postgres" ? [statement(this.database.dialect, lock)] : [];
    const results = await this.database.batch([...locks, ...statements]);
    if ((results[locks.length]?.changes ?? 0) > 0) return "done";
    return (await this.select("u.id = ?1", userId)) === null ? "unknown" : "last_administrator";
  }
}
