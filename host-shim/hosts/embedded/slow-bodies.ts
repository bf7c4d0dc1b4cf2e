/**
 * Closes connections whose request body arrives too slowly, even if no code reads it. Node's `requestTimeout` applies
 * to the whole request, so it would also end an honest upload over a slow line.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { BODY_PACE, Patience, type BodyPace } from "../../src/body-pace.ts";

export interface WatchedPace extends Omit<BodyPace, "passOverMs"> {
  /**
   * Time for which the rest of a body is drained after the response, because closing at once would lose the response.
   */
  readonly lingerMs: number;
  /** Interval at which the pace is checked, in milliseconds. */
  readonly checkMs: number;
}

/** Slightly more patient than the engine, so that the engine's response, which suits the route, comes first. */
export const WATCHED_PACE: WatchedPace = {
  ...BODY_PACE,
  graceMs: BODY_PACE.graceMs + 2_000,
  slackMs: BODY_PACE.slackMs + 2_000,
  lingerMs: 10_000,
  checkMs: 1_000,
};

const CODE = "rest_body_too_slow";
const MESSAGE = "The body arrived too slowly. Try again.";

/** Watches the body of a request until it has arrived. */
export function watchBody(incoming: IncomingMessage, outgoing: ServerResponse, pace: WatchedPace = WATCHED_PACE): void {
  const { headers, socket } = incoming;
  if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) return;
  const patience = new Patience(pace);
  let respondedMs = 0;

  // `push` counts the pieces, because a `data` listener would start the stream.
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
      respondedMs += pace.checkMs;
      if (respondedMs >= pace.lingerMs) socket.destroy();
      return;
    }
    if (outgoing.headersSent) return;
    // While pieces are unread, the delay is the reader's fault, not the client's.
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
    // A reader of the body gets its error only after the response was sent.
    outgoing.once("finish", () => socket.destroySoon());
  }
}
