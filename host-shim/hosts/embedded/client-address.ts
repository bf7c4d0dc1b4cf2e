/**
 * Finds the visitor's address: the socket's address, or the address that trusted proxies report.
 *
 * Any client can write `X-Forwarded-For`. Only the entries that trusted proxies appended at the right end are reliable,
 * so the header is read from the right.
 */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { addressBlock as blockOf } from "../../src/address-block.ts";
import { isInside, parseNetworks, type Address, type Network } from "./networks.ts";

/** Proxies whose report is trusted: none, the last `hops` ones, or those in `ranges`. */
export type TrustedProxies =
  | { readonly kind: "none" }
  | { readonly kind: "hops"; readonly hops: number }
  | { readonly kind: "ranges"; readonly ranges: readonly Network[] };

/** Limit for the entries that are read, more than any real chain of proxies has. */
const MAX_HOPS = 32;

/**
 * Parses TRUST_PROXY: empty or `0` for none, a number of hops, or a comma-separated list of addresses and CIDR ranges.
 * Null for any other text.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "0") return { kind: "none" };
  if (/^\d{1,2}$/.test(trimmed)) {
    const hops = Number(trimmed);
    return hops <= MAX_HOPS ? { kind: "hops", hops } : null;
  }
  const ranges = parseNetworks(trimmed);
  return ranges === null ? null : { kind: "ranges", ranges };
}

/**
 * Returns the client's address in canonical form; null when the socket is closed. `forwardedFor` is the header
 * `X-Forwarded-For` with all occurrences joined by commas.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  proxies: TrustedProxies,
): string | null {
  let client = socketAddress === undefined ? null : parseAddress(socketAddress);
  if (client === null || proxies.kind === "none" || forwardedFor === null) {
    return client?.toString() ?? null;
  }
  const reported = forwardedFor.split(",").slice(-MAX_HOPS).reverse();
  for (const [index, entry] of reported.entries()) {
    if (!isTrusted(client, index, proxies)) break;
    const previous = parseAddress(entry);
    // A trusted proxy did not know its client, so the proxy's address is the best result.
    if (previous === null) break;
    client = previous;
  }
  return client.toString();
}

function isTrusted(address: Address, distance: number, proxies: TrustedProxies): boolean {
  if (proxies.kind === "hops") return distance < proxies.hops;
  if (proxies.kind === "none") return false;
  return isInside(address, proxies.ranges);
}

/** Whether a peer is a trusted proxy, or has an address outside the public internet. */
export function mayBeProxy(peer: string, proxies: TrustedProxies): boolean {
  const address = parseAddress(peer);
  return address === null || address.range() !== "unicast" || isTrusted(address, 0, proxies);
}

/** Parses an address in the forms that proxies write: bare, with a port, or in brackets. */
function parseAddress(text: string): Address | null {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1];
  // A zone (`fe80::1%eth0`) names an interface of this machine, not the client.
  const address = (bracketed ?? withoutPort ?? trimmed).replace(/%.*$/, "");
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/** Returns the block by which limits count a client ({@link blockOf}); all clients with unknown addresses share one. */
export function addressBlock(address: string | null): string {
  return address === null ? "unknown" : blockOf(address);
}
