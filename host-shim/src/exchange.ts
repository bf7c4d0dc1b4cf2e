/** Reads a request's body when the engine asks for it, and streams files between the client and the store. */

import type { Outcome, PostedEffect } from "./frame.ts";
import type { BodyLease } from "./body-budget.ts";
import type { ImportJobs, ImportReply, ImportRequest } from "./imports/import-jobs.ts";
import { BodyFault, type IncomingBody } from "./incoming-body.ts";
import { readPairs } from "./form-pairs.ts";
import type { Answers, Multipart, MultipartPart } from "./multipart.ts";
import { inTime } from "./in-time.ts";
import { loaded, ModuleFault } from "./module-fault.ts";
import type { Files, Principal } from "./ports.ts";
import { reasonOf } from "./reason.ts";
import type { Place } from "./store-file.ts";
import { streamOf } from "./file-stream.ts";
import { storeImage } from "./images.ts";

/** The effects that an exchange performs. */
export type ExchangeEffect = Extract<
  PostedEffect,
  { readonly port: "body" | "part" | "file_receive" | "file_open" | "image" | "host_import" }
>;

export function isExchange(effect: PostedEffect): effect is ExchangeEffect {
  return ["body", "part", "file_receive", "file_open", "image", "host_import"].includes(effect.port);
}

export interface ExchangeOptions {
  readonly body: IncomingBody;
  readonly contentType: string;
  readonly lease: BodyLease;
  readonly files: Files | undefined;
  readonly portTimeoutMs: number;
  /** Imports of large files. Without them, the effect `host_import` fails. */
  readonly imports?: ImportJobs;
}

export function isMultipart(contentType: string): boolean {
  return contentType.toLowerCase().startsWith("multipart/form-data");
}

/** Number of a file's first bytes that the engine gets. */
const FIRST_BYTES = 16;

export class Exchange {
  readonly #options: ExchangeOptions;
  #multipart: Multipart | null = null;
  #opened: ReadableStream<Uint8Array> | null = null;
  #moduleFault: string | null = null;
  #principal: Principal | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Error of a module that the request needs but that could not be loaded; null without one. */
  get moduleFault(): string | null {
    return this.#moduleFault;
  }

  /** Sets the caller of the request, in whose name imports run. */
  identify(principal: Principal | null): void {
    this.#principal = principal;
  }

  /** Performs an effect. Always resolves. */
  async perform(effect: ExchangeEffect): Promise<Outcome> {
    try {
      return await this.#perform(effect);
    } catch (error) {
      if (error instanceof ModuleFault) this.#moduleFault = error.message;
      const code = error instanceof BodyFault ? error.code : "failed";
      return { head: { failed: { port: effect.port, code, message: reasonOf(error) } } };
    }
  }

  /** Returns the file that was opened last, for the response's body. */
  takeOpened(): ReadableStream<Uint8Array> | null {
    const opened = this.#opened;
    this.#opened = null;
    return opened;
  }

  /** Returns the answers that arrive before the timeout, without the bytes of files. */
  async answers(): Promise<Answers> {
    const { body, lease, portTimeoutMs } = this.#options;
    const pairs = async (): Promise<Answers> => ({ fields: await readPairs(body), files: [] });
    const answers = this.#isMultipart ? this.#parts().then((parts) => parts.rest()) : pairs();
    try {
      return await inTime(answers, portTimeoutMs, "body");
    } catch {
      body.stop();
      return this.#isMultipart ? (this.#multipart?.answers ?? { fields: [], files: [] }) : await answers;
    } finally {
      lease.free();
    }
  }

  /** Frees the exchange's resources. Must be called when the response is known. */
  close(): void {
    this.#options.lease.free();
    void this.takeOpened()?.cancel();
  }

  async #perform(effect: ExchangeEffect): Promise<Outcome> {
    const { body, files } = this.#options;
    switch (effect.port) {
      case "body":
        return { head: { file: true }, content: await body.whole() };
      case "part":
        return { head: { value: await this.#part() } };
      case "image": {
        if (files === undefined) throw new Error("this host has no files");
        if (!this.#isMultipart) return { head: { value: { fault: "missing" } } };
        return {
          head: { value: await storeImage(await this.#parts(), files, effect.folder, this.#options.portTimeoutMs) },
        };
      }
      case "host_import":
        return { head: { value: await this.#import(effect) } };
      case "file_receive":
        return this.#receive(effect);
      case "file_open": {
        if (files === undefined) throw new Error("this host has no files");
        return this.#open(files, effect.key);
      }
    }
  }

  async #import(request: Omit<ImportRequest, "principal">): Promise<ImportReply> {
    const { imports, body } = this.#options;
    if (imports === undefined || this.#principal === null) throw new Error("there is no caller");
    return imports.perform({ ...request, principal: this.#principal }, body);
  }

  async #receive(effect: ExchangeEffect & { readonly port: "file_receive" }): Promise<Outcome> {
    const { first, ...received } = await (await this.#parts()).receive(this.#place(effect));
    return { head: { received }, content: first };
  }

  get #isMultipart(): boolean {
    return isMultipart(this.#options.contentType);
  }

  async #part(): Promise<MultipartPart> {
    const { body } = this.#options;
    if (this.#isMultipart) return (await this.#parts()).next();
    // A form-encoded body is read in parts only if it was rejected as a whole.
    const fields = await readPairs(body);
    return { fields, file: null, ...(body.fault === null ? {} : { fault: body.fault }) };
  }

  /** Loads the parser lazily, because it needs modules of Node that not every platform has. */
  async #parts(): Promise<Multipart> {
    if (this.#multipart === null) {
      const { Multipart: Parser } = await loaded("multipart.js", import("./multipart.ts"));
      this.#multipart = new Parser(this.#options.body, this.#options.contentType);
    }
    return this.#multipart;
  }

  #place(effect: ExchangeEffect & { readonly port: "file_receive" }): Place | null {
    const { files, portTimeoutMs } = this.#options;
    if (effect.key === null || files === undefined) return null;
    return { files, key: effect.key, contentType: effect.content_type, limit: effect.limit, idleMs: portTimeoutMs };
  }

  async #open(files: Files, key: string): Promise<Outcome> {
    const reader = (await inTime(streamOf(files, key), this.#options.portTimeoutMs, "files"))?.getReader();
    if (reader === undefined) return { head: { file: false } };
    const first = await inTime(reader.read(), this.#options.portTimeoutMs, "files");
    let isFirst = true;
    this.#opened = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = isFirst ? first : await reader.read();
          isFirst = false;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return { head: { file: true }, content: (first.value ?? new Uint8Array()).slice(0, FIRST_BYTES) };
  }
}
