/** The body of a request, read on demand and within limits. */

import type { BodyLease } from "./body-budget.ts";
import { BODY_PACE, bytesInGrace, Patience, type BodyPace } from "./body-pace.ts";
import { reasonOf } from "./reason.ts";

/** Largest announced length of a body that is read before the engine starts. */
export const SMALL_BODY = 64 * 2 ** 10;

/** The reason why a body cannot be read. */
export class BodyFault extends Error {
  readonly code: "too_large" | "too_many_fields" | "broken" | "consumed" | "busy" | "busy_address" | "slow";

  constructor(code: BodyFault["code"], cause?: unknown) {
    super(`the body is ${code}`, { cause });
    this.code = code;
  }
}

export interface BodyLimits {
  /** Limit for the size. */
  readonly bytes: number;
  /** Whether the server passes on at most `Content-Length` bytes of a body. */
  readonly lengthHolds: boolean;
  readonly lease: BodyLease;
  /**
   * Limit for reading the answers of a rejected body, if the lease has a free slot. The reader skips parts that are too
   * large. Default: 0, so that rejected bodies are not read.
   */
  readonly passedOver?: number;
  /** Whether the reader passes the bytes on at once, so that they do not count against the lease. */
  readonly isPassedOn?: boolean;
  /** Minimum speed; only tests change the default. */
  readonly pace?: BodyPace;
}

/** The value of `Content-Length`; null when it is not a valid length. */
function announcedLength(request: Request): number | null {
  const text = request.headers.get("content-length");
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Whether a parser of the host has consumed the body. Some servers build the body on first access, and throw when it is
 * gone. When the server enforces Content-Length, the body is not accessed.
 */
export function isConsumed(request: Request, lengthHolds: boolean): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  try {
    return request.bodyUsed || (!(lengthHolds && announcedLength(request) !== null) && request.body?.locked === true);
  } catch {
    return true;
  }
}

/** Whether a body may be read before the request is checked: it is short, or there is none. */
export function isSmall(request: Request): boolean {
  // Accessing the body makes some servers build the whole request.
  if (request.method === "GET" || request.method === "HEAD") return true;
  const length = announcedLength(request);
  return length === null ? request.body === null : length <= SMALL_BODY;
}

export class IncomingBody {
  readonly #request: Request;
  readonly #limits: BodyLimits;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  readonly #pace: BodyPace;
  #total = 0;
  #charged = 0;
  #begun = false;
  #fault: BodyFault["code"] | null = null;
  /** The bytes that {@link whole} read. */
  #read = new Uint8Array();
  #patience: Patience;
  /** Time at which reading of a rejected body stops; null for other bodies. */
  #passOverEnd: number | null = null;
  #isSlow = false;
  /** Whether reading of a rejected body has stopped. */
  #isLeft = false;
  /** Rejects the pending read. */
  #interrupt: () => void = () => undefined;

  constructor(request: Request, limits: BodyLimits) {
    this.#request = request;
    this.#limits = limits;
    this.#pace = limits.pace ?? BODY_PACE;
    this.#patience = new Patience(this.#pace);
  }

  /** Whether reading was stopped, because the body was too slow or took too long. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** The fault of a rejected body, which may still be read; null when it is not rejected. */
  get fault(): BodyFault["code"] | null {
    return this.#fault;
  }

  /** The bytes that {@link whole} read, also when it failed. */
  get read(): Uint8Array {
    return this.#read;
  }

  /** Counts memory that the body needs in addition to its bytes. The next piece may then exceed the budget. */
  charge(bytes: number): void {
    this.#charged += bytes;
  }

  /** Stops reading and rejects the pending read. */
  stop(): void {
    this.#isSlow = true;
    this.#interrupt();
  }

