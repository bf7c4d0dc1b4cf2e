/** The people who may sign in, their passwords and what they may do. */
import { hash, verify } from "@node-rs/argon2";
import type { Database, Principal, SqlValue } from "../../src/ports.ts";
import { run, statement } from "./schema.ts";
import { randomLettersAndDigits } from "./secret.ts";

export const ROLES = ["administrator", "editor", "subscriber"] as const;
export type Role = (typeof ROLES)[number];

/**
 * What each role may do. `edit_forms` opens the REST API, `unfiltered_html` keeps scripts in markup,
 * `manage_options` opens the host's own routes for users and its state.
 */
const CAPABILITIES: Readonly<Record<Role, readonly string[]>> = {
  administrator: ["edit_forms", "unfiltered_html", "manage_options"],
  editor: ["edit_forms"],
  subscriber: [],
};

export interface User {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Longer passwords are refused unread: hashing them would be work for a stranger. */
export const MAXIMUM_PASSWORD_LENGTH = 1024;

export interface Users {
  /** Null when the login is taken. */
  create(login: string, email: string, role: Role, password: string): Promise<User | null>;
  findByLogin(login: string): Promise<User | null>;
  /** The user when login and password are right. As slow for an unknown login as for a wrong password. */
  verifyPassword(login: string, password: string): Promise<User | null>;
  /** Sets the password and ends the user's sessions. */
  setPassword(userId: number, password: string): Promise<void>;
  areThereAny(): Promise<boolean>;
  find(userId: number): Promise<User | null>;
  /** By login, at most {@link MAXIMUM_LISTED}. */
  list(): Promise<readonly User[]>;
  change(userId: number, role: Role, email: string): Promise<void>;
  /** With the user's sessions and application passwords. */
  remove(userId: number): Promise<void>;
}

const MAXIMUM_LISTED = 1000;

/** The columns that `readUser` reads, in its order; for queries that join users. */
export const USER_COLUMNS = "u.id, u.login, u.email, u.role, u.created_at";

export function readUser(row: readonly SqlValue[]): User {
  const role = ROLES.find((name) => name === row[3]) ?? "subscriber";
  return { id: Number(row[0]), login: String(row[1]), email: String(row[2]), role, createdAt: Number(row[4]) };
}

export function principalOf(user: User): Principal {
  return { id: String(user.id), login: user.login, capabilities: CAPABILITIES[user.role] };
}

export function generatePassword(): string {
  return randomLettersAndDigits(24);
}

export async function openUsers(database: Database, now: () => number): Promise<Users> {
  // Argon2id with the library's parameters: 19 MiB and two passes, as OWASP recommends.
  const hashOfNobody = await hash(generatePassword());

  async function find(condition: string, value: SqlValue): Promise<User | null> {
    const { rows } = await run(database, `SELECT ${USER_COLUMNS} FROM cf_host_users u WHERE ${condition}`, value);
    return rows[0] === undefined ? null : readUser(rows[0]);
  }

  return {
    async create(login, email, role, password) {
      const { changes } = await run(
        database,
        `INSERT INTO cf_host_users (login, email, password_hash, role, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (login) DO NOTHING`,
        login, email, await hash(password), role, now(),
      );
      return changes === 1 ? find("u.login = ?1", login) : null;
    },

    findByLogin: (login) => find("u.login = ?1", login),

    async verifyPassword(login, password) {
      const { rows } = await run(
        database,
        `SELECT ${USER_COLUMNS}, u.password_hash FROM cf_host_users u WHERE u.login = ?1`,
        login,
      );
      const [row] = rows;
      const usable = password.length <= MAXIMUM_PASSWORD_LENGTH ? password : "";
      const right = await verify(row === undefined ? hashOfNobody : String(row[5]), usable);
      return row !== undefined && right && usable === password ? readUser(row) : null;
    },

    async setPassword(userId, password) {
      const passwordHash = await hash(password);
      await run(database, "UPDATE cf_host_users SET password_hash = ?1 WHERE id = ?2", passwordHash, userId);
      await run(database, "DELETE FROM cf_host_sessions WHERE user_id = ?1", userId);
    },

    find: (userId) => find("u.id = ?1", userId),

    async list() {
      const { rows } = await run(database, `SELECT ${USER_COLUMNS} FROM cf_host_users u ORDER BY u.login LIMIT ${MAXIMUM_LISTED}`);
      return rows.map(readUser);
    },

    async change(userId, role, email) {
      await run(database, "UPDATE cf_host_users SET role = ?1, email = ?2 WHERE id = ?3", role, email, userId);
    },

    async remove(userId) {
      // One by one, since SQLite holds to references only where it is told to.
      await database.batch(
        [
          "DELETE FROM cf_host_sessions WHERE user_id = ?1",
          "DELETE FROM cf_host_application_passwords WHERE user_id = ?1",
          "DELETE FROM cf_host_users WHERE id = ?1",
        ].map((sql) => statement(database.dialect, sql, userId)),
      );
    },

    async areThereAny() {
      const { rows } = await run(database, "SELECT 1 FROM cf_host_users LIMIT 1");
      return rows.length > 0;
    },
  };
}
