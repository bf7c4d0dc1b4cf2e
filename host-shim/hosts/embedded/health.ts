/** The host's state and settings for administrators, without secrets. */
import type { Database } from "../../src/ports.ts";
import { type Configuration, readConfiguration } from "./configuration.ts";
import type { MailSettings } from "./mail-settings.ts";

export interface HealthCheck {
  readonly name: "database" | "mail" | "address" | "secret" | "version";
  readonly status: "good" | "warning" | "bad";
  readonly message: string;
  /** Values within the message, for translations of it. */
  readonly values: Readonly<Record<string, string>>;
}

export interface ShownSetting {
  /** Name of the environment variable. */
  readonly name: string;
  readonly value: string;
  readonly is_default: boolean;
}

export interface Health {
  readonly checks: readonly HealthCheck[];
  readonly settings: readonly ShownSetting[];
}

export interface HealthServices {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly mail: Pick<MailSettings, "host" | "public_url">;
}

export async function healthOf({ configuration, database, mail }: HealthServices): Promise<Health> {
  const { secret } = configuration;
  const started = performance.now();
  const isReachable = await database.batch([{ sql: "SELECT 1", params: [] }]).then(
    () => true,
    () => false,
  );
  const took = `${Math.round((performance.now() - started) * 10) / 10} ms`;
  const since = new Date(Date.now() - process.uptime() * 1000).toISOString();
  const kind = database.dialect === "postgres" ? "PostgreSQL" : "SQLite";
  return {
    checks: [
      isReachable
        ? check("database", "good", `${kind} responds in ${took}.`, { kind, took })
        : check("database", "bad", `${kind} isn’t responding.`, { kind }),
      mail.host === ""
        ? check(
            "mail",
            "warning",
            "Emails aren’t sent yet. Set up a mail server; until then they are kept in the outbox.",
          )
        : check("mail", "good", `Emails are sent through ${mail.host}.`, { host: mail.host }),
      mail.public_url === ""
        ? check("address", "warning", "Set the public URL. Until then, emails can’t link to this site.")
        : check("address", "good", mail.public_url, { url: mail.public_url }),
      secret === ""
        ? check(
            "secret",
            "warning",
            "Set CF_SECRET. Until then, tokens in actions are encrypted only with the key stored in the database.",
          )
        : check("secret", "good", "CF_SECRET is set."),
      check("version", "good", `Node ${process.versions.node}, running since ${since}.`, {
        version: process.versions.node,
        since,
      }),
    ],
    settings: shown(configuration),
  };
}

function check(
  name: HealthCheck["name"],
  status: HealthCheck["status"],
  message: string,
  values: HealthCheck["values"] = {},
): HealthCheck {
  return { name, status, message, values };
}

/**
 * The shown settings as texts. For secrets and addresses with passwords, the text says only whether they are set; for
 * WEBHOOK_NETWORKS it is the number of networks, and for TRUST_PROXY the kind.
 */
function texts(configuration: Configuration): Readonly<Record<string, string>> {
  const { keepDays, trustedProxies, webhookNetworks, oauth } = configuration;
  const isSet = (value: unknown): string => (value === null || value === "" ? "–" : "set");
  return {
    HOST: configuration.hostname,
    PORT: String(configuration.port),
    BASE_URL: configuration.baseUrl ?? "–",
    DATA_DIR: configuration.dataDirectory,
    DATABASE_URL: isSet(configuration.databaseUrl),
    SMTP_URL: isSet(configuration.smtpUrl),
    FAILURE_MAILS: configuration.failureMails ? "on" : "off",
    CF_SECRET: isSet(configuration.secret),
    CF_ADMIN_USER: configuration.admin.login,
    WORKERS: String(configuration.workers),
    QUEUE_INTERVAL_MS: String(configuration.queueIntervalMs),
    WEBHOOK_NETWORKS: String(webhookNetworks.length === 0 ? "–" : webhookNetworks.length),
    TRUST_PROXY: trustedProxies.kind === "none" ? "–" : trustedProxies.kind,
    CF_OAUTH_ISSUER: oauth?.issuer ?? "–",
    KEEP_COMPLETED_DAYS: String(keepDays.completed),
    KEEP_FAILED_DAYS: String(keepDays.failed),
    KEEP_LOGS_DAYS: String(keepDays.logs),
    KEEP_UNSAVED_DAYS: String(keepDays.unsaved),
    BODY_LIMIT: String(configuration.bodyLimit),
    UPLOAD_LIMIT: String(configuration.uploadLimit),
  };
}

function shown(configuration: Configuration): readonly ShownSetting[] {
  const defaults = texts(readConfiguration({}));
  return Object.entries(texts(configuration)).map(([name, value]) => ({
    name,
    value,
    is_default: value === defaults[name],
  }));
}
