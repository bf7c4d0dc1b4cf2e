/** Answers of the host itself, in the shape the REST API's clients know. */
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

/** The answer where no route is, nor another method of one. */
export function noRoute(c: Context): Response {
  return restError(c, 404, "rest_no_route", "No route was found matching the URL and request method.");
}

/** An error as a page for browsers, as JSON for everybody else. */
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

/** Whether a browser navigates, rather than a program asks. */
export function acceptsHtml(c: Context): boolean {
  return (c.req.header("accept") ?? "").includes("text/html");
}
