/** Responses of the host itself, in the format of the REST API. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { messagePage } from "./pages.ts";

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

/** Returns 404 for an unknown route, and for an unknown method of a route. */
export function noRoute(c: Context): Response {
  return restError(c, 404, "rest_no_route", "This function isn’t available on this site.");
}

/** Returns an error as a page for browsers, and as JSON for programs. */
export function errorFor(
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  title: string,
  message: string,
  data: Readonly<Record<string, unknown>> = {},
): Response | Promise<Response> {
  return acceptsHtml(c) ? c.html(messagePage(title, message), status) : restError(c, status, code, message, data);
}

/** Whether the request is a browser's navigation. */
export function acceptsHtml(c: Context): boolean {
  return (c.req.header("accept") ?? "").includes("text/html");
}
