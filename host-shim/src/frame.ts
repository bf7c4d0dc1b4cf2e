/**
 * The frame that crosses the boundary: `u32 head length (little endian) | head JSON | bytes`.
 * The other side is `src/frame.rs`.
 */

import type { ImportRequest } from "./imports/import-jobs.ts";
import type {
  AuthenticationFailure,
  Encoded,
  HttpRequest,
  MailAttachment,
  MailMessage,
  Principal,
  SqlValue,
  Statement,
  Statements,
} from "./ports.ts";

/** The head of a request; its bytes are the raw body. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly principal: Principal | null;
  readonly failure: AuthenticationFailure | null;
  readonly address: string | null;
  /** Whether the body was larger than the host allows, and was dropped. */
  readonly too_large: boolean;
  /** Whether the engine still has to request the body, by the effect `body` or `part`. */
  readonly body_waits: boolean;
  readonly now: number;
  readonly request_id: string;
  /** The site's address for this request; null for the configured one. */
  readonly base_url: string | null;
}

/** A statement, and the rows that it returns as long as nothing has changed. */
export interface Unchanged extends Statement {
  readonly rows: readonly (readonly SqlValue[])[];
}

/** A finished response. */
export interface EngineResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly run_queue?: boolean;
  /** Whether events wait to be written. */
  readonly flush_events?: boolean;
  /** Whether the body is the file that the effect `file_open` opened. */
  readonly opened_file?: boolean;
  /** Whether the body is a form that holds the visitor's answers. */
  readonly shows_answers?: boolean;
  readonly log?: string;
  /** Proof that a cached response is valid: an equal request has an equal response while the database returns these rows. */
  readonly holds_while?: Unchanged;
  readonly body: Uint8Array;
  /** The body of a response that is made piece by piece, or that is a stored file; `body` is then empty. */
  readonly stream?: ReadableStream<Uint8Array>;
}

/** A file that is attached to a mail, by its key. */
export type StoredAttachment = Omit<MailAttachment, "stream"> & { readonly key: string };

/** Parameters of an import, which the engine hands to the importers. */
export type ImportOptions = Readonly<Record<string, unknown>> & { readonly time_zone: string };

