/**
 * Performs effects through the host's ports. A port may throw, reject, return the wrong shape or never return; the
 * engine gets an outcome in each case.
 */

import { loadImporters } from "#load-engine";
import { isDiskFull } from "./disk-full.ts";
import type { Outcome, PostedEffect } from "./frame.ts";
import type { HookCall } from "./hook-results.ts";
import type { ImportParts } from "./imports/parts.ts";
import { inTime, TimeoutError } from "./in-time.ts";
import { writeLog } from "./log.ts";
import { isPermanent } from "./permanent-error.ts";
import { streamOf } from "./file-stream.ts";
import type { Files, Host, MailMessage, StatementResult } from "./ports.ts";
import { reasonOf } from "./reason.ts";
import { referencePart } from "./reference.ts";
import { ThrownStacks } from "./thrown-stacks.ts";
import { momentIn, withOffsets } from "./zone-clock.ts";

/** Calls a hook callback by its number. */
export type CallBack = (callback: number, args: readonly unknown[]) => unknown;

export interface EffectLimits {
  /** Rejects when the store of uploads is missing. */
  readonly proveStore?: () => Promise<void>;
  /** Checks the result of a hook callback, and returns the value with which the engine continues. */
  readonly checkResult?: (call: HookCall, result: unknown) => Promise<unknown>;
  /** Imports that run in parts. */
  readonly importParts?: ImportParts;
  /** Timeout of a port, in milliseconds. */
  readonly portTimeoutMs: number;
  /** Timeout of a hook callback, in milliseconds. */
  readonly callbackTimeoutMs: number;
}

class PortFailure extends Error {
  readonly code: "missing" | "invalid";

  constructor(code: "missing" | "invalid", message: string) {
    super(message);
    this.code = code;
  }
}

/** The effects that {@link performer} performs. The exchange and the driver perform the others, for one request. */
export type PortEffect = Exclude<
  PostedEffect,
  {
    readonly port: "answer" | "answer_bytes" | "body" | "part" | "file_receive" | "file_open" | "image" | "host_import";
  }
>;

/** Returns a function that performs one effect and always resolves. */
export function performer(
  host: Host,
  callBack: CallBack,
  limits: EffectLimits,
): (effect: PortEffect) => Promise<Outcome> {
  const stacks = new ThrownStacks();
  return (effect) => {
    const performed = effect.port === "log" ? { ...effect, fields: stacks.addTo(effect.fields) } : effect;
    const work = perform(host, callBack, performed, limits);
    if (effect.port === "callback") work.catch((error: unknown) => stacks.remember(effect, error));
    const limited = isPatient(effect) ? work : inTime(work, timeoutOf(effect, limits), effect.port);
    return limited.catch((error) => failed(effect.port, error));
  };
}

/** Returns a function that reads synchronously; its result is null when the read has to be awaited. */
export function performerNow({
  database,
}: Host): (effect: Extract<PortEffect, { readonly port: "sql" }>) => Outcome | null {
  return ({ statements }) => {
    try {
      const results = database.readNow?.(statements);
      return results == null ? null : { head: { sql: checkedResults(results, statements.length) } };
    } catch (error) {
      return failed("sql", error);
    }
  };
}

function failed(port: string, error: unknown): Outcome {
  return { head: { failed: { port, code: codeOf(error), message: reasonOf(error) } } };
}

function codeOf(error: unknown): string {
  if (error instanceof PortFailure) return error.code;
  if (error instanceof TimeoutError) return "timeout";
  if (isDiskFull(error)) return "full";
  return isPermanent(error) ? "permanent" : isBusy(error) ? "busy" : "failed";
}

/**
 * Codes for an unavailable lock, a deadlock, a failed serialization, too many connections, and a PostgreSQL server that
 * stops, starts or refuses the connection.
 */
const BUSY_STATES: ReadonlySet<unknown> = new Set([
  "55P03",
  "40P01",
  "40001",
  "53300",
  "57P01",
  "57P03",
  "ECONNREFUSED",
]);

/** Whether a database is locked by others or briefly unavailable. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // SQLITE_BUSY and SQLITE_LOCKED.
  if ("errcode" in error && [5, 6].includes(Number(error.errcode) & 0xff)) return true;
  return ("code" in error && BUSY_STATES.has(error.code)) || isBusy(error.cause);
}

/** Whether an effect has no timeout: a migration changes tables of any size, and a file to import may be large. */
function isPatient(effect: PortEffect): boolean {
  return effect.port === "import" || (effect.port === "sql" && effect.patient === true);
}

function timeoutOf(effect: PortEffect, limits: EffectLimits): number {
  if (effect.port === "http") return effect.request.timeout_ms + 1_000;
  return effect.port === "callback" ? limits.callbackTimeoutMs : limits.portTimeoutMs;
}

