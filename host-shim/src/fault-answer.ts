/** Error answers of the shim, for requests that the engine cannot answer. */

import type { Answer } from "./frame.ts";
import { GUARDS } from "./guards.ts";

export const INTERNAL_ERROR = ["internal_error", "Something went wrong on the server. Try again."] as const;

/** Builds an error answer of the REST API. A 5xx contains no internals; its request id identifies the log line. */
export function faultAnswer(status: number, code: string, message: string, requestId: string): Answer {
  const body = { code, message, data: { status, request_id: requestId } };
  return {
    status,
    headers: [["content-type", "application/json; charset=UTF-8"], ["cache-control", "no-store"], ...GUARDS],
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

/** Builds the answer to a request whose part of the engine could not be loaded. The reason goes to the log. */
export function notLoaded(reason: string, requestId: string): Answer {
  return { ...faultAnswer(500, ...INTERNAL_ERROR, requestId), log: reason };
}
