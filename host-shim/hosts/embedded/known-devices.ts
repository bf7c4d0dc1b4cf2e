/**
 * Browsers that an account has signed in with before: a signed cookie, of which nothing is stored. It opens
 * nothing. It only keeps strangers' failed sign-ins apart from those of the account's owner.
 */
import { parse, serialize } from "hono/utils/cookie";
import { randomToken, sameText, type Sign } from "./secret.ts";
import type { Account } from "./users.ts";

const LIFETIME_SECONDS = 180 * 24 * 60 * 60;

export interface KnownDevices {
  /** Whether the request carries a cookie that may be a device's, of whatever account. */
  isClaimed(request: Request): boolean;
  /** The id of the device, when the account signed in on it since its password was last set; else null. */
  find(request: Request, account: Account): string | null;
  /** The Set-Cookie header by which the browser is known from now on, under the id that it had, if any. */
  remember(request: Request, account: Account): string;
}

/** `secure` when the site is served over https. */
export function createKnownDevices(sign: Sign, secure: boolean, now: () => number): KnownDevices {
  // Browsers refuse the prefix without Secure, which a site on plain http cannot set.
  const name = secure ? "__Host-cf_device" : "cf_device";
  const valueOf = (request: Request): string | undefined => parse(request.headers.get("cookie") ?? "", name)[name];

  /** A new password, which has a new hash, ends all devices of an account. */
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