async function perform(host: Host, callBack: CallBack, effect: PortEffect, limits: EffectLimits): Promise<Outcome> {
  switch (effect.port) {
    case "sql": {
      const results = await host.database.batch(effect.statements, { patient: isPatient(effect) });
      return { head: { sql: checkedResults(results, effect.statements.length) } };
    }
    case "mail": {
      const receipt = await present(host.mailer, "mailer").send(withFiles(effect.message, host.files));
      return { head: { value: receipt ?? null } };
    }
    case "http": {
      const http = present(host.http, "http");
      const response = await http.fetch({ ...effect.request, body: effect.content });
      if (!(response.body instanceof Uint8Array) || !Number.isInteger(response.status)) {
        throw new PortFailure("invalid", "http returned no status or a body that is not bytes");
      }
      const { status, headers, body } = response;
      return { head: { http: { status, headers } }, content: body };
    }
    case "import": {
      const part = await limits.importParts?.read(effect.file, effect.options);
      if (part !== undefined && part !== null) return { head: { value: part } };
      // Each file gets a separate instance, because a file that fails may corrupt its instance.
      const importers = await loadImporters();
      return { head: { value: importers.readFile(effect.file, JSON.stringify(withOffsets(effect.options))) } };
    }
    case "reference": {
      const part = await referencePart(effect.part, effect.root);
      return { head: { file: true }, content: new TextEncoder().encode(JSON.stringify(part)) };
    }
    case "zone":
      return { head: { value: momentIn(effect.zone, effect.moment) } };
    case "file_delete":
      await limits.proveStore?.();
      await present(host.files, "files").delete(effect.key);
      return { head: { value: null } };
    case "meta_get":
      return { head: { value: (await present(host.meta, "meta").get(effect.form_id, effect.key)) ?? null } };
    case "meta_set":
      await present(host.meta, "meta").set(effect.form_id, effect.key, effect.value);
      return { head: { value: null } };
    case "meta_delete":
      await present(host.meta, "meta").delete(effect.form_id, effect.key);
      return { head: { value: null } };
    case "callback": {
      const value: unknown = await callBack(
        effect.callback,
        effect.arguments.map((argument) => readable(argument, host.files)),
      );
      const result = asJson(value);
      return { head: { value: limits.checkResult === undefined ? result : await limits.checkResult(effect, result) } };
    }
    case "log":
      writeLog(host, effect.level, effect.message, effect.fields);
      return { head: { value: null } };
  }
}

/** Adds `stream()`, which reads the file, to each attachment of a mail. */
function withFiles(
  message: (PortEffect & { readonly port: "mail" })["message"],
  files: Files | undefined,
): MailMessage {
  const { attachments: stored, ...plain } = message;
  if (stored === undefined) return plain;
  const attachments = stored.map(({ key, ...attachment }) => ({
    ...attachment,
    async stream() {
      const stream = await streamOf(present(files, "files"), key);
      if (stream === null) throw new Error(`the file ${attachment.filename} is gone`);
      return stream;
    },
  }));
  return { ...message, attachments };
}

/** Adds `read()` to each file of a submission; returns any other argument unchanged. */
function readable(argument: unknown, files: Files | undefined): unknown {
  if (typeof argument !== "object" || argument === null || !("files" in argument)) return argument;
  if (!Array.isArray(argument.files)) return argument;
  const list: readonly unknown[] = argument.files;
  return { ...argument, files: list.map((file) => withRead(file, files)) };
}

function withRead(file: unknown, files: Files | undefined): unknown {
  if (typeof file !== "object" || file === null || !("key" in file) || typeof file.key !== "string") return file;
  const { key, ...shown } = file;
  async function read(): Promise<Uint8Array> {
    const bytes = await present(files, "files").get(String(key));
    if (bytes === null) throw new Error("the file is gone");
    return bytes;
  }
  return { ...shown, read };
}

function present<T>(port: T | undefined, name: string): T {
  if (port === undefined) throw new PortFailure("missing", `this host has no ${name}`);
  return port;
}

/** Rejects results of the wrong shape, which are the adapter's fault and must not reach the engine as data. */
function checkedResults(results: readonly StatementResult[], expected: number): readonly StatementResult[] {
  const isValid =
    Array.isArray(results) &&
    results.length === expected &&
    results.every((result) => Array.isArray(result?.rows) && Number.isInteger(result.changes));
  if (!isValid) throw new PortFailure("invalid", "the database returned results of the wrong shape");
  return results;
}

/** Converts a callback's result to JSON. Throws for a value that JSON cannot hold, which is the callback's fault. */
function asJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) return null;
  return JSON.parse(text);
}
