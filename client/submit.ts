/** Submits a form as visitors do, without credentials and from any site. */
import { ApiError, jsonOf } from "./error.ts";

/** Options of {@link submitForm}. */
export interface SubmitOptions {
  /**
   * Idempotency key: attempts with the same key are stored once. Pass a key to be able to retry after a network failure;
   * default: a random key.
   */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

/** The response to an accepted submission. */
export interface Submitted {
  readonly message: { readonly type: "success"; readonly text: string };
  readonly hide_form: boolean;
  readonly redirect_url?: string;
  readonly submission_id?: number;
}

/** A fault of an answer, in `data.errors` of the `ApiError` of a rejection. */
export interface AnswerError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** The wrong part of a name or address. */
  readonly part?: string;
}

/**
 * Sends answers to the form at an address such as `https://example.org/forms/contact`, as JSON or as `FormData`, which may
 * hold files. Throws an `ApiError` for a rejection.
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
  const body = (await jsonOf(response)) as Rejected & Submitted;
  if (response.ok) return body;
  const { code = "invalid_json", message, errors = [] } = body ?? {};
  const retryAfter = Number(response.headers.get("retry-after") ?? 0);
  throw new ApiError(response.status, code, message?.text ?? `The site responded with ${response.status}.`, {
    errors,
    ...(retryAfter > 0 ? { retry_after: retryAfter } : {}),
  });
}

interface Rejected {
  readonly code?: string;
  readonly errors?: readonly AnswerError[];
}
