/**
 * Runs the action queue: claims due entries and starts a task for each, so that a slow endpoint delays no other entry. Each
 * claim also stores the outcomes of the runs that have ended, so that many share one transaction. While
 * requests are in progress, claims come at intervals, so that visitors come before mails.
 *
 * Each call of `run` is a separate pass, which waits only for the entries that it began. On platforms like Workers, a
 * request that awaits another request's promise hangs, so passes share only numbers and times.
 */

import { FIRST_LIMIT, LaneLimits, SLOW_MS } from "./lane-limits.ts";

/**
 * A claimed entry in the engine's format, passed back unchanged. An `alone` entry runs when no other entry runs. A
 * `large` entry waits for the previous large entry of its `lane`.
 */
export type Claim = Readonly<Record<string, unknown>>;

export interface ClaimRequest {
  /** Limit on the entries. With 0 the claim only stores outcomes. */
  readonly limit: number;
  /** Number of running entries. */
  readonly running: number;
  /** Limit on the running entries of a lane. */
  readonly lane_limit: number;
  /** Limits of the lanes that differ from `lane_limit`. */
  readonly lane_limits: readonly (readonly [lane: string, limit: number])[];
}

export interface QueueEngine {
  /** Number of requests and entries in progress. */
  readonly inFlight: number;
  /** Stores the outcomes of ended runs, and claims due entries. */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** Runs an entry. The next claim stores its outcome. Returns whether it succeeded. */
  runEntry(claim: Claim): Promise<boolean>;
  /** Releases entries that were claimed but not begun. */
  release(claims: readonly Claim[]): Promise<void>;
}

export interface Concurrency {
  /** Limit for running entries that are not slow. */
  readonly quick: number;
  /** Limit for all running entries. */
  readonly total: number;
}

/** Interval at which a pass with running entries claims entries that have become due. */
const CLAIM_INTERVAL_MS = 1_000;

/** Time after which a claim counts as lost with its request, and no longer makes other passes wait. */
const LOST_CLAIM_MS = 500;

/** Interval at which a pass checks whether another pass has finished its claim. */
const POLL_MS = 2;

/** Time after which a running entry counts as lost with its request, and no longer takes a slot. */
const LOST_AFTER_MS = 240_000;

interface Pass {
  /** Number of entries of this pass that run. */
  running: number;
  /** Number of entries of this pass that have ended since its last claim. */
  ended: number;
  /** Last large entry of each lane. */
  readonly large: Map<string, Promise<void>>;
  /** Continues the pass that waits for an entry to end. */
  wake: () => void;
}

interface Running {
  began: number;
  readonly lane: string;
  readonly isAlone: boolean;
}

/** Limit on the entries that start in one turn of the event loop, so that requests and claims are not blocked. */
const MAX_STARTED = 8;

/** Time between claims while requests are in progress, so that one claim serves many submits. */
const SERVING_INTERVAL_MS = 25;

/** Number of requests in progress from which the site is busy. */
const MANY_REQUESTS = 16;

/** Time between claims on a busy site, whose visitors come first. */
const BUSY_INTERVAL_MS = 250;

/** Limit on the entries of a claim. */
const MAX_CLAIMED = 64;

