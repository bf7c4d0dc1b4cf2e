/** Creates an administrator at the first start, and installs the configured application password at each start. */
import type { LogLevel } from "../../src/ports.ts";
import type { ApplicationPasswords } from "./application-passwords.ts";
import type { Configuration } from "./configuration.ts";
import { generatePassword, type Users } from "./users.ts";

/** Name of the application password that CF_ADMIN_APP_PASSWORD installs. */
export const BOOTSTRAP_NAME = "bootstrap";

/** A shorter password in the configuration is accepted with a warning. */
const ADVISED_PASSWORD_LENGTH = 12;

export interface FirstStartServices {
  readonly users: Users;
  readonly passwords: ApplicationPasswords;
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}

/**
 * Creates the administrator when there is no user, and installs a configured application password. Returns the generated
 * password, which can be shown only once because only its hash is stored. Null when none was generated.
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
    // Another process may start on the same database; only the one that creates the user reports the password.
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
