/**
 * The HTTP port for addresses that form authors choose: webhooks and services. It reaches public
 * addresses only, so that a form cannot be used to talk to what is behind the host's firewall.
 *
 * A name is resolved once, its addresses are checked, and the connection goes to one of these: an
 * answer that changes between the check and the connection (DNS rebinding) has no second chance.
 */
import { lookup as resolve, type LookupOptions } from "node:dns";
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as SecureAgent, request as requestSecurely } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { PermanentError } from "../src/permanent-error.ts";
import type { Http, HttpRequest, HttpResponse } from "../src/ports.ts";

export interface GuardedFetchOptions {
  /** Lets an address through that is not public: for tests, and for services on an intranet. */
  readonly allowPrivate?: (hostname: string, address: string, port: number) => boolean;
  /** Instead of the system's resolver; for tests. */
  readonly resolve?: typeof resolve;
}

export interface GuardedHttp extends Http {
  /** Ends the connections that are kept open. */
  close(): Promise<void>;
}

export function guardedFetch(options: GuardedFetchOptions = {}): GuardedHttp {
  const agents = { "http:": new Agent({ keepAlive: true }), "https:": new SecureAgent({ keepAlive: true }) };
  return {
    async fetch(asked) {
      const signal = AbortSignal.timeout(asked.timeout_ms);
      try {
        const url = checkedUrl(asked.url);
        const agent = url.protocol === "https:" ? agents["https:"] : agents["http:"];
        const response = await send(url, asked, { agent, signal, lookup: guardedLookup(url, options) });
        return {
          status: response.statusCode ?? 0,
          headers: joinHeaders(response.headers),
          body: await readAtMost(response, asked.max_bytes),
        };
      } catch (error) {
        if (signal.aborted) throw new Error(`no answer within ${asked.timeout_ms} ms`, { cause: error });
        throw error;
      }
    },
    async close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Sends a request; gives the answer as soon as its head is there. */
function send(url: URL, { method, headers, body }: HttpRequest, options: RequestOptions): Promise<IncomingMessage> {
  // Node announces no length of a body that comes with GET or DELETE.
  const length = body === null ? {} : { "content-length": body.length };
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? requestSecurely : request;
    start(url, { ...options, method, headers: { ...headers, ...length } }).on("response", resolve).on("error", reject).end(body ?? undefined);
  });
}

function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new PermanentError("this is no address");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new PermanentError(`not a web address: ${url.protocol}`);
  if (url.username !== "" || url.password !== "") throw new PermanentError("credentials do not belong into an address");
  return url;
}

/** Looks names up for a connection, and refuses addresses that are not public; at once where the URL has one instead of a name. */
function guardedLookup(url: URL, { allowPrivate = () => false, resolve: resolver = resolve }: GuardedFetchOptions): LookupFunction {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const refuse = (address: string): Error | null =>
    isPublic(address) || allowPrivate(host, address, port)
      ? null
      : new PermanentError(`refused to connect to ${host}: ${address} is not a public address`);

  // The URL parser has already brought 0x7f.1 and its like into the usual form.
  const refusal = isIP(host) === 0 ? null : refuse(host);
  if (refusal !== null) throw refusal;
  return (hostname: string, options: LookupOptions, done: LookupCallback): void => {
    resolver(hostname, { ...options, all: true }, (error, addresses) => {
      // One private address among public ones is as suspicious as it alone.
      const failure = error ?? addresses.map(({ address }) => refuse(address)).find((reason) => reason !== null);
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

/** Whether an address is one of the public internet: in no special range of IPv4 or IPv6, mapped ones included. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST_V6);
}

/** Leaving the loop closes the connection, so that a longer body is not even received. */
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
