/**
 * The nonce of cookie authentication, sent in `X-WP-Nonce` or `_wpnonce`.
 *
 * A nonce proves that the requesting page belongs to this site, because pages of other sites cannot read its responses.
 * A nonce is a signature over user, session and time, so nothing is stored. Time counts in ticks of 12 hours; the
 * current and the previous tick are valid, so a nonce lasts 12 to 24 hours.
 */
import type { Session } from "./sessions.ts";
export { nonceOf } from "../../src/nonce.ts";
import { sameText, type Sign } from "./secret.ts";

const TICK_MS = 12 * 60 * 60 * 1000;

export interface Nonces {
  issue(session: Session): string;
  isValid(nonce: string, session: Session): boolean;
}

export function createNonces(sign: Sign, now: () => number): Nonces {
  function at(tick: number, session: Session): string {
    return sign("nonce", tick, session.user.id, session.id);
  }
  const currentTick = () => Math.floor(now() / TICK_MS);

  return {
    issue: (session) => at(currentTick(), session),
    isValid(nonce, session) {
      const tick = currentTick();
      return sameText(nonce, at(tick, session)) || sameText(nonce, at(tick - 1, session));
    },
  };
}
