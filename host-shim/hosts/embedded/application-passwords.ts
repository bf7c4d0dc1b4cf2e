/**
 * Application passwords: one random secret for each program that calls the API for a user. Passwords are listed and
 * revoked one by one.
 */
import { randomUUID } from "node:crypto";
import type { Database, SqlValue, Statement } from "../../src/ports.ts";
import { run, statement } from "./schema.ts";
import { hashOfRandomSecret, randomLettersAndDigits } from "./secret.ts";
import { readUser, USER_COLUMNS, type User } from "./users.ts";
import { inEachWorker } from "./workers.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Limit for the passwords of a user. */
export const MAX_PER_USER = 200;

export interface ApplicationPassword {
  readonly uuid: string;
  /** Identifier that the program chose; may be empty. */
  readonly appId: string;
  readonly name: string;
  readonly createdAt: number;
  /** Time of the last use, stored at most once a day; null when never used. */
  readonly lastUsedAt: number | null;
  readonly lastIp: string | null;
}

export interface ApplicationPasswords {
  /** Creates a password and returns it in display form, the only time that it is shown. Null at the limit. */
  create(
    userId: number,
    name: string,
    appId: string,
  ): Promise<{ readonly password: string; readonly item: ApplicationPassword } | null>;
  /** Makes the password the user's only one of that name; does nothing when it already is. */
  install(userId: number, name: string, password: string): Promise<void>;
  /** Lists the user's passwords, the newest first. */
  list(userId: number): Promise<readonly ApplicationPassword[]>;
  find(userId: number, uuid: string): Promise<ApplicationPassword | null>;
  rename(userId: number, uuid: string, name: string): Promise<boolean>;
  /** Revokes one password or all of the user, and returns the number. */
  revoke(userId: number, uuid: string | null): Promise<number>;
  /**
   * Finds the user of a password, whose grouping is ignored; null when it is wrong. The use is stored with the caller's
   * address when the last stored one is a day old.
   */
  verify(login: string, password: string, ip: string | null): Promise<VerifiedPassword | null>;
  /** Finds the user of a recently verified password in the cache; null for other passwords. */
  cached(login: string, password: string): VerifiedPassword | null;
  /** Clears the cache, after a user was deleted or got another role. */
  forget(): void;
}

export interface VerifiedPassword {
  readonly user: User;
  readonly uuid: string;
}

/**
 * Time for which a verified password is cached. A revocation in this process or one of its workers clears the cache at
 * once. A revocation elsewhere (the command line, another server on the same database) takes effect after this time.
 */
const CACHED_MS = 10_000;
const MAX_CACHED = 1000;

/** Removes spaces and dashes, which only make a password readable. */
export function normalised(password: string): string {
  return password.replace(/[^a-z0-9]/gi, "");
}

/** Formats a password in six groups of four. */
export function displayForm(password: string): string {
  return password.replace(/(.{4})(?!$)/g, "$1 ");
}

const COLUMNS = "p.uuid, p.app_id, p.name, p.created_at, p.last_used_at, p.last_ip";

function readItem(row: readonly SqlValue[]): ApplicationPassword {
  return {
    uuid: String(row[0]),
    appId: String(row[1]),
    name: String(row[2]),
    createdAt: Number(row[3]),
    lastUsedAt: row[4] == null ? null : Number(row[4]),
    lastIp: row[5] == null ? null : String(row[5]),
  };
}

