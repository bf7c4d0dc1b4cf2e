/** Responds to failed submits. If the response is a page, the page keeps the visitor's answers. */

import { style } from "../../visitor/assets.ts";
import type { Languages } from "../../visitor/languages/index.ts";
import { answersPage } from "./answers-page.ts";
import type { Target } from "./bridge.ts";
import { INTERNAL_ERROR } from "./error-response.ts";
import { isMultipart, type Exchange } from "./exchange.ts";
import type { EngineResponse } from "./frame.ts";
import { GUARDS } from "./guards.ts";

/**
 * Limit for the bytes that are read from a rejected body to find the answers. The bytes of files count, although the
 * reader drops them.
 */
export const MAX_PASSED_OVER_BYTES = 2 ** 30;

const isSubmit = (request: Request, { area, path }: Target): boolean =>
  area === "front" && request.method === "POST" && !path.startsWith("/-/");

/** Whether a path accepts files before the submit. The responses of such a path are always JSON. */
const takesFiles = ({ path }: Target): boolean => /\/files(?:\/forget)?$/.test(path);

/** Whether a request is a submit whose response is a page. If the submit fails, the page shows the answers again. */
export function showsAnswersAgain(request: Request, found: Target): boolean {
  const type = (request.headers.get("content-type") ?? "").toLowerCase();
  const acceptsJson = request.headers.get("accept")?.includes("application/json") === true;
  return (
    isSubmit(request, found) &&
    !takesFiles(found) &&
    !acceptsJson &&
    /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(type)
  );
}

/** Whether a request is a submit that failed with a 5xx, and the response does not show the answers again. */
export function isFailedSubmit(response: EngineResponse, request: Request, found: Target): boolean {
  return response.status >= 500 && response.shows_answers !== true && isSubmit(request, found);
}

export interface FailedSubmit {
  readonly request: Request;
  readonly found: Target;
  readonly requestId: string;
  readonly exchange: Exchange;
  readonly languages: Languages;
  /** The path of the forms' pages. */
  readonly front: string;
}

/** Builds the response to a submit for which {@link isFailedSubmit} holds, for example after the engine has crashed. */
export async function respondToFailedSubmit(response: EngineResponse, failed: FailedSubmit): Promise<EngineResponse> {
  const { request, found, requestId, exchange, languages, front } = failed;
  const [language, texts] = textsFor(request, languages);
  if (!showsAnswersAgain(request, found)) {
    // Only the engine's own error responses have the header `access-control-allow-origin`. These responses are kept.
    // The host's error responses are replaced by JSON in the format of a response to a submit.
    const isFromEngine = response.headers.some(([name]) => name === "access-control-allow-origin");
    return isFromEngine ? response : submitFault(response.status, requestId, texts);
  }
  const page = answersPage({
    status: response.status,
    action: new URL(request.url).pathname,
    style: `${front}/-/assets/${style.name}`,
    isMultipart: isMultipart(request.headers.get("content-type") ?? ""),
    answers: await exchange.answers(),
    language,
    texts,
    requestId,
  });
  return { ...page, headers: [...page.headers, ...response.headers.filter(([name]) => name === "retry-after")] };
}

/** Returns the first language of `Accept-Language` for which the host has texts, and the texts; English by default. */
function textsFor(request: Request, languages: Languages): readonly [string, Readonly<Record<string, string>>] {
  for (const range of (request.headers.get("accept-language") ?? "").split(",").slice(0, 20)) {
    const tag = /^\s*([a-z]{2,3})\b/i.exec(range)?.[1]?.toLowerCase() ?? "";
    const texts = languages[tag];
    if (tag === "en") break;
    if (texts !== undefined) return [tag, texts];
  }
  return ["en", {}];
}

/** The JSON response for scripts and programs. */
function submitFault(status: number, requestId: string, texts: Readonly<Record<string, string>>): EngineResponse {
  const [code, english] = INTERNAL_ERROR;
  const text = `${texts["network_error"] ?? english} (${requestId})`;
  const body = { message: { type: "error", text }, code, errors: [], data: { status, request_id: requestId } };
  return {
    status,
    headers: [
      ["content-type", "application/json; charset=UTF-8"],
      ["cache-control", "no-store"],
      ["access-control-allow-origin", "*"],
      ...GUARDS,
    ],
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}
