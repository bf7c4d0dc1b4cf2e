/** HTTP Basic with an application password (RFC 7617). The account's password is not accepted. */
import type { Authentication, AuthenticationFailure, LogLevel } from "../../src/ports.ts";
import type { ApplicationPasswords, VerifiedPassword } from "./application-passwords.ts";
import { createAttemptLimit } from "./attempt-limit.ts";
import { authorization, type Authenticator } from "./authenticate.ts";
import { addressBlock } from "./client-address.ts";
import { principalOf } from "./users.ts";

/** Limit for failures, generous enough for a program that retries with an old password. */
const FAILURES_PER_MINUTE = 30;

export interface BasicLogin {
  readonly authenticator: Authenticator;
  /** Returns the valid application password of the request; else null. */
  passwordInUse(request: Request): Promise<VerifiedPassword | null>;
}

export function createBasicLogin(
  passwords: ApplicationPasswords,
  clientAddress: (request: Request) => string | null,
  log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void,
): BasicLogin {
  const failures = createAttemptLimit("password_failures", FAILURES_PER_MINUTE, 60);
  const guesses = createAttemptLimit("password_guesses", FAILURES_PER_MINUTE, 60);

  async function verify(request: Request, credentials: string): Promise<VerifiedPassword | null> {
    const [login, password] = parts(credentials);
    return login === "" ? null : passwords.verify(login, password, clientAddress(request));
  }

  return {
    async authenticator(request) {
      const credentials = authorization(request, "basic");
      if (credentials === null) return undefined;
      // A recently verified password is accepted before the limit, so that a broken program cannot lock others out.
      const cached = passwords.cached(...parts(credentials));
      if (cached !== null) return { principal: principalOf(cached.user) };
      const address = clientAddress(request);
      const block = addressBlock(address);
      // Failures for other users from the same address do not block a valid password. Beyond the limit, a guesser does not
      // learn whether a password was right.
      const login = loginOf(credentials);
      const guessing = await guesses.secondsToWait(`${block} ${login}`);
      if (guessing > 0) return tooManyFailures(guessing);
      const verified = await verify(request, credentials);
      if (verified !== null) return { principal: principalOf(verified.user) };
      await guesses.take(`${block} ${login}`);
      const wait = await failures.take(block);
      if (wait > 0) return tooManyFailures(wait);
      log("warn", "application password refused", { address });
      return { failure: WRONG_CREDENTIALS };
    },

    async passwordInUse(request) {
      const credentials = authorization(request, "basic");
      return credentials === null ? null : verify(request, credentials);
    },
  };
}

/** Splits credentials into login and password. */
function parts(credentials: string): readonly [string, string] {
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon < 1 ? ["", ""] : [decoded.slice(0, colon), decoded.slice(colon + 1)];
}

/** The login by which failures are counted, shortened. */
function loginOf(credentials: string): string {
  return parts(credentials)[0].slice(0, 60);
}

// The failure is the same for unknown users and wrong passwords, so that it does not reveal which users exist.
const WRONG_CREDENTIALS: AuthenticationFailure = {
  status: 401,
  code: "incorrect_password",
  message: "The user name or the application password is wrong.",
};

function tooManyFailures(seconds: number): Authentication {
  return {
    failure: {
      status: 429,
      code: "rest_too_many_requests",
      message: `Too many failed logins from this address. Try again in ${seconds} seconds.`,
    },
    headers: { "Retry-After": String(seconds) },
  };
}
