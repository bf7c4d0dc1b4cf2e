/** Reads the bodies of requests to the host's routes, and builds the response to invalid ones. */
import type { Context } from "hono";
import { restError } from "./responses.ts";

/** Reads the members of a JSON body; empty when the body is not an object. */
export async function readBody(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await c.req.json().catch(() => null);
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
}

/** Builds the 400 response for invalid parameters, with a message for each. */
export function invalidParams(c: Context, params: Readonly<Record<string, string>>): Response {
  return restError(c, 400, "rest_invalid_param", `Some values aren’t valid: ${Object.keys(params).join(", ")}`, {
    params,
  });
}
