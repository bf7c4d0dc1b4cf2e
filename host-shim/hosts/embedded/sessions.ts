/** Cookie sessions: a random token in the browser, and its hash in the database. */
import { parse, serialize } from "hono/utils/cookie";
import type { Database } from "../../src/ports.ts";
import { run, statement } from "./schema.ts";
import { hashOfRandomSecret, randomToken } from "./secret.ts";
import { readUser, USER_COLUMNS, type Account, type User } from "./users.ts";

const LIFETIME_SECONDS = 14 * 24 * 60 * 60;

export interface Session {
  /** Identifier of the session: the hash of its token. Unlike the token, the hash is not secret. */
  readonly id: string;
  readonly user: User;
}

export interface Sessions {
  /**
   * Starts a session and returns it with its Set-Cookie header. Null when the account's password has changed meanwhile,
   * because a new password ends all sessions of the old one.
   */
  start(account: Account): Promise<{ readonly session: Session; readonly cookie: string } | null>;
  /** Finds the session of the request's cookie; null when there is none, or it is unknown or expired. */
  find(request: Request): Promise<Session | null>;
  /** Ends the session and returns the Set-Cookie header that removes the cookie. */
  end(session: Session): Promise<string>;
}

/** Opens the sessions. With `secure`, for a site over https, browsers never send the cookie over plain http. */
export function openSessions(database: Database, secure: boolean, now: () => number): Sessions {
  // The prefix makes browsers reject a cookie that a subdomain sets, or one without Secure (RFC 6265bis §4.1.3).
  const name = secure ? "__Host-cf_session" : "cf_session";

  function cookie(token: string, maxAge: number): string {
    return serialize(name, token, { path: "/", httpOnly: true, sameSite: "Lax", secure, maxAge });
  }

  return {
    async start({ user, passwordHash }) {
      const token = randomToken();
      const id = hashOfRandomSecret(token);
      const time = now();
      const [, inserted] = await database.batch([
        statement(database.dialect, "DELETE FROM cf_host_sessions WHERE expires_at <= ?1", time),
        statement(
          database.dialect,
          `INSERT INTO cf_host_sessions (token_hash, user_id, created_at, expires_at)
           SELECT ?1, u.id, CAST(?3 AS BIGINT), CAST(?4 AS BIGINT) FROM cf_host_users u WHERE u.id = ?2 AND u.password_hash = ?5`,
          id,
          user.id,
          time,
          time + LIFETIME_SECONDS * 1000,
          passwordHash,
        ),
      ]);
      if (inserted?.changes !== 1) return null;
      return { session: { id, user }, cookie: cookie(token, LIFETIME_SECONDS) };
    },

    async find(request) {
      const token = parse(request.headers.get("cookie") ?? "", name)[name];
      if (token === undefined) return null;
      const id = hashOfRandomSecret(token);
      const { rows } = await run(
        database,
        `SELECT ${USER_COLUMNS} FROM cf_host_sessions s JOIN cf_host_users u ON u.id = s.user_id
         WHERE s.token_hash = ?1 AND s.expires_at > ?2`,
        id,
        now(),
      );
      return rows[0] === undefined ? null : { id, user: readUser(rows[0]) };
    },

    async end(session) {
      await run(database, "DELETE FROM cf_host_sessions WHERE token_hash = ?1", session.id);
      return cookie("", 0);
    },
  };
}
