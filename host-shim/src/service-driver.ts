/** Connects the driver of the engine to the site's ports, plugins and configuration. */

import type { Engine } from "#load-engine";
import { Driver } from "./driver.ts";
import { performer, performerNow } from "./effects.ts";
import type { FileStore } from "./file-store.ts";
import type { ImportParts } from "./imports/parts.ts";
import type { HookRegistry } from "./hook-registry.ts";
import { resultCheck, type ResultServices } from "./hook-results.ts";
import { writeLog } from "./log.ts";
import type { FormsOptions } from "./options.ts";

const CALLBACK_TIMEOUT_MS = 10_000;

/** The parts of a site that its driver needs. */
export interface Site {
  readonly options: FormsOptions;
  /** The engine's configuration, as UTF-8 JSON. */
  readonly configuration: Uint8Array;
  readonly registry: HookRegistry;
  readonly portTimeoutMs: number;
  readonly fileStore: FileStore;
  /** Reads the names of a form's fields. */
  readonly fieldNames: ResultServices["fieldNames"];
  readonly importParts: ImportParts;
  /** The public address after a change; undefined for the configured one. */
  readonly publicUrl: () => string | null | undefined;
  readonly now: () => number;
}

export function createDriver(engine: Engine, site: Site): Driver {
  const { options, configuration, registry, portTimeoutMs, fileStore, now } = site;
  const limits = {
    portTimeoutMs,
    callbackTimeoutMs: options.callbackTimeoutMs ?? CALLBACK_TIMEOUT_MS,
    proveStore: () => fileStore.prove(),
    importParts: site.importParts,
    checkResult: resultCheck({
      fieldNames: site.fieldNames,
      hasFilter: (hookName) => registry.has(true, hookName),
      warn: (message, fields) => writeLog(options.host, "warn", message, fields),
    }),
  };
  return new Driver({
    engine,
    prepare: (fresh) => {
      fresh.configure(configuration);
      const publicUrl = site.publicUrl();
      if (publicUrl !== undefined) fresh.setPublicUrl(publicUrl ?? "");
      registry.restore(fresh);
    },
    onDone: (current) => registry.scheduleSave(current),
    perform: performer(options.host, (callback, args) => registry.callBack(callback, args), limits),
    performNow: performerNow(options.host),
    now,
    onFault: (message, fields) => writeLog(options.host, "error", message, fields),
  });
}
