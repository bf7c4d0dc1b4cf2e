/** Answers that the shim gives itself, where the engine cannot. */

import type { Answer } from "./frame.ts";
import { GUARDS } from "./guards.ts";

export const INTERNAL_ERROR = ["internal_error", "The site could not answer. The fault was logged."] as const;

/** An error of the REST conventions. A 5xx carries no internals: its request id finds the log line. */
export function faultAnswer(status: number, code: string, message: string, requestId: string): Answer {
  const body = { code, message, data: { status, request_id: requestId } };
  return {
    status,
    headers: [
      ["content-type", "application/json; charset=UTF-8"],
      ["cache-control", "no-store"],
      ...GUARDS,
    ],
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}
