/**
 * The embedded host's configuration: environment variables, which are read and checked once, here.
 */
import type { KeepDays } from "../../src/index.ts";
import { parseTrustedProxies, type TrustedProxies } from "./client-address.ts";
import { parseNetworks, type Network } from "./networks.ts";

/** Configuration of OAuth tokens as credentials. */
export interface OAuthConfiguration {
  /** Address of the issuer's signing keys (RFC 7517). */
  readonly jwksUrl: URL;
  readonly issuer: string;
  readonly audience: string;
}

/** Configuration of an embedded host. The comment of each member names its environment variables. */
export interface Configuration {
  /** HOST: the address to listen on. */
  readonly hostname: string;
  /** PORT: 0 takes any free port. */
  readonly port: number;
  /** BASE_URL without trailing slash; null: the address of the server. */
  readonly baseUrl: string | null;
  /** DATA_DIR: folder of the SQLite file, of uploads, and of mails without SMTP. */
  readonly dataDirectory: string;
  /** DATABASE_URL of a PostgreSQL; null: SQLite in the data directory. */
  readonly databaseUrl: string | null;
  /** SMTP_URL; null: the mail server of the admin or, without one, files under the data directory. */
  readonly smtpUrl: string | null;
  /** FAILURE_MAILS: whether administrators get a mail when an action fails three times in a row. */
  readonly failureMails: boolean;
  /** The administrator who is created at the first start. */
  readonly admin: {
    /** CF_ADMIN_USER. */
    readonly login: string;
    /** CF_ADMIN_PASSWORD; null: one is generated and printed once. */
    readonly password: string | null;
    /** CF_ADMIN_APP_PASSWORD: an application password to install; null: none. */
    readonly applicationPassword: string | null;
  };
  /** QUEUE_INTERVAL_MS: the pause between two runs of the action queue. */
  readonly queueIntervalMs: number;
  /** WEBHOOK_NETWORKS: networks that webhooks and services may reach in addition to public addresses. */
  readonly webhookNetworks: readonly Network[];
  /** TRUST_PROXY. */
  readonly trustedProxies: TrustedProxies;
  /** CF_OAUTH_JWKS_URL, CF_OAUTH_ISSUER and CF_OAUTH_AUDIENCE; null: no bearer tokens. */
  readonly oauth: OAuthConfiguration | null;
  /** CF_STYLESHEET: a file of CSS for the visitor's pages; null: none. */
  readonly stylesheet: string | null;
  /** CF_SECRET: part of the key that encrypts secrets in action settings; empty: only the database's key. */
  readonly secret: string;
  /** KEEP_COMPLETED_DAYS, KEEP_FAILED_DAYS, KEEP_LOGS_DAYS and KEEP_UNSAVED_DAYS: 0 means forever. */
  readonly keepDays: Required<KeepDays>;
  /** WORKERS: number of processes that serve. */
  readonly workers: number;
  /** BODY_LIMIT: the largest request body in bytes. */
  readonly bodyLimit: number;
  /** UPLOAD_LIMIT: the largest multipart body of a visitor's submission in bytes. */
  readonly uploadLimit: number;
}

/** Error of an invalid environment. The message has one line for each faulty variable. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

/** Reads the configuration. An empty variable counts as absent. Throws ConfigurationError. */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const reader = new EnvironmentReader(environment);
  const days = (kind: string, fallback: number) => reader.integer(`KEEP_${kind}_DAYS`, fallback, 0, 36_500);

  const bodyLimit = reader.integer("BODY_LIMIT", 1024 * 1024, 1024, 1024 * 1024 * 1024);
  const configuration: Configuration = {
    hostname: reader.text("HOST") ?? "127.0.0.1",
    port: reader.integer("PORT", 3000, 0, 65535),
    baseUrl: reader.baseUrl(),
    dataDirectory: reader.text("DATA_DIR") ?? "./data",
    databaseUrl: reader.url("DATABASE_URL", ["postgres:", "postgresql:"])?.href ?? null,
    smtpUrl: reader.url("SMTP_URL", ["smtp:", "smtps:"])?.href ?? null,
    failureMails: reader.failureMails(),
    admin: {
      login: reader.login(),
      // Not trimmed, because spaces may be part of a password.
      password: reader.environment["CF_ADMIN_PASSWORD"] || null,
      applicationPassword: reader.applicationPassword(),
    },
    workers: reader.integer("WORKERS", 1, 1, 64),
    queueIntervalMs: reader.integer("QUEUE_INTERVAL_MS", 5000, 10, 24 * 60 * 60 * 1000),
    webhookNetworks: reader.webhookNetworks(),
    trustedProxies: reader.trustedProxies(),
    oauth: reader.oauth(),
    stylesheet: reader.text("CF_STYLESHEET") ?? null,
    secret: reader.text("CF_SECRET") ?? "",
    keepDays: {
      completed: days("COMPLETED", 30),
      failed: days("FAILED", 90),
      logs: days("LOGS", 90),
      unsaved: days("UNSAVED", 30),
    },
    bodyLimit,
    uploadLimit: reader.integer("UPLOAD_LIMIT", Math.max(bodyLimit, 16 * 1024 * 1024), 1024, 1024 * 1024 * 1024),
  };
  if (reader.faults.length > 0) throw new ConfigurationError(reader.faults);
  return configuration;
}