export function openApplicationPasswords(database: Database, now: () => number): ApplicationPasswords {
  const cached = new Map<string, VerifiedPassword & { readonly until: number }>();
  let revocations = 0;

  function insertion(uuid: string, userId: number, name: string, appId: string, passwordHash: string): Statement {
    return statement(
      database.dialect,
      `INSERT INTO cf_host_application_passwords (uuid, user_id, app_id, name, password_hash, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (password_hash) DO NOTHING`,
      uuid,
      userId,
      appId,
      name,
      passwordHash,
      now(),
    );
  }

  async function select(condition: string, ...params: SqlValue[]): Promise<ApplicationPassword[]> {
    const { rows } = await run(
      database,
      `SELECT ${COLUMNS} FROM cf_host_application_passwords p WHERE ${condition}
       ORDER BY p.created_at DESC, p.uuid LIMIT ${MAX_PER_USER}`,
      ...params,
    );
    return rows.map(readItem);
  }

  async function find(userId: number, uuid: string): Promise<ApplicationPassword | null> {
    return (await select("p.user_id = ?1 AND p.uuid = ?2", userId, uuid))[0] ?? null;
  }

  async function noteUse(uuid: string, ip: string | null, time: number): Promise<void> {
    await run(
      database,
      `UPDATE cf_host_application_passwords SET last_used_at = ?1, last_ip = ?2
       WHERE uuid = ?3 AND (last_used_at IS NULL OR last_used_at <= ?4)`,
      time,
      ip,
      uuid,
      time - DAY_MS,
    );
  }

  function addToCache(key: string, entry: VerifiedPassword & { readonly until: number }): void {
    cached.delete(key);
    cached.set(key, entry);
    const [oldest] = cached.keys();
    if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest);
  }

  const forget = inEachWorker("forget_passwords", () => {
    revocations += 1;
    cached.clear();
  });

  return {
    find,
    forget,
    list: (userId) => select("p.user_id = ?1", userId),

    async create(userId, name, appId) {
      if ((await select("p.user_id = ?1", userId)).length >= MAX_PER_USER) return null;
      const uuid = randomUUID();
      const password = randomLettersAndDigits(24);
      await database.batch([insertion(uuid, userId, name, appId, hashOfRandomSecret(password))]);
      const item = await find(userId, uuid);
      return item === null ? null : { password: displayForm(password), item };
    },

    async install(userId, name, password) {
      const passwordHash = hashOfRandomSecret(normalised(password));
      await database.batch([
        statement(
          database.dialect,
          `DELETE FROM cf_host_application_passwords WHERE user_id = ?1 AND name = ?2 AND password_hash <> ?3`,
          userId,
          name,
          passwordHash,
        ),
        insertion(randomUUID(), userId, name, "", passwordHash),
      ]);
    },

    async rename(userId, uuid, name) {
      const { changes } = await run(
        database,
        "UPDATE cf_host_application_passwords SET name = ?1 WHERE user_id = ?2 AND uuid = ?3",
        name,
        userId,
        uuid,
      );
      return changes > 0;
    },

    async revoke(userId, uuid) {
      const sql = "DELETE FROM cf_host_application_passwords WHERE user_id = ?1";
      const { changes } =
        uuid === null ? await run(database, sql, userId) : await run(database, `${sql} AND uuid = ?2`, userId, uuid);
      forget();
      return changes;
    },

    cached(login, password) {
      const known = cached.get(`${hashOfRandomSecret(normalised(password))} ${login}`);
      return known !== undefined && known.until > now() ? known : null;
    },

    async verify(login, password, ip) {
      const passwordHash = hashOfRandomSecret(normalised(password));
      const key = `${passwordHash} ${login}`;
      const time = now();
      const known = cached.get(key);
      if (known !== undefined && known.until > time) return known;

      const revocationsBefore = revocations;
      const { rows } = await run(
        database,
        `SELECT ${USER_COLUMNS}, p.uuid, p.last_used_at FROM cf_host_application_passwords p
         JOIN cf_host_users u ON u.id = p.user_id
         WHERE p.password_hash = ?1 AND u.login = ?2`,
        passwordHash,
        login,
      );
      const [row] = rows;
      if (row === undefined) return null;
      const verified = { user: readUser(row), uuid: String(row[5]) };
      if (row[6] == null || Number(row[6]) <= time - DAY_MS) await noteUse(verified.uuid, ip, time);
      // After a revocation during the query, its result must not be cached.
      if (revocations === revocationsBefore) addToCache(key, { ...verified, until: time + CACHED_MS });
      return verified;
    },
  };
}
