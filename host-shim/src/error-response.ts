/** Error responses of the shim, for requests that the engine cannot handle. */

import type { EngineResponse } from "./frame.ts";
import { GUARDS } from "./guards.ts";

export const INTERNAL_ERROR = ["internal_error", "Something went wrong on the server. Try again."] as const;

/** Builds an error response of the REST API. A 5xx contains no internals; its request id identifies the log line. */
export function errorResponse(status: number, code: string, message: string, requestId: string): EngineResponse {
  const body = { code, message, data: { status, request_id: requestId } };
  return {
    status,
    headers: [["content-type", "application/json; charset=UTF-8"], ["cache-control", "no-store"], ...GUARDS],
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

/** Builds the response for a request that needs a module which could not be loaded. The reason goes to the log. */
export function notLoaded(reason: string, requestId: string): EngineResponse {
  return { ...errorResponse(500, ...INTERNAL_ERROR, requestId), log: reason };
}
