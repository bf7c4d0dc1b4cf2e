/** The body of a request, read when the engine asks for it and as far as it may be. */

import type { BodyLease } from "./body-budget.ts";
import { BODY_PACE, bytesInGrace, Patience, type BodyPace } from "./body-pace.ts";
import { reasonOf } from "./reason.ts";

/** A body that is announced as no longer than this is read before the engine is asked. */
export const SMALL_BODY = 64 * 2 ** 10;

/** Why a body cannot be read. */
export class BodyFault extends Error {
  readonly code: "too_large" | "too_many_fields" | "broken" | "consumed" | "busy" | "busy_address" | "slow";

  constructor(code: BodyFault["code"], cause?: unknown) {
    super(`the body is ${code}`, { cause });
    this.code = code;
  }
}

export interface BodyLimits {
  /** The most bytes. */
  readonly bytes: number;
  /** Whether the server hands on no more of a body than its `Content-Length` says. */
  readonly lengthHolds: boolean;
  readonly lease: BodyLease;
  /**
   * Up to how many bytes a body is read that {@link IncomingBody.fault} refuses, while the lease has a place for it:
   * whoever reads it passes over what is too large, and keeps the rest. Default: none.
   */
  readonly passedOver?: number;
  /** How slowly it may come; the default is for all but tests. */
  readonly pace?: BodyPace;
}

/** What `Content-Length` says, if it is a length. */
function announcedLength(request: Request): number | null {
  const text = request.headers.get("content-length");
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Whether a parser of the host's had the body first. Some servers build it only when it is asked for, and
 * throw when it is gone; those whose lengths hold are spared that.
 */
export function isConsumed(request: Request, lengthHolds: boolean): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  try {
    return request.bodyUsed || (!(lengthHolds && announcedLength(request) !== null) && request.body?.locked === true);
  } catch {
    return true;
  }
}

/** Whether a body may be read before anything is known of the request: it is short, or there is none. */
export function isSmall(request: Request): boolean {
  // Even to ask for the body makes some servers build the whole request.
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
  /** What {@link whole} read. */
  #read = new Uint8Array();
  #patience: Patience;
  /** When a body that is read on though it is refused is left; null for other bodies. */
  #passOverEnd: number | null = null;
  #isSlow = false;
  /** Whether nothing more of a refused body is read. */
  #isLeft = false;
  /** Ends the read that waits for the client. */
  #interrupt: () => void = () => undefined;

  constructor(request: Request, limits: BodyLimits) {
    this.#request = request;
    this.#limits = limits;
    this.#pace = limits.pace ?? BODY_PACE;
    this.#patience = new Patience(this.#pace);
  }

  /** Whether it came too slowly: nothing more of it is read. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Why the body is refused though it is read on; null where it is not. */
  get fault(): BodyFault["code"] | null {
    return this.#fault;
  }

  /** What {@link whole} read, also where it failed. */
  get read(): Uint8Array {
    return this.#read;
  }

  /** Counts memory that the body takes besides its bytes to those under way; the next piece may be refused for it. */
  charge(bytes: number): void {
    this.#charged += bytes;
  }

  /** Reads nothing more of the body, and ends the read that waits for it. */
  stop(): void {
    this.#isSlow = true;
    this.#interrupt();
  }

  /** The whole body. */
  async whole(): Promise<Uint8Array> {
    if (this.#request.method === "GET" || this.#request.method === "HEAD") return new Uint8Array();
    const length = this.#begin();
    this.#refuse();
    // Such a server has a short way for a body as a whole. How much of it has come is not known before it has.
    if (this.#limits.lengthHolds && length !== null && length > 0 && length <= bytesInGrace(this.#pace)) {
      const body = new Uint8Array(await this.#unbroken(this.#request.arrayBuffer()));
      if (body.length === 0) throw new BodyFault("consumed");
      return (this.#read = body);
    }
    let body = new Uint8Array();
    for (let piece = await this.next(); piece !== null; piece = await this.next()) {
      const from = this.#total - piece.length;
      // One buffer that doubles: of a body in pieces of a byte each piece would take hundreds.
      if (this.#total > body.length) {
        const larger = new Uint8Array(Math.max(this.#total, Math.min(this.#limits.bytes, 2 * body.length)));
        larger.set(body.subarray(0, from));
        body = larger;
      }
      body.set(piece, from);
      this.#read = body.subarray(0, this.#total);
      this.#refuse();
    }
    return this.#read;
  }

  /**
   * The next piece; null at the end. A body that is too long is left where it is: to cancel it would
   * close the connection before the client hears why.
   */
  async next(): Promise<Uint8Array | null> {
    this.#begin();
    if (this.#request.body === null) return null;
    this.#reader ??= this.#request.body.getReader();
    const { done, value } = await this.#unbroken(this.#reader.read());
    // A stream that a parser has emptied ends at once, whatever was announced.
    if (done && this.#total === 0 && (announcedLength(this.#request) ?? 0) > 0) throw new BodyFault("consumed");
    if (done) return null;
    this.#total += value.length;
    this.#patience.earn(value.length);
    this.#allow(this.#total);
    return value;
  }

  /** Refuses a body that came too slowly, and one that is announced as too long, before anything more of it is read. */
  #begin(): number | null {
    if (this.#passOverEnd !== null && performance.now() > this.#passOverEnd) this.#isSlow = true;
    if (this.#isSlow) throw this.#slowFault;
    if (this.#isLeft) this.#refuse();
    const length = announcedLength(this.#request);
    if (!this.#begun && length !== null) this.#allow(length);
    this.#begun = true;
    return length;
  }

  /** The reason why a body that is refused already is not read on stays the first one. */
  get #slowFault(): BodyFault {
    return new BodyFault(this.#fault ?? "slow");
  }

  #allow(bytes: number): void {
    this.#fault ??= this.#faultOf(bytes);
    if (this.#fault === null || this.#isPassedOver(bytes)) return;
    this.#isLeft = true;
    this.#refuse();
  }

  /** Whether the body, which is refused, is read on. Then a client that stalls is waited for no longer than at first. */
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
    const leased = bytes + this.#charged;
    return leased <= SMALL_BODY ? null : this.#limits.lease.grow(leased);
  }

  #refuse(): void {
    if (this.#fault !== null) throw new BodyFault(this.#fault);
  }

  async #unbroken<T>(read: Promise<T>): Promise<T> {
    try {
      return await this.#inPace(read);
    } catch (error) {
      if (error instanceof BodyFault) throw error;
      // Servers with a limit of their own end the body with an error, and say so only in words.
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
