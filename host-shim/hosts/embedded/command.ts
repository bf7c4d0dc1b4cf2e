/** The command line: `cf-forms start`, and the commands that manage the users and counters of a site. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openApplicationPasswords } from "./application-passwords.ts";
import { ConfigurationError, isLogin, LOGIN_RULE, readConfiguration } from "./configuration.ts";
import { startEmbeddedHost, writeLog } from "./index.ts";
import { databasePath, openDatabase, type ClosableDatabase } from "./platform.ts";
import { PluginError } from "./plugins.ts";
import { stackOf } from "../../src/reason.ts";
import { createHostTables } from "./schema.ts";
import { createForms } from "../../src/index.ts";
import { generatePassword, openUsers, ROLES, type Users } from "./users.ts";
import { isWorker, startWorkers, reportServing } from "./workers.ts";

const USAGE = `Usage: cf-forms <command>

  start [--plugin <file>]...   serve the site, with plugins: modules whose default export is a function
  app-password <user> <name>   make an application password for a program, shown once
  add-user <user> [<role>]     make a user with a generated password, shown once;
                               the role is ${ROLES.join(" or ")}
  reset-password <user>        generate a new password, shown once, end the user's sessions and revoke their
                               application passwords, unless --keep-application-passwords is given
  rebuild-counters             count the stored submissions again, and correct counters that are too low

  --version                    print the version

The site is the one of the environment: DATA_DIR (./data) or DATABASE_URL.`;

/** Error of an invalid command line, or of a name that does not exist. */
class CommandError extends Error {}

/** Runs a command and returns the exit code; `start` ends with SIGTERM or SIGINT. */
export async function runCommand(parameters: readonly string[]): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      args: [...parameters],
      options: {
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
        "keep-application-passwords": { type: "boolean" },
        plugin: { type: "string", multiple: true },
      },
      allowPositionals: true,
    });
    const [command = "", ...operands] = positionals;
    if (values.help === true || command === "help") {
      console.log(USAGE);
      return 0;
    }
    if (values.version === true) {
      console.log(`cf-forms ${packageVersion()}`);
      return 0;
    }
    const { "keep-application-passwords": keepsApplicationPasswords = false, plugin: plugins = [] } = values;
    if (keepsApplicationPasswords && command !== "reset-password") {
      throw new CommandError("--keep-application-passwords is an option of reset-password");
    }
    if (plugins.length > 0 && command !== "start") throw new CommandError("--plugin is an option of start");
    await commandNamed(command, { keepsApplicationPasswords, plugins })(operands);
    return 0;
  } catch (error) {
    console.error(`cf-forms: ${explain(error)}`);
    return 1;
  }
}

/** The version of the installed package. */
function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL(import.meta.resolve("cf-forms/package.json")), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}

interface CommandOptions {
  readonly keepsApplicationPasswords: boolean;
  /** Files of plugins. */
  readonly plugins: readonly string[];
}

function commandNamed(
  name: string,
  { keepsApplicationPasswords, plugins }: CommandOptions,
): (operands: readonly string[]) => Promise<void> {
  switch (name) {
    case "start":
      return () => start(plugins);
    case "app-password":
      return (operands) => onSite(operands, 2, 2, addApplicationPassword);
    case "add-user":
      return (operands) => onSite(operands, 1, 2, addUser);
    case "rebuild-counters":
      return rebuildCounters;
    case "reset-password":
      return (operands) =>
        onSite(operands, 1, 1, (site, login) => resetPassword(site, login, keepsApplicationPasswords));
    default:
      throw new CommandError(name === "" ? USAGE : `there is no command ${JSON.stringify(name)}\n\n${USAGE}`);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof PluginError) return [error.message, stackOf(error.cause) ?? []].flat().join("\n");
  if ([CommandError, ConfigurationError].some((kind) => error instanceof kind)) return error.message;
  const code = "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") return `${error.message}: another program listens there. Set PORT to a free one.`;
  return code.startsWith("ERR_PARSE_ARGS") ? error.message : withFile(error.message);
}

/**
 * Adds the database to a message: its file, unless the message names the file, or the variable DATABASE_URL. The
 * message is for operators, so it has no stack trace.
 */
function withFile(message: string): string {
  const { DATABASE_URL, DATA_DIR } = process.env;
  const file = databasePath(DATA_DIR?.trim() || "./data");
  if (message.includes(file)) return message;
  return DATABASE_URL?.trim() ? `the database of DATABASE_URL: ${message}` : `${file}: ${message}`;
}

