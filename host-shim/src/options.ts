/** Options of `createForms()`. */

import type { ModuleSource } from "#load-engine";
import type { Languages } from "../../visitor/languages/index.ts";
import type { Host } from "./ports.ts";

export interface FormsOptions {
  readonly host: Host;
  /**
   * The WebAssembly module, where the runtime's own way to load it fails: in code that a bundler has
   * moved. `import { module } from "cf-forms/inline"` is it in every case.
   */
  readonly module?: ModuleSource | Promise<ModuleSource>;
  /**
   * The site's address without a trailing slash, such as `https://example.org`; or a function of the
   * request. An address that a function returns counts for that request alone, and only when its host is
   * one of `allowedHosts`; else the request is answered under `publicUrl`, and with 400 without one.
   */
  readonly baseUrl: string | ((request: Request) => string);
  /** Hosts, with their port where they have one, that a `baseUrl` function may name. */
  readonly allowedHosts?: readonly string[];
  /**
   * The site's public address, for mails, cron and signed links, which carry no links without it.
   * Default: `baseUrl`, where that is an address.
   */
  readonly publicUrl?: string | null;
  /**
   * Whether `clientAddress` reads `X-Forwarded-For` of proxies that are trusted; default false. While it
   * does not, a private or loopback address may be that of a proxy, and so of every visitor: limits that
   * no form sets are not applied to it.
   */
  readonly forwardedForIsRead?: boolean;
  /** Where the REST API hangs below the address; default `/api`. */
  readonly restRoot?: string;
  /** Where visitors' pages hang below the address; default `/forms`. */
  readonly frontPrefix?: string;
  /**
   * Where visitors sign in, such as `/sign-in`: forms for people who are signed in link to it, with
   * the form's own path as `redirect_to`. Without it they only say that one must be signed in.
   */
  readonly signInUrl?: string;
  /**
   * The sources of scripts that forms' pages may load beside the engine's own, for plugins that add some by
   * `cf_form_html`: addresses of sites or scripts such as `https://cdn.example/`, `'self'`, and hashes of
   * scripts. Pages then ask for no trusted types.
   */
  readonly scriptSources?: readonly string[];
  /** The largest body of a REST request, in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** The largest body of a visitor's submit, files included, in bytes; default 16 MiB. */
  readonly uploadLimit?: number;
  /**
   * Whether the server hands on no more of a body than its `Content-Length` says, as Node's does; default
   * false. A body with an honest length is then read as a whole, which costs such servers less than
   * counting it piece by piece.
   */
  readonly contentLengthHolds?: boolean;
  /** How long a port may take before the engine gets an error; default 30 s. */
  readonly portTimeoutMs?: number;
  /** How long a hook callback may take; default 10 s. */
  readonly callbackTimeoutMs?: number;
  /** How many actions may run at once in this process; default 10. */
  readonly queueConcurrency?: number;
  /** How many actions a run of the queue begins at most, for platforms that bound what a request does; default: all. */
  readonly queueRunLimit?: number;
  /**
   * Whether the queue runs after each submit that queued actions; default true. Without that they run
   * with the next call of `runQueue()`.
   */
  readonly automaticRuns?: boolean;
  /**
   * The host's own secret, kept out of the database: part of the key that encrypts the secrets in
   * action settings. Hosts of one database must be given the same one.
   */
  readonly secret?: string;
  /**
   * A name that only this process has, and has again after a restart: what it held of the queue when it
   * was killed runs at once when it starts. Without one, others wait for 30 s.
   */
  readonly instance?: string;
  /**
   * How long browsers' events may wait to be written together, in milliseconds; default 1,000. What
   * a process that is killed had gathered in that time is lost; `close()` loses nothing. With 0 each
   * request writes its own, as platforms want it whose requests cannot wait for each other.
   */
  readonly eventDelayMs?: number;
  /** How long finished and old rows are kept. */
  readonly keepDays?: KeepDays;
  /** The sender of mails whose action names none; default `forms@` and the site's host name. */
  readonly mailFrom?: string;
  /** What forms say in other languages than English; `cf-forms/languages` has twelve. */
  readonly languages?: Languages;
  /** A style sheet of the site's own for the visitor's pages, as text. */
  readonly stylesheet?: string;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/**
 * How many days finished and old rows are kept; 0 keeps it for ever. What is still to run never goes.
 */
export interface KeepDays {
  /** Queue entries after they were completed; default 30. */
  readonly completed?: number;
  /** Queue entries after they failed for good, while they may be retried by hand; default 90. */
  readonly failed?: number;
  /** Log entries; default 90. */
  readonly logs?: number;
  /**
   * Answers and files of forms that keep no submissions, after an action failed for good; default
   * 30. When all actions have succeeded they go at once.
   */
  readonly unsaved?: number;
}
