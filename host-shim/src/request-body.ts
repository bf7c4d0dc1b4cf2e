/** Receives request bodies within limits per client and in total, and reads short bodies at once. */

import { BodyBudget } from "./body-budget.ts";
import { maxBodyBytes, takesFile, takesImage, type Target } from "./bridge.ts";
import { errorResponse, INTERNAL_ERROR } from "./error-response.ts";
import type { ImportJobs } from "./imports/import-jobs.ts";
import { bodyLimits, type BodyLimits } from "./configuration.ts";
import { Exchange, isMultipart } from "./exchange.ts";
import { BodyFault, IncomingBody, isConsumed, isSmall } from "./incoming-body.ts";
import type { Reply } from "./forms.ts";
import type { FormsOptions } from "./options.ts";
import { writeLog } from "./log.ts";
import type { Files, Host } from "./ports.ts";
import { MAX_PASSED_OVER_BYTES, showsAnswersAgain } from "./submit-fault.ts";

/** A request's body for the engine. */
export interface ReceivedBody {
  /** Through the exchange, the engine reads the rest of the request while it handles the request. */
  readonly exchange: Exchange;
  readonly incoming: IncomingBody;
  /** The bytes; null when the engine reads them; or the fault of the body. */
  readonly body: Uint8Array | BodyFault["code"] | "consumed" | null;
  /** Whether the engine has to read the body. */
  readonly waits: boolean;
}

export class RequestBodies {
  readonly #budget = new BodyBudget();
  readonly #limits: BodyLimits;
  readonly #lengthHolds: boolean;
  readonly #files: Files | undefined;
  readonly #portTimeoutMs: number;
  readonly #imports: ImportJobs;

  constructor(options: FormsOptions, portTimeoutMs: number, imports: ImportJobs) {
    this.#imports = imports;
    this.#limits = bodyLimits(options);
    this.#lengthHolds = options.contentLengthHolds ?? false;
    this.#files = options.host.files;
    this.#portTimeoutMs = portTimeoutMs;
  }

  /** Prepares the exchange with the engine, and reads a short body. `address` is the client's. */
  async receive(request: Request, found: Target, address: string | null): Promise<ReceivedBody> {
    const contentType = request.headers.get("content-type") ?? "";
    const isPicture = found.area === "rest" && takesImage(found.path);
    const isFile = found.area === "rest" && request.method === "POST" && takesFile(found.path);
    const isUpload = (found.area === "front" || isPicture) && isMultipart(contentType);
    const lease = this.#budget.lease(address);
    const incoming = new IncomingBody(request, {
      bytes: isUpload && !isPicture ? this.#limits.upload : maxBodyBytes(found.path, this.#limits.rest),
      lengthHolds: this.#lengthHolds,
      lease,
      isPassedOn: isFile,
      ...(showsAnswersAgain(request, found) ? { passedOver: MAX_PASSED_OVER_BYTES } : {}),
    });
    const exchange = new Exchange({
      body: incoming,
      contentType,
      lease,
      files: this.#files,
      portTimeoutMs: this.#portTimeoutMs,
      imports: this.#imports,
    });
    if (isConsumed(request, this.#lengthHolds)) return { exchange, incoming, body: "consumed", waits: false };
    const waits = isFile || (isUpload && request.method === "POST") || !isSmall(request);
    const body = waits ? null : await shortBody(incoming);
    // The engine responds to a slow body, because the page for the visitor depends on the form.
    return { exchange, incoming, body, waits: waits || body === "slow" };
  }
}

/** Reads a short body, or returns its fault. */
async function shortBody(body: IncomingBody): Promise<Uint8Array | BodyFault["code"]> {
  try {
    return await body.whole();
  } catch (error) {
    return error instanceof BodyFault ? error.code : "broken";
  }
}

/** Logs that a body was consumed or broke off, and returns the error response; null when the engine responds. */
export function unreadableReply(
  { body }: ReceivedBody,
  path: string,
  requestId: string,
  host: Pick<Host, "log">,
): Reply | null {
  if (body === "consumed") {
    writeLog(
      host,
      "error",
      "the request's body was read before it reached cf-forms: mount cf-forms before any body parser",
      { request_id: requestId, path },
    );
    return errorResponse(500, ...INTERNAL_ERROR, requestId);
  }
  if (body === "broken") {
    writeLog(host, "warn", "the body of a request broke off", { request_id: requestId, path });
    return errorResponse(
      400,
      "rest_body_unreadable",
      "The body of the request could not be read to its end.",
      requestId,
    );
  }
  return null;
}