async function start(plugins: readonly string[]): Promise<void> {
  const configuration = readConfiguration(process.env);
  const stopped = stopSignal();
  const host =
    configuration.workers > 1 && !isWorker
      ? await startWorkers(configuration.workers, writeLog)
      : await startEmbeddedHost(configuration, { plugins });
  if (isWorker) {
    reportServing({ url: host.url, generatedPassword: host.generatedPassword });
    await stopped;
    return host.close();
  }
  if (host.generatedPassword !== null) {
    console.log(`Administrator "${configuration.admin.login}", password ${host.generatedPassword}`);
    console.log("Save it now. It won’t be shown again.");
  }
  console.log(`cf-forms listening on ${host.url}`);
  await stopped;
  console.log("cf-forms is finishing its running work");
  await host.close();
}

/** Time in which two signals count as one, because the terminal and a parent process may pass on the same signal. */
const SAME_REQUEST_MS = 1_000;

/** Resolves at the first SIGTERM or SIGINT; a second request ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signalledAt: number | undefined;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        signalledAt ??= performance.now();
        if (performance.now() - signalledAt > SAME_REQUEST_MS) process.exit(1);
        resolve();
      });
    }
  });
}

async function rebuildCounters(operands: readonly string[]): Promise<void> {
  if (operands.length > 0) throw new CommandError(USAGE);
  const configuration = readConfiguration(process.env);
  const database = await openDatabase(configuration);
  try {
    // The command serves no request; the address only completes the engine's configuration.
    const forms = await createForms({ host: { database }, baseUrl: configuration.baseUrl ?? "http://localhost" });
    await forms.migrate();
    let [corrected, left] = [0, 0];
    await forms.rebuildCounters((difference) => {
      const { form_id, metric, date, label, by } = difference;
      if (difference.corrected) corrected += 1;
      else left += 1;
      const what = [`form ${form_id}`, metric, date || "total", label].filter((part) => part !== "").join(" ");
      console.log(difference.corrected ? `${what}: corrected by ${by}` : `${what}: ${-by} more than are stored, left`);
    });
    await forms.close();
    console.log(`${corrected} corrected, ${left} left`);
  } finally {
    await database.close();
  }
}

interface Site {
  readonly database: ClosableDatabase;
  readonly users: Users;
}

/** Checks the number of operands, and runs a command with the site's users. */
async function onSite(
  operands: readonly string[],
  minimum: number,
  maximum: number,
  work: (site: Site, login: string, second: string | undefined) => Promise<void>,
): Promise<void> {
  const [login, second] = operands;
  if (login === undefined || operands.length < minimum || operands.length > maximum) throw new CommandError(USAGE);
  const database = await openDatabase(readConfiguration(process.env));
  try {
    await createHostTables(database);
    await work({ database, users: await openUsers(database, Date.now) }, login, second);
  } finally {
    await database.close();
  }
}

async function addApplicationPassword({ database, users }: Site, login: string, name = ""): Promise<void> {
  const user = await users.findByLogin(login);
  if (user === null) throw unknownUser(login);
  if (name.trim() === "") throw new CommandError("the name of an application password must not be empty");
  const created = await openApplicationPasswords(database, Date.now).create(user.id, name.trim(), "");
  if (created === null) throw new CommandError(`${login} has too many application passwords already`);
  console.log(created.password);
}

async function addUser({ users }: Site, login: string, roleName = "administrator"): Promise<void> {
  const role = ROLES.find((name) => name === roleName);
  if (role === undefined) throw new CommandError(`the role must be ${ROLES.join(" or ")}`);
  if (!isLogin(login)) throw new CommandError(`a user name is ${LOGIN_RULE}`);
  const password = generatePassword();
  if ((await users.create(login, "", role, password)) === null)
    throw new CommandError(`the user ${login} exists already`);
  console.log(password);
}

async function resetPassword({ users }: Site, login: string, keepsApplicationPasswords: boolean): Promise<void> {
  const user = await users.findByLogin(login);
  if (user === null) throw unknownUser(login);
  const password = generatePassword();
  const ended = await users.setPassword(user.id, password, { applicationPasswords: keepsApplicationPasswords });
  console.log(password);
  // Standard output holds only the password, for scripts.
  console.error(`Sessions ended: ${ended.sessions}. Application passwords revoked: ${ended.applicationPasswords}.`);
}

function unknownUser(login: string): CommandError {
  return new CommandError(`there is no user ${login}`);
}
