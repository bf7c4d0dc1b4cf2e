/** The interface that `createForms()` returns to a host. */

import type { Client } from "../../client/index.ts";
import type { TemplateSubmission, TemplateUse } from "./action-values.ts";
import type { ActionSettingDescription, ActionType } from "./actions.ts";
import type { EngineResponse } from "./frame.ts";
import type { Hooks } from "./hooks.ts";
import type { MetaStore, Principal } from "./ports.ts";
import type { PureCalls } from "./pure.ts";
import type { NamespaceIndex } from "./reference.ts";

/** The engine of a site, as `createForms` returns it. */
export interface Forms extends PureCalls {
  /**
   * Handles a request of the REST API or of a visitor; null when the path belongs to neither. `context` is passed to the
   * host's `authenticate`, `visitor`, `clientAddress` and `defer`. Never rejects.
   */
  fetch(request: Request, context?: unknown): Promise<Response | null>;
  /** Works like {@link fetch}, without the cost of a `Response`, for servers that write responses themselves. */
  reply(request: Request, context?: unknown): Promise<Reply | null>;
  /** Whether {@link fetch} handles the request. Only its address is checked. */
  handles(request: Request): boolean;
  /**
   * Returns the typed client of the REST API for code in this process, such as another plugin of the platform. The
   * client calls as this user, with the same checks as over HTTP, and skips the host's authentication.
   */
  as(principal: Principal): Client;
  /** Returns the namespace's routes with their arguments, for a platform's index of all namespaces. */
  namespaceIndex(): Promise<NamespaceIndex>;
  /**
   * Migrates the database to the newest version, and releases the queue entries that this `instance` had claimed when it
   * ended. Must be called once, before serving. Rejects when other hosts of the database keep uploads in another store.
   */
  migrate(): Promise<void>;
  /**
   * Runs due actions until none is left, and waits for the actions that this call began. `context` is passed to the
   * host's `defer`. Once an hour it also starts the purge of expired rows and submissions. After an update it continues
   * to index stored submissions again, and after a stop it continues imports. The result waits for none of them;
   * `host.defer` and `close()` do.
   */
  runQueue(context?: unknown): Promise<{ processed: number }>;
  /** Hooks for other plugins, with the interface of `@wordpress/hooks`. */
  readonly hooks: Hooks;
  /**
   * Replaces the template variables of a text, such as `[name]` and `[CF_FORM_TITLE]`, by a submission's answers, escaped
   * for the text's use: in plain text, in HTML, or in a URL.
   */
  render(template: string, submission: TemplateSubmission, options: { readonly as: TemplateUse }): Promise<string>;
  /** Adds an action type, or replaces the type of an earlier call; returns a function that removes it. */
  registerAction<const Settings extends readonly ActionSettingDescription[]>(action: ActionType<Settings>): () => void;
  /** The meta of forms for other plugins; a form's schema is under `_cf_form_schema`, as JSON text. */
  readonly meta: Pick<MetaStore, "get">;
  /**
   * Recounts the stored submissions by form and day. Raises counters of a day that are too low, and corrects totals. A
   * counter of a day that is too high stays, because deleted submissions still count.
   */
  rebuildCounters(report: (difference: CounterDifference) => void): Promise<void>;
  /** Changes the site's public address, for mails and signed links; null for none. */
  setPublicUrl(url: string | null): void;
  /** Stops the queue, the purge, reindexing and imports, waits for running work, and writes the collected events. */
  close(): Promise<void>;
}

/** A response as plain values, without a `Response` object. With a `stream`, `body` is empty. */
export type Reply = Pick<EngineResponse, "status" | "headers" | "body" | "stream">;

/** A counter that differs from the sum of the stored submissions, or of its days. */
export interface CounterDifference {
  /** 0 for the whole site. */
  readonly form_id: number;
  /** Such as `submit`, as docs/analytics.md names them. */
  readonly metric: string;
  /** A UTC day; empty for a running total. */
  readonly date: string;
  readonly label: string;
  /** Amount by which the counter was too low; negative when it was too high. */
  readonly by: number;
  readonly corrected: boolean;
}
