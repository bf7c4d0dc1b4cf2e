/**
 * The HTTP port for addresses that form authors choose: webhooks and services. Only public addresses are allowed, so that
 * a form cannot reach servers behind the host's firewall.
 *
 * A name is resolved once, its addresses are checked, and the connection uses one of them. DNS rebinding, a different
 * answer between check and connection, is therefore impossible.
 */
import { lookup as resolve, type LookupOptions } from "node:dns";
import {
  Agent,
  request as requestPlainly,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as SecureAgent, request as requestSecurely } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { PermanentError } from "../src/permanent-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../src/ports.ts";

/** Options of {@link guardedFetch}. */
export interface GuardedFetchOptions {
  /** Allows an address that is not public, for tests and for services on an intranet. */
  readonly allowPrivate?: (hostname: string, address: string, port: number) => boolean;
  /** Replaces the system's resolver in tests. */
  readonly resolve?: typeof resolve;
}

/** An http port with connections to close. */
export interface GuardedHttp extends Http {
  /** Closes all connections. Requests that are running fail. */
  close(): Promise<void>;
}

/** Creates an http port that connects to public addresses only. */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedHttp {
  const agents = { "http:": new Agent({ keepAlive: true }), "https:": new SecureAgent({ keepAlive: true }) };
  return {
    async fetch(request) {
      const signal = AbortSignal.timeout(request.timeout_ms);
      try {
        const url = checkedUrl(request.url);
        const agent = url.protocol === "https:" ? agents["https:"] : agents["http:"];
        const response = await send(url, request, { agent, signal, lookup: guardedLookup(url, options) });
        return {
          status: response.statusCode ?? 0,
          headers: joinHeaders(response.headers),
          body: await readAtMost(response, request.max_bytes),
        };
      } catch (error) {
        if (signal.aborted) throw new Error(`no response within ${request.timeout_ms} ms`, { cause: error });
        throw error;
      }
    },
    async close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Sends a request; resolves when the response's head has arrived. */
function send(url: URL, { method, headers, body }: HttpRequest, options: RequestOptions): Promise<IncomingMessage> {
  // Node sends no `Content-Length` for a body with GET or DELETE.
  const length = body === null ? {} : { "content-length": body.length };
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? requestSecurely : requestPlainly;
    start(url, { ...options, method, headers: { ...headers, ...length } })
      .on("response", resolve)
      .on("error", reject)
      .end(body ?? undefined);
  });
}

function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new PermanentError("this is not an address");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new PermanentError(`not a web address: ${url.protocol}`);
  if (url.username !== "" || url.password !== "") throw new PermanentError("an address must not contain credentials");
  return url;
}

/** Returns a lookup that rejects addresses that are not public. Throws when the URL itself contains such an address. */
function guardedLookup(
  url: URL,
  { allowPrivate = () => false, resolve: resolver = resolve }: GuardedFetchOptions,
): LookupFunction {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const faultOf = (address: string): Error | null =>
    isPublic(address) || allowPrivate(host, address, port)
      ? null
      : new PermanentError(`refused to connect to ${host}: ${address} is not a public address`);

  // The URL parser has already normalized addresses such as 0x7f.1.
  const fault = isIP(host) === 0 ? null : faultOf(host);
  if (fault !== null) throw fault;
  return (hostname: string, options: LookupOptions, done: LookupCallback): void => {
    resolver(hostname, { ...options, all: true }, (error, addresses) => {
      // One private address among public ones is suspicious too.
      const failure = error ?? addresses.map(({ address }) => faultOf(address)).find((reason) => reason !== null);
      const [first] = addresses ?? [];
      if (failure) return done(failure, "");
      if (first === undefined) return done(new Error(`${hostname} has no address`), "");
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

type LookupCallback = Parameters<LookupFunction>[2];

const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR("2000::/3");

/** Whether an address is public: in no special range of IPv4, IPv6 or mapped IPv4. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST_V6);
}

/** Reads up to `max_bytes`. Leaving the loop closes the connection, so that the rest is not received. */
async function readAtMost(body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, max_bytes - size));
    size += chunk.length;
    if (size >= max_bytes) break;
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function joinHeaders(headers: IncomingHttpHeaders): HttpResponse["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
