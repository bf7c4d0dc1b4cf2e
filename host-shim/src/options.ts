/** Options of `createForms()`. */

import type { ModuleSource } from "#load-engine";
import type { Languages } from "../../visitor/languages/index.ts";
import type { Host } from "./ports.ts";

/** Options of `createForms`. */
export interface FormsOptions {
  readonly host: Host;
  /**
   * The WebAssembly module, for code that a bundler has moved so that the runtime cannot find it.
   * `import { module } from "cf-forms/inline"` works everywhere.
   */
  readonly module?: ModuleSource | Promise<ModuleSource>;
  /**
   * The site's address without a trailing slash, such as `https://example.org`, or a function of the request. An address
   * that a function returns counts only for that request, and only when its host is in `allowedHosts`. Otherwise the
   * request is handled under `publicUrl`, or with 400 when there is none.
   */
  readonly baseUrl: string | ((request: Request) => string);
  /** Hosts that a `baseUrl` function may return, with their port if any; `localhost:*` allows every port. */
  readonly allowedHosts?: readonly string[];
  /**
   * The site's public address, for the signed links to files in mails. Without it, mails contain no such links.
   * Default: `baseUrl`, when that is an address.
   */
  readonly publicUrl?: string | null;
  /**
   * Whether `clientAddress` reads `X-Forwarded-For` of trusted proxies; default false. Without that, a private or
   * loopback address may belong to a proxy, and so to every visitor. Default limits then do not apply to it.
   */
  readonly forwardedForIsRead?: boolean;
  /** Path of the REST API below the address; default `/api`. */
  readonly restRoot?: string;
  /** Path of visitors' pages below the address; default `/forms`. */
  readonly frontPrefix?: string;
  /**
   * Address of the sign-in page, such as `/sign-in`. Forms for signed-in visitors link to it, with the form's path as
   * `redirect_to`. Without it they only say that visitors must sign in.
   */
  readonly signInUrl?: string;
  /**
   * Address of a submission in your admin, with `{id}` in place of its id, such as `/admin/inbox?open={id}`. A path is below
   * `publicUrl`. Mails to the owner then have the button "Open submission".
   */
  readonly submissionUrl?: string;
  /**
   * Sources of further scripts in forms' pages, for plugins that add scripts by `cf_form_html`. A source is the address of
   * a site or script such as `https://cdn.example/`, `'self'`, or the hash of a script. Pages then do not require trusted
   * types.
   */
  readonly scriptSources?: readonly string[];
  /** The largest body of a REST request, or of a submit that is not multipart, in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** The largest multipart body of a visitor's submit, files included, in bytes; default 16 MiB. */
  readonly uploadLimit?: number;
  /**
   * Whether the server passes on at most `Content-Length` bytes of a body, as Node's does; default false. A body is then
   * read as a whole, which is faster than counting its pieces.
   */
  readonly contentLengthHolds?: boolean;
  /** Timeout of a port; default 30 s. */
  readonly portTimeoutMs?: number;
  /** Timeout of a hook callback; default 10 s. */
  readonly callbackTimeoutMs?: number;
  /**
   * Limit for actions that run at once in this process. Default: 128 that have run for less than half a second, and 256 in
   * all.
   */
  readonly queueConcurrency?: number;
  /** Limit for actions that a run of the queue begins, for platforms that bound the work of a request; default: none. */
  readonly queueRunLimit?: number;
  /**
   * Whether the queue runs after each submit that queued actions; default true. Otherwise the actions wait for the next
   * call of `runQueue()`.
   */
  readonly automaticRuns?: boolean;
  /**
   * The host's secret, which is not in the database: part of the key that encrypts the secrets in action settings. All
   * hosts of a database need the same secret.
   */
  readonly secret?: string;
  /**
   * Unique name of this process, the same after a restart. Queue entries that the process had claimed when it was killed
   * then run at once after the restart. Without a name they wait for 30 s.
   */
  readonly instance?: string;
  /**
   * Delay in milliseconds in which browsers' events are collected for one write; default 1,000. A killed process loses the
   * events of that time; `close()` writes them. With 0 each request writes its events, for platforms whose requests cannot
   * wait for each other.
   */
  readonly eventDelayMs?: number;
  /** Retention of finished and old rows. */
  readonly keepDays?: KeepDays;
  /** Default sender of mails; default `forms@` and the site's host name. */
  readonly mailFrom?: string;
  /** Texts for visitors in languages other than English; `cf-forms/languages` has twelve. */
  readonly languages?: Languages;
  /** The site's style sheet for visitors' pages, as text. */
  readonly stylesheet?: string;
  /** Clock for tests: milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Retention of finished and old rows in days; 0 keeps them forever. Entries that still have to run are never deleted.
 */
export interface KeepDays {
  /** Queue entries after they were completed; default 30. */
  readonly completed?: number;
  /** Queue entries that failed permanently, which can be retried manually until then; default 90. */
  readonly failed?: number;
  /** Log entries; default 90. */
  readonly logs?: number;
  /**
   * Answers and files of forms that keep no submissions, after an action failed permanently; default 30. When all actions
   * have succeeded, they are deleted at once.
   */
  readonly unsaved?: number;
}
