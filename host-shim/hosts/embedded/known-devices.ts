/**
 * Recognizes browsers that an account has signed in with, by a signed cookie; the host stores nothing. The cookie alone
 * gives no access. The host counts failed sign-ins from known browsers separately from those of strangers.
 */
import { parse, serialize } from "hono/utils/cookie";
import { randomToken, sameText, type Sign } from "./secret.ts";
import type { Account } from "./users.ts";

const LIFETIME_SECONDS = 180 * 24 * 60 * 60;

export interface KnownDevices {
  /** Whether the request has a device cookie, valid or not. */
  isClaimed(request: Request): boolean;
  /** Returns the browser's device id; null if the account has not signed in there since its last password change. */
  find(request: Request, account: Account): string | null;
  /** Returns the Set-Cookie header that makes the browser known, under its existing id if any. */
  remember(request: Request, account: Account): string;
}

/** Creates the store; `secure` when the site is served over https. */
export function createKnownDevices(sign: Sign, secure: boolean, now: () => number): KnownDevices {
  // Browsers reject the prefix without Secure, which a site on plain http cannot set.
  const name = secure ? "__Host-cf_device" : "cf_device";
  const valueOf = (request: Request): string | undefined => parse(request.headers.get("cookie") ?? "", name)[name];

  /** Signs a device. The signature includes the password's hash, so a new password ends all devices of an account. */
  function signature({ user, passwordHash }: Account, device: string, expires: string): string {
    return sign("known device", user.id, device, expires, passwordHash);
  }

  function find(request: Request, account: Account): string | null {
    const [device, expires, signed, ...rest] = (valueOf(request) ?? "").split(".");
    if (device === undefined || expires === undefined || signed === undefined || rest.length > 0) return null;
    if (!/^\d{1,10}$/.test(expires) || Number(expires) * 1000 <= now()) return null;
    return sameText(signed, signature(account, device, expires)) ? device : null;
  }

  return {
    isClaimed: (request) => valueOf(request) !== undefined,
    find,
    remember(request, account) {
      const device = find(request, account) ?? randomToken();
      const expires = String(Math.floor(now() / 1000) + LIFETIME_SECONDS);
      const value = [device, expires, signature(account, device, expires)].join(".");
      return serialize(name, value, { path: "/", httpOnly: true, sameSite: "Lax", secure, maxAge: LIFETIME_SECONDS });
    },
  };
}
