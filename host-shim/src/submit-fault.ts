/** Answers submits that fail, so that the visitor's answers are not lost. */

import { style } from "../../visitor/assets.ts";
import type { Languages } from "../../visitor/languages/index.ts";
import { answersPage } from "./answers-page.ts";
import type { Target } from "./bridge.ts";
import { isMultipart, type Exchange } from "./exchange.ts";
import { INTERNAL_ERROR } from "./fault-answer.ts";
import type { Answer } from "./frame.ts";
import { GUARDS } from "./guards.ts";

/** Limit for reading a rejected body for its answers. Files are skipped. */
export const MAX_PASSED_OVER_BYTES = 2 ** 30;

const isSubmit = (request: Request, { area, path }: Target): boolean =>
  area === "front" && request.method === "POST" && !path.startsWith("/-/");

/** Whether a path accepts files before the submit, so that its responses are always JSON. */
const takesFiles = ({ path }: Target): boolean => /\/files(?:\/forget)?$/.test(path);

/** Whether a request is a submit whose response is a page, which shows the form and the answers after a failure. */
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

/** Whether a failed submit was answered without the form. */
export function isFailedSubmit(answer: Answer, request: Request, found: Target): boolean {
  return answer.status >= 500 && answer.shows_answers !== true && isSubmit(request, found);
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

/** Answers a failed submit when the engine could not show the form, because it trapped or could not read the form. */
export async function answerFailedSubmit(answer: Answer, failed: FailedSubmit): Promise<Answer> {
  const { request, found, requestId, exchange, languages, front } = failed;
  const [language, texts] = textsFor(request, languages);
  if (!showsAnswersAgain(request, found)) {
    // An answer of the engine already has the shape of all answers to submits.
    const isFromEngine = answer.headers.some(([name]) => name === "access-control-allow-origin");
    return isFromEngine ? answer : submitFault(answer.status, requestId, texts);
  }
  const page = answersPage({
    status: answer.status,
    action: new URL(request.url).pathname,
    style: `${front}/-/assets/${style.name}`,
    isMultipart: isMultipart(request.headers.get("content-type") ?? ""),
    answers: await exchange.answers(),
    language,
    texts,
    requestId,
  });
  return { ...page, headers: [...page.headers, ...answer.headers.filter(([name]) => name === "retry-after")] };
}

/** The texts of the visitor's first language that the host has. */
function textsFor(request: Request, languages: Languages): readonly [string, Readonly<Record<string, string>>] {
  for (const range of (request.headers.get("accept-language") ?? "").split(",").slice(0, 20)) {
    const tag = /^\s*([a-z]{2,3})\b/i.exec(range)?.[1]?.toLowerCase() ?? "";
    const texts = languages[tag];
    if (tag === "en") break;
    if (texts !== undefined) return [tag, texts];
  }
  return ["en", {}];
}

/** The JSON answer for scripts and programs. */
function submitFault(status: number, requestId: string, texts: Readonly<Record<string, string>>): Answer {
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
