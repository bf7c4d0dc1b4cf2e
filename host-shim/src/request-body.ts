/** Bodies of requests: bounded per caller and in total, and read at once where they are short. */

import { BodyBudget } from "./body-budget.ts";
import { mostBytes, type Target } from "./bridge.ts";
import { bodyLimits, type BodyLimits } from "./configuration.ts";
import { Exchange, isMultipart } from "./exchange.ts";
import { BodyFault, IncomingBody, isConsumed, isSmall } from "./incoming-body.ts";
import { faultAnswer, INTERNAL_ERROR } from "./fault-answer.ts";
import type { Reply } from "./forms.ts";
import type { FormsOptions } from "./options.ts";
import type { Files, Host } from "./ports.ts";
import { PASSED_OVER, showsAnswersAgain } from "./submit-fault.ts";

/** A request's body as the engine gets it. */
export interface ReceivedBody {
  /** What the engine may ask for of the request while it answers. */
  readonly exchange: Exchange;
  readonly incoming: IncomingBody;
  /** The bytes, null where the engine asks for them, or why there are none. */
  readonly body: Uint8Array | BodyFault["code"] | "consumed" | null;
  /** Whether the engine has to ask for the body. */
  readonly waits: boolean;
}

export class RequestBodies {
  readonly #budget = new BodyBudget();
  readonly #limits: BodyLimits;
  readonly #lengthHolds: boolean;
  readonly #files: Files | undefined;
  readonly #portTimeoutMs: number;

  constructor(options: FormsOptions, portTimeoutMs: number) {
    this.#limits = bodyLimits(options);
    this.#lengthHolds = options.contentLengthHolds ?? false;
    this.#files = options.host.files;
    this.#portTimeoutMs = portTimeoutMs;
  }

  /** Prepares the exchange with the engine, and reads a short body. `address` is the client's. */
  async receive(request: Request, found: Target, address: string | null): Promise<ReceivedBody> {
    const contentType = request.headers.get("content-type") ?? "";
    const isUpload = found.area === "front" && isMultipart(contentType);
    const lease = this.#budget.lease(address);
    const incoming = new IncomingBody(request, {
      bytes: isUpload ? this.#limits.upload : mostBytes(found.path, this.#limits.rest),
      lengthHolds: this.#lengthHolds,
      lease,
      ...(showsAnswersAgain(request, found) ? { passedOver: PASSED_OVER } : {}),
    });
    const exchange = new Exchange({ body: incoming, contentType, lease, files: this.#files, portTimeoutMs: this.#portTimeoutMs });
    if (isConsumed(request, this.#lengthHolds)) return { exchange, incoming, body: "consumed", waits: false };
    const waits = (isUpload && request.method === "POST") || !isSmall(request);
    const body = waits ? null : await shortBody(incoming);
    // A slow body is the engine's to answer: it knows what the visitor has to see.
    return { exchange, incoming, body, waits: waits || body === "slow" };
  }
}

/** A short body, or why there is none. */
async function shortBody(body: IncomingBody): Promise<Uint8Array | BodyFault["code"]> {
  try {
    return await body.whole();
  } catch (error) {
    return error instanceof BodyFault ? error.code : "broken";
  }
}

/** The reply to a request whose body could not be read, which the log explains; null for every other body. */
export function unreadableReply({ body }: ReceivedBody, path: string, requestId: string, host: Pick<Host, "log">): Reply | null {
  if (body === "consumed") {
    host.log?.("error", "the request's body was read before it reached cf-forms: mount cf-forms before any body parser", { request_id: requestId, path });
    return faultAnswer(500, ...INTERNAL_ERROR, requestId);
  }
  if (body === "broken") {
    host.log?.("warn", "the body of a request broke off", { request_id: requestId, path });
    return faultAnswer(400, "rest_body_unreadable", "The body of the request could not be read to its end.", requestId);
  }
  return null;
}