const isAlone = (claim: Claim): boolean => claim["alone"] === true;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class QueueRunner {
  readonly #engine: QueueEngine;
  readonly #concurrency: Concurrency;
  readonly #lanes = new LaneLimits();
  readonly #running = new Map<Promise<void>, Running>();
  readonly #passes = new Set<Promise<unknown>>();
  /** Number of claimed entries that start in one of the next turns of the event loop. */
  #starting = 0;
  /** Number of runs whose outcomes no claim has stored. */
  #unstored = 0;
  #claimedAt = -Infinity;
  /** Start of the current claim; null when no pass claims. */
  #claimingSince: number | null = null;
  /** Time at which a pass last waited to claim; null when no pass waits. */
  #waitingSince: number | null = null;
  #closed = false;

  constructor(engine: QueueEngine, concurrency: Concurrency) {
    this.#engine = engine;
    this.#concurrency = concurrency;
  }

  /** Runs due entries until none is left or all slots are taken, and at most `limit`. Returns the number of runs. */
  run(limit = Infinity): Promise<number> {
    // No slot is free. When an entry ends, its pass claims more.
    if (this.#room() === 0) return Promise.resolve(0);
    const pass = this.#runDue(limit);
    const settled: Promise<unknown> = pass.catch(() => undefined).finally(() => this.#passes.delete(settled));
    this.#passes.add(settled);
    return pass;
  }

  /** Stops claiming, and waits for running entries and their outcomes. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.keys()]);
    await Promise.all(this.#passes);
    if (this.#unstored > 0) await this.#claim(0).catch(() => undefined);
  }

  async #runDue(limit: number, isSecond = false): Promise<number> {
    const pass: Pass = { running: 0, ended: 0, large: new Map(), wake() {} };
    let processed = 0;
    let second: Promise<number> | undefined;
    for (;;) {
      pass.ended = 0;
      const { begun, released } = await this.#begin(pass, limit - processed);
      processed += begun;
      // A second pass claims entries while the entries of the first run.
      if (begun === MAX_CLAIMED && !isSecond && limit === Infinity) second ??= this.#runDue(limit, true).catch(() => 0);
      const isIdle = pass.running === 0 && pass.ended === 0 && begun === 0;
      // Another pass may have missed the released entries.
      if (isIdle && !(released > 0 && this.#room() > 0)) break;
      await this.#change(pass);
    }
    return processed + ((await second) ?? 0);
  }

  /** Claims entries up to the room and the limit, starts them, and releases the surplus. */
  async #begin(pass: Pass, limit: number): Promise<{ readonly begun: number; readonly released: number }> {
    if (this.#mustWait()) {
      // Another pass waits already, and its claim will serve both.
      if (isRecent(this.#waitingSince, LOST_CLAIM_MS)) return { begun: 0, released: 0 };
      await this.#wait();
    }
    const wanted = this.#closed ? 0 : Math.min(this.#room(), MAX_CLAIMED, limit);
    if (wanted === 0 && this.#unstored === 0) return { begun: 0, released: 0 };
    const claims = await this.#claim(wanted);
    // Another pass may have filled the room meanwhile, or begun an entry that runs alone.
    const isBlocked = this.#closed || (this.#running.size + this.#starting > 0 && claims.some(isAlone));
    const room = isBlocked ? 0 : this.#room();
    const surplus = claims.slice(room);
    const started = this.#startAll(claims.slice(0, room), pass);
    if (surplus.length > 0) await this.#engine.release(surplus);
    await started;
    return { begun: claims.length - surplus.length, released: surplus.length };
  }

  /** Whether another pass claims, or requests are in progress and the last claim is too recent. */
  #mustWait(): boolean {
    if (isRecent(this.#claimingSince, LOST_CLAIM_MS)) return true;
    if (this.#closed) return false;
    const requests = this.#engine.inFlight - this.#running.size;
    const interval = requests >= MANY_REQUESTS ? BUSY_INTERVAL_MS : requests > 0 ? SERVING_INTERVAL_MS : 0;
    return isRecent(this.#claimedAt, interval);
  }

  /** Waits until a claim may begin. */
  async #wait(): Promise<void> {
    while (this.#mustWait()) {
      this.#waitingSince = performance.now();
      await delay(POLL_MS);
    }
    this.#waitingSince = null;
  }

  async #claim(limit: number): Promise<readonly Claim[]> {
    const since = performance.now();
    this.#claimingSince = since;
    this.#claimedAt = since;
    this.#unstored = 0;
    try {
      const lane_limits = [...this.#laneLimits()];
      return await this.#engine.claim({ limit, running: this.#running.size, lane_limit: FIRST_LIMIT, lane_limits });
    } finally {
      if (this.#claimingSince === since) this.#claimingSince = null;
    }
  }

  /** Limits of lanes. When too many entries are slow, the limit of their lanes is 0. */
  #laneLimits(): Map<string, number> {
    const limits = this.#lanes.known();
    const slow = [...this.#running.values()].filter(({ began }) => !isRecent(began, SLOW_MS));
    if (slow.length > this.#concurrency.total - this.#concurrency.quick) {
      for (const { lane } of slow) limits.set(lane, 0);
    }
    return limits;
  }

  async #startAll(claims: readonly Claim[], pass: Pass): Promise<void> {
    this.#starting += claims.length;
    for (let at = 0; at < claims.length; at += MAX_STARTED) {
      const turn = at + MAX_STARTED < claims.length ? delay(0) : undefined;
      for (const claim of claims.slice(at, at + MAX_STARTED)) {
        this.#starting -= 1;
        this.#start(claim, pass);
      }
      await turn;
    }
  }

  #start(claim: Claim, pass: Pass): void {
    const running = { began: performance.now(), lane: String(claim["lane"] ?? ""), isAlone: isAlone(claim) };
    const isLarge = claim["large"] === true;
    const before = isLarge ? pass.large.get(running.lane) : undefined;
    const work: Promise<void> = this.#run(claim, running, before).finally(() => {
      this.#running.delete(work);
      this.#unstored += 1;
      pass.running -= 1;
      pass.ended += 1;
      pass.wake();
    });
    if (isLarge) pass.large.set(running.lane, work);
    this.#running.set(work, running);
    pass.running += 1;
  }

  async #run(claim: Claim, running: Running, before: Promise<void> | undefined): Promise<void> {
    if (before !== undefined) await before;
    running.began = performance.now();
    const succeeded = await this.#engine.runEntry(claim).catch(() => false);
    this.#lanes.ended(running.lane, performance.now() - running.began, succeeded);
  }

  #room(): number {
    const lostBefore = performance.now() - LOST_AFTER_MS;
    let quick = 0;
    for (const [work, { began, isAlone }] of this.#running) {
      if (began < lostBefore) this.#running.delete(work);
      else if (isAlone) return 0;
      else if (isRecent(began, SLOW_MS)) quick += 1;
    }
    const { quick: maxQuick, total } = this.#concurrency;
    return Math.max(0, Math.min(maxQuick - quick, total - this.#running.size) - this.#starting);
  }

  /** Resolves when the pass should claim again: one of its entries has ended, or the interval is over. */
  async #change(pass: Pass): Promise<void> {
    while (pass.running > 0 && pass.ended === 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        pass.wake = resolve;
        timer = setTimeout(resolve, CLAIM_INTERVAL_MS);
      });
      clearTimeout(timer);
      // One claim in an interval is enough, however many passes wait.
      if (!isRecent(this.#claimedAt, CLAIM_INTERVAL_MS)) return;
    }
    // One turn later, runs that end together can share the claim that stores their outcomes.
    await delay(0);
  }
}

function isRecent(time: number | null, ms: number): boolean {
  return time !== null && performance.now() - time < ms;
}
