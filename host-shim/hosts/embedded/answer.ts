/** Answers of the host itself, in the shape the REST API's clients know. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { messagePage } from "./pages.ts";
import { isRestRequest } from "./paths.ts";

/** The REST error envelope: `{code, message, data: {status, …}}`. */
export function restError(
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  data: Readonly<Record<string, unknown>> = {},
): Response {
  return c.json({ code, message, data: { status, ...data } }, status);
}

/** An error as a page for people who see it in a browser, as JSON for everybody else. */
export function errorFor(
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  title: string,
  message: string,
  data: Readonly<Record<string, unknown>> = {},
): Response | Promise<Response> {
  const wantsPage = !isRestRequest(c.req.raw) && (c.req.header("accept") ?? "").includes("text/html");
  if (wantsPage) return c.html(messagePage(title, message), status);
  return restError(c, status, code, message, data);
}
