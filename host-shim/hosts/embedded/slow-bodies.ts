/**
 * Closes connections whose request body arrives too slowly, even if no code reads it. Node's own limit applies to the
 * whole request, which would also end an honest upload over a slow line.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { BODY_PACE, Patience, type BodyPace } from "../../src/body-pace.ts";

export interface WatchedPace extends Omit<BodyPace, "passOverMs"> {
  /**
   * Time for which the rest of a body is drained after the response, because closing at once would lose the response.
   */
  readonly lingerMs: number;
  /** How often the pace is checked, in milliseconds. */
  readonly checkMs: number;
}

/** A little longer than the engine, whose answer suits the route, takes for its requests. */
export const WATCHED_PACE: WatchedPace = {
  ...BODY_PACE,
  graceMs: BODY_PACE.graceMs + 2_000,
  slackMs: BODY_PACE.slackMs + 2_000,
  lingerMs: 10_000,
  checkMs: 1_000,
};

const CODE = "rest_body_too_slow";
const MESSAGE = "The body arrived too slowly. Try again.";

/** Watches the body of a request until it is there. */
export function watchBody(incoming: IncomingMessage, outgoing: ServerResponse, pace: WatchedPace = WATCHED_PACE): void {
  const { headers, socket } = incoming;
  if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) return;
  const patience = new Patience(pace);
  let answeredMs = 0;

  // Pieces are counted on their way into the stream: to listen for them would start it.
  const push = incoming.push;
  incoming.push = (piece: unknown, encoding?: BufferEncoding): boolean => {
    if (piece instanceof Uint8Array) patience.earn(piece.length);
    return push.call(incoming, piece, encoding);
  };

  const timer = setInterval(check, pace.checkMs);
  timer.unref();
  incoming.once("close", () => clearInterval(timer));

  function check(): void {
    if (incoming.complete || socket.destroyed) return clearInterval(timer);
    if (outgoing.writableFinished) {
      answeredMs += pace.checkMs;
      if (answeredMs >= pace.lingerMs) socket.destroy();
      return;
    }
    if (outgoing.headersSent) return;
    // Pieces that nobody has read yet are not what the client is waited for.
    if (incoming.readableLength === 0) patience.wait(pace.checkMs);
    if (patience.leftMs === 0) refuse();
  }

  function refuse(): void {
    const body = JSON.stringify({ code: CODE, message: MESSAGE, data: { status: 408 } });
    outgoing
      .writeHead(408, {
        "content-type": "application/json; charset=UTF-8",
        "cache-control": "no-store",
        connection: "close",
      })
      .end(body);
    // Whoever reads the body hears that it is over once the answer is out.
    outgoing.once("finish", () => socket.destroySoon());
  }
}
