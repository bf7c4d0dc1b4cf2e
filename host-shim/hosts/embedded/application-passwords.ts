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
   * Finds the user of a password, in which spaces and dashes are ignored; null for a wrong password. At most once a
   * day, the use is stored with the caller's address.
   */
  verify(login: string, password: string, ip: string | null): Promise<VerifiedPassword | null>;
  /** Finds the user of a recently verified password in the cache; null for other passwords. */
  cached(login: string, password: string): VerifiedPassword | null;
  /** Clears the cache, after a user was deleted, or got another role or password. */
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
  const stored = new StoredPasswords(database, now);
  const verified = new VerifiedPasswords(database, now);
  const { forget } = verified;
  return {
    forget,
    list: (userId) => stored.list(userId),
    find: (userId, uuid) => stored.find(userId, uuid),
    create: (userId, name, appId) => stored.create(userId, name, appId),
    install: (userId, name, password) => stored.install(userId, name, password),
    rename: (userId, uuid, name) => stored.rename(userId, uuid, name),
    async revoke(userId, uuid) {
      const changes = await stored.revoke(userId, uuid);
      forget();
      return changes;
    },
    cached: (login, password) => verified.cached(login, password),
    verify: (login, password, ip) => verified.verify(login, password, ip),
  };
}

/** The application passwords in the database. */
class StoredPasswords {
  private readonly database: Database;
  private readonly now: () => number;

  constructor(database: Database, now: () => number) {
    this.database = database;
    this.now = now;
  }

  list(userId: number): Promise<ApplicationPassword[]> {
    return this.select("p.user_id = ?1", userId);
  }

  async find(userId: number, uuid: string): Promise<ApplicationPassword | null> {
    return (await this.select("p.user_id = ?1 AND p.uuid = ?2", userId, uuid))[0] ?? null;
  }

  async create(userId: number, name: string, appId: string): ReturnType<ApplicationPasswords["create"]> {
    if ((await this.select("p.user_id = ?1", userId)).length >= MAX_PER_USER) return null;
    const uuid = randomUUID();
    const password = randomLettersAndDigits(24);
    await this.database.batch([this.insertion(uuid, userId, name, appId, hashOfRandomSecret(password))]);
    const item = await this.find(userId, uuid);
    return item === null ? null : { password: displayForm(password), item };
  }

  async install(userId: number, name: string, password: string): Promise<void> {
    const passwordHash = hashOfRandomSecret(normalised(password));
    await this.database.batch([
      statement(
        this.database.dialect,
        `DELETE FROM cf_host_application_passwords WHERE user_id = ?1 AND name = ?2 AND password_hash <> ?3`,
        userId,
        name,
        passwordHash,
      ),
      this.insertion(randomUUID(), userId, name, "", passwordHash),
    ]);
  }

  async rename(userId: number, uuid: string, name: string): Promise<boolean> {
    const { changes } = await run(
      this.database,
      "UPDATE cf_host_application_passwords SET name = ?1 WHERE user_id = ?2 AND uuid = ?3",
      name,
      userId,
      uuid,
    );
    return changes > 0;
  }

  async revoke(userId: number, uuid: string | null): Promise<number> {
    const sql = "DELETE FROM cf_host_application_passwords WHERE user_id = ?1";
    const { changes } =
      uuid === null
        ? await run(this.database, sql, userId)
        : await run(this.database, `${sql} AND uuid = ?2`, userId, uuid);
    return changes;
  }

  private insertion(uuid: string, userId: number, name: string, appId: string, passwordHash: string): Statement {
    return statement(
      this.database.dialect,
      `INSERT INTO cf_host_application_passwords (uuid, user_id, app_id, name, password_hash, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (password_hash) DO NOTHING`,
      uuid,
      userId,
      appId,
      name,
      passwordHash,
      this.now(),
    );
  }

  private async select(condition: string, ...params: SqlValue[]): Promise<ApplicationPassword[]> {
    const { rows } = await run(
      this.database,
      `SELECT ${COLUMNS} FROM cf_host_application_passwords p WHERE ${condition}
       ORDER BY p.created_at DESC, p.uuid LIMIT ${MAX_PER_USER}`,
      ...params,
    );
    return rows.map(readItem);
  }
}

/** Checks of application passwords, whose results are cached for a short time. */
class VerifiedPasswords {
  private readonly entries = new Map<string, VerifiedPassword & { readonly until: number }>();
  private revocations = 0;
  private readonly database: Database;
  private readonly now: () => number;

  constructor(database: Database, now: () => number) {
    this.database = database;
    this.now = now;
  }

  readonly forget = inEachWorker("forget_passwords", () => {
    this.revocations += 1;
    this.entries.clear();
  });

  cached(login: string, password: string): VerifiedPassword | null {
    const known = this.entries.get(`${hashOfRandomSecret(normalised(password))} ${login}`);
    return known !== undefined && known.until > this.now() ? known : null;
  }

  async verify(login: string, password: string, ip: string | null): Promise<VerifiedPassword | null> {
    const passwordHash = hashOfRandomSecret(normalised(password));
    const key = `${passwordHash} ${login}`;
    const time = this.now();
    const known = this.entries.get(key);
    if (known !== undefined && known.until > time) return known;

    const revocationsBefore = this.revocations;
    const { rows } = await run(
      this.database,
      `SELECT ${USER_COLUMNS}, p.uuid, p.last_used_at FROM cf_host_application_passwords p
       JOIN cf_host_users u ON u.id = p.user_id
       WHERE p.password_hash = ?1 AND u.login = ?2`,
      passwordHash,
      login,
    );
    const [row] = rows;
    if (row === undefined) return null;
    const verified = { user: readUser(row), uuid: String(row[5]) };
    if (row[6] == null || Number(row[6]) <= time - DAY_MS) await this.noteUse(verified.uuid, ip, time);
    // After a revocation during the query, its result must not be cached.
    if (this.revocations === revocationsBefore) this.addToCache(key, { ...verified, until: time + CACHED_MS });
    return verified;
  }

  private async noteUse(uuid: string, ip: string | null, time: number): Promise<void> {
    await run(
      this.database,
      `UPDATE cf_host_application_passwords SET last_used_at = ?1, last_ip = ?2
       WHERE uuid = ?3 AND (last_used_at IS NULL OR last_used_at <= ?4)`,
      time,
      ip,
      uuid,
      time - DAY_MS,
    );
  }

  private addToCache(key: string, entry: VerifiedPassword & { readonly until: number }): void {
    this.entries.delete(key);
    this.entries.set(key, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > MAX_CACHED && oldest !== undefined) this.entries.delete(oldest);
  }
}
