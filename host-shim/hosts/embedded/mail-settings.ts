/** The mail server and public address that administrators set in the admin. Environment variables take precedence. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { Database } from "../../src/ports.ts";
import type { Configuration } from "./configuration.ts";
import { run } from "./schema.ts";
import { loadSigningKey } from "./secret.ts";

/** Ways to encrypt the connection, the weakest first. */
export const SECURITIES = ["none", "starttls", "tls"] as const;
export type Security = (typeof SECURITIES)[number];

/**
 * Settings of the mail server and the sender, and the site's public address. An empty `host` keeps mails in the outbox.
 */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly username: string;
  readonly password: string;
  readonly from_name: string;
  readonly from_address: string;
  readonly public_url: string;
  /** Whether administrators get a mail when an action keeps failing. */
  readonly failure_mails: boolean;
}

/** Stored settings of the mail server. */
export interface MailSettingsStore {
  /**
   * Returns the effective settings, and the environment variables that override stored ones. Each mail reads the
   * settings, so they are cached for a few seconds. A change by another host takes effect after that time.
   */
  read(): Promise<{ readonly settings: MailSettings; readonly setBy: readonly string[] }>;
  /** Drops the cached settings, after a change by another worker. */
  forget(): void;
  /** The stored settings, which the environment may override. */
  stored(): Promise<MailSettings>;
  /** Stores the settings. */
  write(settings: MailSettings): Promise<void>;
}

export const NO_MAIL_SERVER: MailSettings = {
  host: "",
  port: 587,
  security: "starttls",
  username: "",
  password: "",
  from_name: "",
  from_address: "",
  public_url: "",
  failure_mails: true,
};

/** Lifetime of the cached settings. */
const MAX_AGE_MS = 5_000;

/** Opens the settings, which are one row of `cf_host_settings`. */
export function openMailSettings(database: Database, configuration: Configuration): MailSettingsStore {
  const { smtpUrl, baseUrl, failureMails, secret } = configuration;
  let key: Promise<Buffer> | undefined;

  /** The key that encrypts the password. Its derivation needs both the database and CF_SECRET. */
  const keyOfPassword = (): Promise<Buffer> =>
    (key ??= loadSigningKey(database).then((sign) =>
      createHmac("sha256", sign("mail password")).update(secret).digest(),
    ));

  const stored = () => readStored(database, keyOfPassword);

  let cached: { readonly since: number; readonly settings: Promise<MailSettings> } | undefined;
  const forget = (): void => {
    cached = undefined;
  };

  function recentlyStored(): Promise<MailSettings> {
    const now = performance.now();
    if (cached === undefined || now - cached.since > MAX_AGE_MS) {
      const settings = stored();
      cached = { since: now, settings };
      settings.catch(forget);
    }
    return cached.settings;
  }

  return {
    stored,
    forget,
    async read() {
      const settings = await recentlyStored();
      return {
        settings: {
          ...settings,
          ...(smtpUrl === null ? {} : serverOf(new URL(smtpUrl))),
          ...(baseUrl === null ? {} : { public_url: baseUrl }),
          ...(failureMails ? {} : { failure_mails: false }),
        },
        setBy: [
          ...(smtpUrl === null ? [] : ["SMTP_URL"]),
          ...(baseUrl === null ? [] : ["BASE_URL"]),
          ...(failureMails ? [] : ["FAILURE_MAILS"]),
        ],
      };
    },
    async write(settings) {
      const password = settings.password === "" ? "" : seal(settings.password, await keyOfPassword());
      await run(
        database,
        "INSERT INTO cf_host_settings (name, value) VALUES ('mail', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        JSON.stringify({ ...settings, password }),
      );
      forget();
    },
  };
}

/** Reads the stored settings, with the password in clear text. */
async function readStored(database: Database, keyOfPassword: () => Promise<Buffer>): Promise<MailSettings> {
  const { rows } = await run(database, "SELECT value FROM cf_host_settings WHERE name = 'mail'");
  const value: unknown = rows[0] === undefined ? null : JSON.parse(String(rows[0][0]));
  const members: Partial<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
  const text = (name: string): string => (typeof members[name] === "string" ? members[name] : "");
  return {
    host: text("host"),
    port: Number(members["port"] ?? NO_MAIL_SERVER.port),
    security: SECURITIES.find((security) => security === members["security"]) ?? NO_MAIL_SERVER.security,
    username: text("username"),
    password: text("password") === "" ? "" : unseal(text("password"), await keyOfPassword()),
    from_name: text("from_name"),
    from_address: text("from_address"),
    public_url: text("public_url"),
    failure_mails: members["failure_mails"] !== false,
  };
}

/** The server of an SMTP_URL. */
function serverOf(url: URL): Pick<MailSettings, "host" | "port" | "security" | "username" | "password"> {
  const isTls = url.protocol === "smtps:";
  return {
    host: url.hostname,
    port: url.port === "" ? (isTls ? 465 : 587) : Number(url.port),
    security: isTls ? "tls" : url.searchParams.get("ignoreTLS") === "true" ? "none" : "starttls",
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

/** Encrypts by AES-256-GCM: nonce, tag and ciphertext, in base64url. */
function seal(text: string, key: Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Decrypts; empty when CF_SECRET has changed, so that the password must be entered again. */
function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  } catch {
    return "";
  }
}
