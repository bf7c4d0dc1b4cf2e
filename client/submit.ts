/** Sending a form as visitors do: it needs no credentials, and works from any site. */
import { ApiError, jsonOf } from "./error.ts";

export interface SubmitOptions {
  /**
   * The same for each attempt at one submission: however often it is sent, it is stored once. Give
   * your own to send it again after a failure of the network.
   */
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

/** What a visitor is told of a submission that was accepted. */
export interface Submitted {
  readonly message: { readonly type: "success"; readonly text: string };
  readonly hide_form: boolean;
  readonly redirect_url?: string;
  readonly submission_id?: number;
}

/** What is wrong with an answer: `data.errors` of the `ApiError` of a refusal. */
export interface AnswerError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** Of a name or address: which part. */
  readonly part?: string;
}

/**
 * Sends answers to the form at an address such as `https://example.org/forms/contact`: an object of
 * JSON, or `FormData`, which may hold files. A refusal is thrown as an `ApiError`.
 */
export async function submitForm(
  address: string,
  answers: FormData | Readonly<Record<string, unknown>>,
  options: SubmitOptions = {},
): Promise<Submitted> {
  const { key = crypto.randomUUID(), signal, fetch: send = (to, init) => fetch(to, init) } = options;
  const isForm = answers instanceof FormData;
  const response = await send(address, {
    method: "POST",
    headers: {
      Accept: "application/json",
      "Idempotency-Key": key,
      ...(isForm ? {} : { "Content-Type": "application/json" }),
    },
    body: isForm ? answers : JSON.stringify(answers),
    ...(signal === undefined ? {} : { signal }),
  });
  const body = (await jsonOf(response)) as Refused & Submitted;
  if (response.ok) return body;
  const { code = "invalid_json", message, errors = [] } = body ?? {};
  const retryAfter = Number(response.headers.get("retry-after") ?? 0);
  throw new ApiError(response.status, code, message?.text ?? `The site answered ${response.status}.`, {
    errors,
    ...(retryAfter > 0 ? { retry_after: retryAfter } : {}),
  });
}

interface Refused {
  readonly code?: string;
  readonly errors?: readonly AnswerError[];
}
