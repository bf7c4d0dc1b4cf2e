/** Errors of the API, and parsing of responses. */

/** An error of the API, or a response that is not from the API. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Code such as `form_not_found`; `invalid_json` for a response that is not from the API. */
  readonly code: string;
  readonly status: number;
  /** Further data of the error, such as `params` and `details` of wrong parameters. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

/** Parses the JSON of a response; null without a body, such as for 304. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(response.status, "invalid_json", "The response is not JSON.");
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const { status, statusText } = response;
  const body = await jsonOf(response).catch(() => null);
  const { code, message, data } = (body ?? {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  };
  if (typeof code !== "string")
    return new ApiError(status, "invalid_json", `The site responded with ${status} ${statusText}.`);
  return new ApiError(status, code, String(message), { ...(data as Readonly<Record<string, unknown>> | undefined) });
}
