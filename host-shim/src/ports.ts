/**
 * The host ports: everything the engine needs from the platform it runs on.
 *
 * The engine does no I/O. The engine requests effects, and the driver performs them through these interfaces. Only
 * `database` is required. The engine knows which ports are missing: an email action without a mailer fails with a clear
 * message.
 *
 * A port may throw, reject, return the wrong shape or never return. The driver turns each case into an error outcome, so
 * an adapter needs no guards.
 */

/** A value bound to, or read from, a statement. Integers stay within ±(2^53 − 1); booleans are 0 and 1. */
export type SqlValue = string | number | null;

/** An SQL statement with its parameters. */
export interface Statement {
  /** Placeholders are `?1`, `?2` … on SQLite and `$1`, `$2` … on PostgreSQL; one may occur twice. */
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /**
   * Marks a statement that several batches can share, when it is not 0. The statement has one parameter, a JSON list,
   * and its batch does not read its result. An adapter that lets batches share a transaction may join the lists of
   * equal statements, run them once, and return no rows and no changes. A negative number runs before the batches, so
   * that locks are taken in one order. A positive number runs after them, and no batch reads its effect. Statements run
   * in the order of the numbers, then of the texts. An adapter may also run each statement at its position in the
   * batch.
   */
  readonly gathered?: number;
}

/**
 * The parameters of statements as the engine wrote them, one after another in UTF-8. For each statement this is a JSON
 * list of parameters; for a `gathered` statement it is the only parameter, itself a JSON list.
 */
export interface Encoded {
  readonly bytes: Uint8Array;
  /** Number of bytes of each statement. */
  readonly lengths: readonly number[];
}

/** The statements of a batch. */
export interface Statements extends ReadonlyArray<Statement> {
  /** Encoded parameters for adapters that pass them to another thread; `params` decodes them on first use. */
  readonly encoded?: Encoded;
}

/** Result of one statement of a batch. */
export interface StatementResult {
  /** The rows in the order of the statement's columns; empty for a statement without rows. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** Number of rows that the statement inserted, updated or deleted; 0 for a SELECT. */
  readonly changes: number;
}

/** Options of a batch. */
export interface BatchOptions {
  /** Whether timeouts do not apply, because the batch is a migration and changes tables of any size. */
  readonly patient?: boolean;
}

/** The database port. */
export interface Database {
  readonly dialect: "sqlite" | "postgres";
  /**
   * Runs the statements in order in one transaction, which takes effect completely or not at all. Results are in the order
   * of the statements. Never throws synchronously. A failing statement rejects the promise after the rollback of the batch.
   */
  batch(statements: Statements, options?: BatchOptions): Promise<StatementResult[]>;
  /**
   * Runs statements that only read, and returns their results synchronously; null when that is not possible. Throws the
   * error with which `batch` would reject.
   */
  readNow?(statements: readonly Statement[]): StatementResult[] | null;
}

/** A host's meta store for schemas. A value that it rejects waits in `cf_form_meta` and is retried every hour. */
export interface MetaStore {
  /** Reads a value; null when there is none. */
  get(formId: number, key: string): Promise<string | null>;
  /** Stores a value, and replaces the former one. */
  set(formId: number, key: string, value: string): Promise<void>;
  /** Deletes a value. Deleting a missing value is not an error. */
  delete(formId: number, key: string): Promise<void>;
}

/** A mail to send. */
export interface MailMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly reply_to: string;
  readonly subject: string;
  /** The plain-text part; always present. */
  readonly text: string;
  /** The HTML part, or null for a text-only mail. */
  readonly html: string | null;
  /** Extra headers, already free of line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  /** Identifier that is stable across retries of one queue entry, so that a receiver can recognize duplicates. */
  readonly message_id: string;
  /** Attached files, at most 10 MB together; absent for none. */
  readonly attachments?: readonly MailAttachment[];
}

/** A file attached to a mail. */
export interface MailAttachment {
  /** The name that the receiver sees. */
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** Reads the bytes from the beginning at each call. Rejects when the file is gone. */
  stream(): Promise<ReadableStream<Uint8Array>>;
}

/** The result of a mailer. */
export interface MailReceipt {
  /** The mail's Message-ID. */
  readonly message_id: string;
  /** The server's response. */
  readonly response: string;
  /** Whether the mail was only stored or printed, so that no recipient gets it. */
  readonly simulated?: boolean;
}

