/** Bodies of requests to the host's routes, and the answer to those with faults. */
import type { Context } from "hono";
import { restError } from "./answer.ts";

/** Reads the members of a JSON body; none when it is no object. */
export async function readBody(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await c.req.json().catch(() => null);
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
}

/** Answers that parameters are invalid, each with what it must be. */
export function invalidParams(c: Context, params: Readonly<Record<string, string>>): Response {
  return restError(c, 400, "rest_invalid_param", `Some values aren’t valid: ${Object.keys(params).join(", ")}`, {
    params,
  });
}
