/** HTTP Basic with an application password (RFC 7617). The account's own password is not accepted. */
import type { Authentication, AuthenticationFailure, LogLevel } from "../../src/ports.ts";
import type { ApplicationPasswords, VerifiedPassword } from "./application-passwords.ts";
import { createAttemptLimit } from "./attempt-limit.ts";
import { authorization, type Authenticator } from "./authenticate.ts";
import { addressBlock } from "./client-address.ts";
import { principalOf } from "./users.ts";

/** A program with an old password retries; 30 failures a minute are more than any needs. */
const FAILURES_PER_MINUTE = 30;

export interface BasicLogin {
  readonly authenticator: Authenticator;
  /** The application password that the request carries and that is right; else null. */
  passwordInUse(request: Request): Promise<VerifiedPassword | null>;
}

export function createBasicLogin(
  passwords: ApplicationPasswords,
  clientAddress: (request: Request) => string | null,
  log: (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>) => void,
): BasicLogin {
  const failures = createAttemptLimit(FAILURES_PER_MINUTE, 60);

  async function verify(request: Request, credentials: string): Promise<VerifiedPassword | null> {
    const decoded = Buffer.from(credentials, "base64").toString("utf8");
    const colon = decoded.indexOf(":");
    if (colon < 1) return null;
    return passwords.verify(decoded.slice(0, colon), decoded.slice(colon + 1), clientAddress(request));
  }

  return {
    async authenticator(request) {
      const credentials = authorization(request, "basic");
      if (credentials === null) return undefined;
      const address = clientAddress(request);
      const block = addressBlock(address);
      // A right password is let in however many wrong ones came from its address: these
      // passwords are too long to be guessed, and a broken program must not lock others out.
      const verified = await verify(request, credentials);
      if (verified !== null) return { principal: principalOf(verified.user) };
      const wait = await failures.secondsToWait(block);
      if (wait > 0) return tooManyFailures(wait);
      await failures.count(block);
      log("warn", "application password refused", { address });
      return { failure: WRONG_CREDENTIALS };
    },

    async passwordInUse(request) {
      const credentials = authorization(request, "basic");
      return credentials === null ? null : verify(request, credentials);
    },
  };
}

// The same for an unknown user and a wrong password: the answer must not tell which users exist.
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