/** The mail port. */
export interface Mailer {
  /**
   * Sends a mail. Rejects when no recipient was accepted. An error whose `responseCode` is 500 or more (RFC 5321, section
   * 4.2.1), or whose `permanent` is true, is not retried.
   */
  send(message: MailMessage): Promise<MailReceipt>;
}

/** A request to another server. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly timeout_ms: number;
  /** Limit after which the response's body is cut. */
  readonly max_bytes: number;
}

/** The response of another server. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The port for requests to other servers, such as webhooks. */
export interface Http {
  /** Sends a request. Follows no redirect. Rejects private, link-local and metadata addresses after resolving the name. */
  fetch(request: HttpRequest): Promise<HttpResponse>;
}

/** The port that stores uploads. */
export interface Files {
  /**
   * Stores the bytes under the key, without making them public. A key is a path of at most 512 characters of
   * `[a-z0-9/._-]`, without empty parts, `.` and `..`; every method rejects other keys (`checkFileKey` of
   * `cf-forms/adapters/kit`).
   */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Reads the bytes; null when the key does not exist. */
  get(key: string): Promise<Uint8Array | null>;
  /**
   * Stores a stream. When the stream fails, it rejects and leaves nothing under the key. A host without this method accepts
   * files of at most 16 MB, each in memory.
   */
  putStream?(key: string, bytes: ReadableStream<Uint8Array>, contentType: string): Promise<void>;
  /** Opens the bytes as a stream; null when the key does not exist. */
  getStream?(key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Deletes a file, including the remains of an interrupted put. Deleting a missing key is not an error. */
  delete(key: string): Promise<void>;
}

/** The authenticated caller of a request. */
export interface Principal {
  readonly id: string;
  readonly login: string;
  /** Capabilities such as `edit_forms` and `unfiltered_html`. */
  readonly capabilities: readonly string[];
  /** Narrows `edit_forms`: with `submissions_read` the caller reads submissions and changes nothing. */
  readonly access?: "all" | "submissions_read";
}

/** Failure of wrong credentials. The engine reports it after routing and before the capability check. */
export interface AuthenticationFailure {
  readonly status: 401 | 403 | 429;
  /** Code such as `incorrect_password` or `rest_cookie_invalid_nonce`. */
  readonly code: string;
  readonly message: string;
}

/** Result of authenticating a request: a principal, null for anonymous, or a failure. */
export type Authentication =
  | { readonly principal: Principal | null; readonly headers?: Readonly<Record<string, string>> }
  | { readonly failure: AuthenticationFailure; readonly headers?: Readonly<Record<string, string>> };

/** Severity of a log event. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The ports of a host. */
export interface Host {
  readonly database: Database;
  readonly meta?: MetaStore;
  readonly mailer?: Mailer;
  readonly http?: Http;
  readonly files?: Files;
  /**
   * Authenticates a request. Null, or a missing function, means anonymous. `headers` are added to the response. `context`
   * is the second argument of `forms.fetch`, here and below.
   */
  authenticate?(request: Request, context?: unknown): Promise<Authentication>;
  /**
   * Returns the signed-in visitor of a visitor's page. A session is enough, because the page does nothing in the visitor's
   * name. Null, or a missing function, means anonymous.
   */
  visitor?(request: Request, context?: unknown): Principal | null | Promise<Principal | null>;
  /** Returns the visitor's address; null when the host does not know it. */
  clientAddress?(request: Request, context?: unknown): string | null | Promise<string | null>;
  /** Keeps the process alive for work after the response (`waitUntil`). */
  defer?(work: Promise<unknown>, context?: unknown): void;
  /** Receives log events. Without it the console gets them. */
  log?(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Called after each failure of an action whose last three runs failed, so that the host can notify its administrators. */
  actionKeepsFailing?(failure: RepeatedFailure): Promise<void>;
}

/** An action whose last three runs failed. */
export interface RepeatedFailure {
  readonly form_id: number;
  readonly form_title: string;
  readonly action_id: string;
  /** The action's name in its form; empty for none. */
  readonly action_name: string;
  readonly action_type: string;
  /** The English label of a built-in type; the type itself for any other. */
  readonly action_label: string;
  /** The error of the last run. */
  readonly message: string;
}
