/** The interface that `createForms()` gives a host. */

import type { ActionType } from "./actions.ts";
import type { Answer } from "./frame.ts";
import type { Hooks } from "./hooks.ts";
import type { PureCalls } from "./pure.ts";

export interface Forms extends PureCalls {
  /**
   * Answers a request of the REST API or of a visitor; null when the path is neither's. `context` is
   * handed to the host's `authenticate`, `visitor`, `clientAddress` and `defer`. Never rejects.
   */
  fetch(request: Request, context?: unknown): Promise<Response | null>;
  /** The same, for servers that write answers themselves: a `Response` costs more than many an answer. */
  reply(request: Request, context?: unknown): Promise<Reply | null>;
  /** Whether {@link fetch} answers the request, by its address alone. */
  handles(request: Request): boolean;
  /**
   * Brings the database to the newest shape, and frees what this `instance` held of the queue when it
   * ended. To be called once, before serving.
   */
  migrate(): Promise<void>;
  /**
   * Runs the actions that are due, until none is, and waits for those that it began; what other calls
   * began it leaves to them. `context` is handed to the host's `defer`. Once an hour it also begins to delete what is over
   * and old, and the submissions that their forms keep no longer; after an update it goes on indexing stored submissions
   * again. The answer does not wait for either, `host.defer` and `close()` do.
   */
  runQueue(context?: unknown): Promise<{ processed: number }>;
  /** Where other plugins take part: the interface of `@wordpress/hooks`. */
  readonly hooks: Hooks;
  /** Adds an action type; returns a function that removes it. */
  registerAction(action: ActionType): () => void;
  /** The meta of forms for other plugins; a form's schema is under `_cf_form_schema`, as JSON text. */
  readonly meta: { get(formId: number, key: string): Promise<string | null> };
  /**
   * Counts the stored submissions again, form by form and day by day, and corrects counters that are
   * too low. What is too high is left: submissions that were deleted came all the same.
   */
  rebuildCounters(report: (difference: CounterDifference) => void): Promise<void>;
  /** Claims no more actions, deletes and indexes no more, waits for what is under way, and writes the events that wait. */
  close(): Promise<void>;
}

/** A response as plain values, without a `Response` object. Of a `stream`, `body` is empty. */
export type Reply = Pick<Answer, "status" | "headers" | "body" | "stream">;

/** A counter that is not what the stored submissions, or its days, add up to. */
export interface CounterDifference {
  /** 0 for the whole site. */
  readonly form_id: number;
  /** Such as `submit`, as docs/analytics.md names them. */
  readonly metric: string;
  /** A UTC day; empty for a running total. */
  readonly date: string;
  readonly label: string;
  /** By how much it was too low; less than 0 where it was too high. */
  readonly by: number;
  readonly corrected: boolean;
}
