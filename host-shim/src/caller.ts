/**
 * Finds the caller of a request through the host's ports. A port may throw, reject, return the wrong shape or never
 * return; each case has an outcome.
 */

import { plainAddress } from "./address-block.ts";
import type { Target } from "./bridge.ts";
import { challenged } from "./challenge.ts";
import { inTime } from "./in-time.ts";
import { writeLog } from "./log.ts";
import type { Authentication, Host, Principal } from "./ports.ts";
import { reasonOf } from "./reason.ts";

export interface Caller {
  readonly authentication: Authentication;
  readonly address: string | null;
}

export interface CallerOptions {
  readonly host: Host;
  /** Timeout of a port, in milliseconds. */
  readonly portTimeoutMs: number;
}

/**
 * Finds the caller. When a port fails, a visitor counts as anonymous and an address as unknown, so that no submission
 * is lost. For the REST API, a failed `authenticate` yields null.
 */
export async function identifyCaller(
  request: Request,
  found: Target,
  context: unknown,
  { host, portTimeoutMs }: CallerOptions,
): Promise<Caller | null> {
  const ask = async <T, Result>(
    port: string,
    check: (result: Result) => T,
    question: () => Result | Promise<Result>,
  ): Promise<T | undefined> => {
    try {
      const result = question();
      // A value that is available at once needs no timer.
      return check(isThenable(result) ? await inTime(Promise.resolve(result), portTimeoutMs, port) : result);
    } catch (error) {
      writeLog(host, "error", `the host could not identify the caller: ${port} failed`, { error: reasonOf(error) });
      return undefined;
    }
  };
  const address =
    (await ask<string | null, unknown>("clientAddress", checkedAddress, () =>
      host.clientAddress?.(request, context),
    )) ?? null;
  if (found.area === "front") {
    // A visitor's page needs only the session; the REST API requires proof (a nonce, a password).
    const principal = await ask<Principal | null, unknown>("visitor", checkedPrincipal, () =>
      host.visitor?.(request, context),
    );
    return { authentication: { principal: principal ?? null }, address };
  }
  const authentication = await ask<Authentication, unknown>("authenticate", checked, () =>
    host.authenticate?.(request, context),
  );
  return authentication === undefined ? null : { authentication: challenged(authentication, request), address };
}

function checked(result: unknown): Authentication {
  if (result === undefined || result === null) return { principal: null };
  if (!isObject(result)) throw new TypeError("the port must return an object with `principal` or `failure`");
  const headers = isObject(result["headers"]) ? { headers: result["headers"] as Readonly<Record<string, string>> } : {};
  const failure = result["failure"];
  if (failure === undefined) return { principal: checkedPrincipal(result["principal"]), ...headers };
  if (!isObject(failure) || typeof failure["code"] !== "string" || typeof failure["message"] !== "string") {
    throw new TypeError("the port's `failure` needs status, code and message");
  }
  const status = failure["status"];
  if (status !== 401 && status !== 403 && status !== 429)
    throw new TypeError("the status of the port's `failure` must be 401, 403 or 429");
  return { failure: { status, code: failure["code"], message: failure["message"] }, ...headers };
}

/** Validates a principal that a host returned. */
export function checkedPrincipal(principal: unknown): Principal | null {
  if (principal === undefined || principal === null) return null;
  if (!isObject(principal)) throw new TypeError("the port's `principal` must be an object or null");
  const { id, login, capabilities } = principal;
  const isValid =
    typeof id === "string" &&
    typeof login === "string" &&
    Array.isArray(capabilities) &&
    capabilities.every((capability) => typeof capability === "string");
  if (!isValid)
    throw new TypeError("the port's `principal` needs id, login (texts) and capabilities (a list of texts)");
  return { ...principal, id, login, capabilities };
}

function checkedAddress(address: unknown): string | null {
  if (address === undefined || address === null) return null;
  if (typeof address !== "string") throw new TypeError("the port must return a text or null");
  return plainAddress(address);
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return isObject(value) && typeof value["then"] === "function";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
