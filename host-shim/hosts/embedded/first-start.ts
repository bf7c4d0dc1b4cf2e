/** Creates at the first start an administrator, and the password that scripts sign in with. */
import type { LogLevel } from "../../src/ports.ts";
import type { ApplicationPasswords } from "./application-passwords.ts";
import type { Configuration } from "./configuration.ts";
import { generatePassword, type Users } from "./users.ts";

/** The application password that CF_ADMIN_APP_PASSWORD installs goes by this name. */
export const BOOTSTRAP_NAME = "bootstrap";

/** Shorter passwords than this are taken from the operator, with a warning. */
const ADVISED_PASSWORD_LENGTH = 12;

export interface FirstStartServices {
  readonly users: Users;
  readonly passwords: ApplicationPasswords;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}

/**
 * Makes the administrator when there is no user at all, and installs the application password
 * when one is configured. Returns the generated password, to be shown once: only its hash is
 * kept. Null when nothing was generated.
 */
export async function prepareAdministrator(
  admin: Configuration["admin"],
  { users, passwords, log }: FirstStartServices,
): Promise<string | null> {
  let generated: string | null = null;
  if (!(await users.areThereAny())) {
    const password = admin.password ?? generatePassword();
    if (password.length < ADVISED_PASSWORD_LENGTH) {
      log("warn", `CF_ADMIN_PASSWORD is shorter than ${ADVISED_PASSWORD_LENGTH} characters`, {});
    }
    // Another process may be starting on the same database; the one that creates the user tells.
    const created = await users.create(admin.login, "", "administrator", password);
    if (created !== null && admin.password === null) generated = password;
  }

  if (admin.applicationPassword !== null) {
    const user = await users.findByLogin(admin.login);
    if (user === null) {
      log("warn", "CF_ADMIN_APP_PASSWORD is not used: there is no user CF_ADMIN_USER", { login: admin.login });
    } else {
      await passwords.install(user.id, BOOTSTRAP_NAME, admin.applicationPassword);
    }
  }
  return generated;
}