/** An effect as a step posts it. `bytes` is the number of the frame's bytes that belong to it. */
export type Effect = { readonly id: number; readonly bytes: number | null } & (
  | { readonly port: "sql"; readonly statements: Statements; readonly patient?: boolean }
  | {
      readonly port: "mail";
      readonly message: Omit<MailMessage, "attachments"> & { readonly attachments?: readonly StoredAttachment[] };
    }
  | { readonly port: "http"; readonly request: Omit<HttpRequest, "body"> }
  | { readonly port: "body" }
  | { readonly port: "part" }
  | {
      readonly port: "file_receive";
      readonly key: string | null;
      readonly content_type: string;
      readonly limit: number;
    }
  | { readonly port: "file_open"; readonly key: string }
  | { readonly port: "image"; readonly folder: string }
  | { readonly port: "import"; readonly file: string; readonly options: ImportOptions }
  | { readonly port: "reference"; readonly part: string; readonly root: string }
  | ({ readonly port: "host_import" } & Omit<ImportRequest, "principal">)
  | { readonly port: "zone"; readonly zone: string; readonly moment: number }
  | { readonly port: "file_delete"; readonly key: string }
  | { readonly port: "meta_get"; readonly form_id: number; readonly key: string }
  | { readonly port: "meta_set"; readonly form_id: number; readonly key: string; readonly value: string }
  | { readonly port: "meta_delete"; readonly form_id: number; readonly key: string }
  | {
      readonly port: "callback";
      readonly callback: number;
      readonly hook: string;
      readonly namespace: string;
      readonly arguments: readonly unknown[];
    }
  | {
      readonly port: "answer";
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly port: "answer_bytes" }
  | {
      readonly port: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
);

export type PostedEffect = Effect & { readonly content: Uint8Array | null };

/** The progress of a task. */
export type Step =
  | { readonly kind: "done"; readonly response: EngineResponse }
  | { readonly kind: "waiting"; readonly task: number; readonly effects: readonly PostedEffect[] }
  | { readonly kind: "gone" };

/** The outcome of an effect, as `src/frame.rs` reads it. `content` follows the head in the frame. */
export interface Outcome {
  readonly head: Readonly<Record<string, unknown>>;
  readonly content?: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Buffer for frames that fit into it. */
const scratch = new Uint8Array(1 << 16);

/** Writes a head and its bytes into one frame, which is valid until the next write. The engine copies it. */
export function writeFrame(head: unknown, bodies: readonly Uint8Array[]): Uint8Array {
  const json = JSON.stringify(head);
  // A UTF-16 unit becomes three bytes at most.
  const maxLength = bodies.reduce((sum, body) => sum + body.length, 4 + 3 * json.length);
  const frame = maxLength <= scratch.length ? scratch : new Uint8Array(maxLength);
  const { written } = encoder.encodeInto(json, frame.subarray(4));
  new DataView(frame.buffer).setUint32(0, written, true);
  let offset = 4 + written;
  for (const body of bodies) {
    frame.set(body, offset);
    offset += body.length;
  }
  return frame.subarray(0, offset);
}

/** Writes the outcomes of a task's effects into one frame. */
export function writeOutcomes(now: number, outcomes: readonly (readonly [number, Outcome])[]): Uint8Array {
  const bodies: Uint8Array[] = [];
  const heads = outcomes.map(([id, outcome]) => {
    if (outcome.content === undefined) return { id, outcome: outcome.head };
    bodies.push(outcome.content);
    return { id, bytes: outcome.content.length, outcome: outcome.head };
  });
  return writeFrame({ now, outcomes: heads }, bodies);
}

/** The text of a statement. A text with a number is sent once; later the number alone is sent. */
export type SentText = string | number | readonly [number, string];

/** A statement without its parameters: its text, the length of the parameters in bytes, and whether it is gathered. */
type WrittenStatement = readonly [sql: SentText, length: number, gathered: number];

type WrittenEffect =
  | Exclude<Effect, { readonly port: "sql" }>
  | (Omit<Extract<Effect, { readonly port: "sql" }>, "statements"> & {
      readonly statements?: readonly WrittenStatement[];
    });

type StepHead =
  | "gone"
  | { readonly done: Omit<EngineResponse, "body"> }
  | { readonly waiting: { readonly task: number; readonly effects: readonly WrittenEffect[] } };

/** Texts of statements that were sent, by their numbers. */
export type StatementTexts = string[];

export function textOf(sql: SentText, texts: StatementTexts): string {
  if (typeof sql === "string") return sql;
  if (typeof sql === "number") return texts[sql] ?? "";
  const [number, text] = sql;
  return (texts[number] = text);
}

/** Decodes the parameters of a statement from JSON ({@link Encoded}). */
export function decodeParams(encoded: Uint8Array, gathered: number): SqlValue[] {
  const text = decoder.decode(encoded);
  return gathered !== 0 ? [text] : JSON.parse(text);
}

/** Reads statements whose parameters are decoded on first use, because adapters may pass on the bytes. */
function readStatements(
  written: readonly WrittenStatement[],
  frame: Uint8Array,
  start: number,
  texts: StatementTexts,
): Statements {
  let end = start;
  const statements = written.map(([sql, length, gathered]): Statement => {
    const begin = end;
    end += length;
    let params: readonly SqlValue[] | undefined;
    return {
      sql: textOf(sql, texts),
      gathered,
      get params() {
        return (params ??= decodeParams(frame.subarray(begin, begin + length), gathered));
      },
    };
  });
  const lengths = written.map(([, length]) => length);
  return Object.assign(statements, { encoded: { bytes: frame.subarray(start, end), lengths } });
}

/** Reads a step. The engine is trusted: its frames have the shapes that `src/frame.rs` writes. */
export function readStep(frame: Uint8Array, texts: StatementTexts): Step {
  let offset = 4 + new DataView(frame.buffer, frame.byteOffset, 4).getUint32(0, true);
  const head: StepHead = JSON.parse(decoder.decode(frame.subarray(4, offset)));
  if (head === "gone") return { kind: "gone" };
  if ("done" in head) {
    return { kind: "done", response: Object.assign(head.done, { body: frame.subarray(offset) }) };
  }
  const effects = head.waiting.effects.map((written): PostedEffect => {
    const start = offset;
    if (written.port === "sql") {
      const statements = readStatements(written.statements ?? [], frame, start, texts);
      offset += statements.encoded?.bytes.length ?? 0;
      return { ...written, statements, content: null };
    }
    offset += written.bytes ?? 0;
    return { ...written, content: written.bytes === null ? null : frame.subarray(start, offset) };
  });
  return { kind: "waiting", task: head.waiting.task, effects };
}