/** Reads variables, and collects a line for each faulty one. */
class EnvironmentReader {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly faults: string[] = [];

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.environment = environment;
  }

  text(name: string): string | null {
    const value = this.environment[name]?.trim();
    return value === undefined || value === "" ? null : value;
  }

  integer(name: string, fallback: number, minimum: number, maximum: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number;
    this.faults.push(`${name} must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(value)}.`);
    return fallback;
  }

  // The error does not repeat the value, because these addresses can contain a password.
  url(name: string, protocols: readonly string[]): URL | null {
    const value = this.text(name);
    if (value === null) return null;
    const parsed = URL.parse(value);
    if (parsed !== null && protocols.includes(parsed.protocol)) return parsed;
    this.faults.push(`${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(" or ")}.`);
    return null;
  }

  baseUrl(): string | null {
    const parsed = this.url("BASE_URL", ["http:", "https:"]);
    if (parsed === null) return null;
    if (parsed.search !== "" || parsed.hash !== "" || parsed.username !== "" || parsed.password !== "") {
      this.faults.push("BASE_URL must have no query, fragment, user or password.");
    }
    return parsed.origin + parsed.pathname.replace(/\/+$/, "");
  }

  oauth(): OAuthConfiguration | null {
    const jwksUrl = this.url("CF_OAUTH_JWKS_URL", ["https:", "http:"]);
    const issuer = this.text("CF_OAUTH_ISSUER");
    const audience = this.text("CF_OAUTH_AUDIENCE");
    if (jwksUrl !== null && issuer !== null && audience !== null) return { jwksUrl, issuer, audience };
    const names = ["CF_OAUTH_JWKS_URL", "CF_OAUTH_ISSUER", "CF_OAUTH_AUDIENCE"];
    const missing = names.filter((name) => this.text(name) === null);
    if (missing.length > 0 && missing.length < names.length) {
      this.faults.push(`${missing.join(" and ")} must be set too: bearer tokens need all of ${names.join(", ")}.`);
    }
    return null;
  }

  trustedProxies(): TrustedProxies {
    const proxies = parseTrustedProxies(this.text("TRUST_PROXY") ?? "");
    if (proxies === null) {
      this.faults.push("TRUST_PROXY must be a number of proxies (1 to 32) or a list of addresses and CIDR ranges.");
    }
    return proxies ?? { kind: "none" };
  }

  webhookNetworks(): readonly Network[] {
    const value = this.text("WEBHOOK_NETWORKS");
    const networks = value === null ? [] : parseNetworks(value);
    if (networks === null) {
      this.faults.push("WEBHOOK_NETWORKS must be a list of addresses and CIDR ranges, such as 192.168.1.0/24.");
    }
    return networks ?? [];
  }

  failureMails(): boolean {
    const value = this.text("FAILURE_MAILS") ?? "on";
    if (value !== "on" && value !== "off") this.faults.push('FAILURE_MAILS must be "on" or "off".');
    return value === "on";
  }

  login(): string {
    const value = this.text("CF_ADMIN_USER") ?? "admin";
    if (!isLogin(value)) this.faults.push(`CF_ADMIN_USER must be ${LOGIN_RULE}.`);
    return value;
  }

  applicationPassword(): string | null {
    const value = this.text("CF_ADMIN_APP_PASSWORD");
    if (value !== null && value.replace(/[^a-z0-9]/gi, "").length < 24) {
      this.faults.push("CF_ADMIN_APP_PASSWORD must have at least 24 letters and digits, random ones.");
    }
    return value;
  }
}

export const LOGIN_RULE = "1 to 60 letters, digits, spaces or any of _ . @ -";

/** Whether the text can be a login. A colon would end the login in HTTP Basic (RFC 7617 §2). */
export function isLogin(text: string): boolean {
  return /^[\p{L}\p{N} _.@-]{1,60}$/u.test(text) && text.trim() === text;
}
