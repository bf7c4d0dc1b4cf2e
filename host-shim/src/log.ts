/** The log of a host. */

import type { Host, LogLevel } from "./ports.ts";

/** Writes an event to the host's log. Without one the console gets everything but `debug`. */
export function writeLog(
  host: Pick<Host, "log">,
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  if (host.log !== undefined) host.log(level, message, fields);
  else if (level !== "debug") console[level](`cf-forms: ${message}`, fields);
}