  /** Reads the whole body. */
  async whole(): Promise<Uint8Array> {
    if (this.#request.method === "GET" || this.#request.method === "HEAD") return new Uint8Array();
    const length = this.#begin();
    this.#throwFault();
    // If the server enforces the length, reading the whole body at once is faster. That shows no progress, so only
    // short bodies are read at once.
    if (this.#limits.lengthHolds && length !== null && length > 0 && length <= bytesInGrace(this.#pace)) {
      const body = new Uint8Array(await this.#readOrFault(this.#request.arrayBuffer()));
      if (body.length === 0) throw new BodyFault("consumed");
      return (this.#read = body);
    }
    let body = new Uint8Array();
    for (let piece = await this.next(); piece !== null; piece = await this.next()) {
      const from = this.#total - piece.length;
      // The buffer doubles its size. A list would take hundreds of bytes for each piece of one byte.
      if (this.#total > body.length) {
        const larger = new Uint8Array(Math.max(this.#total, Math.min(this.#limits.bytes, 2 * body.length)));
        larger.set(body.subarray(0, from));
        body = larger;
      }
      body.set(piece, from);
      this.#read = body.subarray(0, this.#total);
      this.#throwFault();
    }
    return this.#read;
  }

  /**
   * Reads the next piece; null at the end. A body that is too long is not cancelled, because that would close the
   * connection before the client gets the response.
   */
  async next(): Promise<Uint8Array | null> {
    this.#begin();
    if (this.#request.body === null) return null;
    this.#reader ??= this.#request.body.getReader();
    const { done, value } = await this.#readOrFault(this.#reader.read());
    // A stream that a parser has consumed ends at once, although a length was announced.
    if (done && this.#total === 0 && (announcedLength(this.#request) ?? 0) > 0) throw new BodyFault("consumed");
    if (done) return null;
    this.#total += value.length;
    this.#patience.earn(value.length);
    this.#allow(this.#total);
    return value;
  }

  /** Rejects a body that arrived too slowly, or whose announced length is too large, before more of it is read. */
  #begin(): number | null {
    if (this.#passOverEnd !== null && performance.now() > this.#passOverEnd) this.#isSlow = true;
    if (this.#isSlow) throw this.#slowFault;
    if (this.#isLeft) this.#throwFault();
    const length = announcedLength(this.#request);
    if (!this.#begun && length !== null) this.#allow(length);
    this.#begun = true;
    return length;
  }

  /** When a rejected body cannot be read further, the first fault remains the reason. */
  get #slowFault(): BodyFault {
    return new BodyFault(this.#fault ?? "slow");
  }

  #allow(bytes: number): void {
    this.#fault ??= this.#faultOf(bytes);
    if (this.#fault === null || this.#isPassedOver(bytes)) return;
    this.#isLeft = true;
    this.#throwFault();
  }

  /**
   * Whether the rest of the rejected body may be read for the visitor's answers. The first call reserves a slot for it.
   * From then on, a stalled client has only the grace period.
   */
  #isPassedOver(bytes: number): boolean {
    if (this.#isSlow || bytes > (this.#limits.passedOver ?? 0)) return false;
    if (this.#passOverEnd !== null) return true;
    if (!this.#limits.lease.passOver()) return false;
    this.#passOverEnd = performance.now() + this.#pace.passOverMs;
    this.#patience = new Patience({ ...this.#pace, maxAheadMs: this.#pace.graceMs });
    return true;
  }

  get #leftMs(): number {
    const left = this.#patience.leftMs;
    return this.#passOverEnd === null ? left : Math.max(0, Math.min(left, this.#passOverEnd - performance.now()));
  }

  #faultOf(bytes: number): BodyFault["code"] | null {
    if (bytes > this.#limits.bytes) return "too_large";
    if (this.#limits.isPassedOn === true) return null;
    const leased = bytes + this.#charged;
    return leased <= SMALL_BODY ? null : this.#limits.lease.grow(leased);
  }

  #throwFault(): void {
    if (this.#fault !== null) throw new BodyFault(this.#fault);
  }

  async #readOrFault<T>(read: Promise<T>): Promise<T> {
    try {
      return await this.#inPace(read);
    } catch (error) {
      if (error instanceof BodyFault) throw error;
      // A server with a limit ends the body with an error that is only recognizable by its message.
      const isTooLarge = /too large|limit exceeded|size limit|exceeds/i.test(reasonOf(error));
      throw new BodyFault(isTooLarge ? "too_large" : "broken", error);
    }
  }

  /** Waits for the client as long as its pace allows. */
  async #inPace<T>(read: Promise<T>): Promise<T> {
    const since = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      this.#interrupt = () => {
        this.#isSlow = true;
        reject(this.#slowFault);
      };
      timer = setTimeout(this.#interrupt, this.#leftMs);
    });
    try {
      return await Promise.race([read, late]);
    } finally {
      clearTimeout(timer);
      this.#interrupt = () => undefined;
      this.#patience.wait(performance.now() - since);
    }
  }
}
