/**
 * The host ports: everything the engine needs from the platform it runs on.
 *
 * The engine does no I/O. It asks for effects; the driver carries them out through these
 * interfaces. Only `database` is required. A port that is missing is a capability the engine
 * knows about: an email action without a mailer fails with a clear message.
 *
 * A port may throw, reject, answer with the wrong shape or never answer: the driver turns each
 * of these into an error outcome, so an adapter needs no guards of its own.
 */

/** A value bound to, or read from, a statement. Integers stay within ±2^53; booleans are 0 and 1. */
export type SqlValue = string | number | null;

export interface Statement {
  /** Placeholders are `?1`, `?2` … on SQLite and `$1`, `$2` … on PostgreSQL; one may occur twice. */
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /**
   * Where it is not 0, its one parameter is a JSON list, and nothing in its batch looks at what it gives. A
   * database that lets batches share a transaction may run it once for those that follow each other, with their
   * lists joined, and answer no rows and no changes: before the batches where the number is less than 0, which
   * takes their locks in one order; after them where it is more, and nothing in them looks at what it leaves.
   * In the order of the numbers, then of the texts. Or it is run in its place.
   */
  readonly gathered?: number;
}

/**
 * The parameters of statements as the engine wrote them, in UTF-8, one after another: a JSON list, or, where the
 * statement is `gathered`, the JSON list that its one parameter is.
 */
export interface Encoded {
  readonly bytes: Uint8Array;
  /** How many of the bytes are each statement's. */
  readonly lengths: readonly number[];
}

/** The statements of a batch. */
export interface Statements extends ReadonlyArray<Statement> {
  /** For adapters that hand them to another thread; `params` are read from these when asked for. */
  readonly encoded?: Encoded;
}

export interface StatementResult {
  /** The rows in the order of the statement's columns; empty for a statement without rows. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** How many rows the statement inserted, updated or deleted; 0 for a SELECT. */
  readonly changes: number;
}

export interface BatchOptions {
  /** Whether the batch changes tables of any size, at a migration: limits of time do not hold for it. */
  readonly patient?: boolean;
}

export interface Database {
  readonly dialect: "sqlite" | "postgres";
  /**
   * Runs the statements in order in one transaction: all of them take effect, or none.
   * Results come in the order of the statements. Never throws synchronously; a failing statement
   * rejects the promise, after the whole batch was rolled back.
   */
  batch(statements: Statements, options?: BatchOptions): Promise<StatementResult[]>;
  /**
   * The results of statements that only read, where they can be had at once; null where they
   * cannot. Throws what `batch` would reject with.
   */
  readNow?(statements: readonly Statement[]): StatementResult[] | null;
}

/** A host's own meta store for schemas. What it does not take waits in `cf_form_meta` and is set again every hour. */
export interface MetaStore {
  get(formId: number, key: string): Promise<string | null>;
  set(formId: number, key: string, value: string): Promise<void>;
  delete(formId: number, key: string): Promise<void>;
}

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
  /** Stable across retries of one queue entry, so that a receiver can recognize repeats. */
  readonly message_id: string;
  /** Files that go along, at most 10 MB together; absent for none. */
  readonly attachments?: readonly MailAttachment[];
}

export interface MailAttachment {
  /** The name that the receiver sees. */
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes, from the beginning at each call. Rejects when the file is gone. */
  stream(): Promise<ReadableStream<Uint8Array>>;
}

export interface Mailer {
  send(message: MailMessage): Promise<{ readonly message_id: string; readonly response: string }>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly timeout_ms: number;
  /** The answer's body is cut after this many bytes. */
  readonly max_bytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Http {
  /** Follows no redirect. Refuses private, link-local and metadata addresses after resolving. */
  fetch(request: HttpRequest): Promise<HttpResponse>;
}

export interface Files {
  /** Stores the bytes under the key; a key is a path of `[a-z0-9/._-]`, never public by itself. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<Uint8Array | null>;
  /**
   * Stores bytes as they come. When the stream fails, it rejects and leaves nothing under the key. A host
   * without it takes files of at most 16 MB, each in memory.
   */
  putStream?(key: string, bytes: ReadableStream<Uint8Array>, contentType: string): Promise<void>;
  /** The bytes as they are asked for; null when there are none under the key. */
  getStream?(key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Also what a put that was cut off left of the key. Deleting a key that does not exist is no error. */
  delete(key: string): Promise<void>;
}

/** Who makes a request, as the host's authentication found. */
export interface Principal {
  readonly id: string;
  readonly login: string;
  /** Such as `edit_forms` and `unfiltered_html`. */
  readonly capabilities: readonly string[];
  /** Narrows `edit_forms`: `submissions_read` reads what came in and changes nothing. */
  readonly access?: "all" | "submissions_read";
}

/** Credentials were sent and are wrong. Answered after the route is known, before the capability check. */
export interface AuthenticationFailure {
  readonly status: 401 | 403 | 429;
  /** Such as `incorrect_password` or `rest_cookie_invalid_nonce`. */
  readonly code: string;
  readonly message: string;
}

export type Authentication =
  | { readonly principal: Principal | null; readonly headers?: Readonly<Record<string, string>> }
  | { readonly failure: AuthenticationFailure; readonly headers?: Readonly<Record<string, string>> };

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface Host {
  readonly database: Database;
  readonly meta?: MetaStore;
  readonly mailer?: Mailer;
  readonly http?: Http;
  readonly files?: Files;
  /**
   * Null, or a missing function, means anonymous. `headers` are added to the answer. `context` is what
   * `forms.fetch` was given beside the request, here and below.
   */
  authenticate?(request: Request, context?: unknown): Promise<Authentication>;
  /**
   * Who is signed in, for visitors' pages: a session is enough, since nothing is done in the
   * visitor's name. Null, or a missing function, means nobody.
   */
  visitor?(request: Request, context?: unknown): Principal | null | Promise<Principal | null>;
  /** The visitor's address, or null when the host cannot know it. */
  clientAddress?(request: Request, context?: unknown): string | null | Promise<string | null>;
  /** Keeps the process alive for work after the answer (`waitUntil`). */
  defer?(work: Promise<unknown>, context?: unknown): void;
  log?(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
}
