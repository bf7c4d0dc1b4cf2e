/**
 * The HTTP port for addresses that form authors choose: webhooks and services. It reaches public
 * addresses only, so that a form cannot be used to talk to what is behind the host's firewall.
 *
 * A name is resolved once, its addresses are checked, and the connection goes to one of these: an
 * answer that changes between the check and the connection (DNS rebinding) has no second chance.
 */
import { lookup as resolve, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector, request, type Dispatcher } from "undici";
import { PermanentError } from "../src/permanent-error.ts";
import type { Http, HttpResponse } from "../src/ports.ts";

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
  const agent = new Agent({ connect: guardedConnect(options) });
  return {
    async fetch({ method, url, headers, body, timeout_ms, max_bytes }) {
      const signal = AbortSignal.timeout(timeout_ms);
      try {
        const response = await request(checkedUrl(url), {
          method: method as Dispatcher.HttpMethod,
          headers: { ...headers },
          body,
          signal,
          dispatcher: agent,
        });
        return {
          status: response.statusCode,
          headers: joinHeaders(response.headers),
          body: await readAtMost(response.body, max_bytes),
        };
      } catch (error) {
        if (signal.aborted) throw new Error(`no answer within ${timeout_ms} ms`, { cause: error });
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new PermanentError("this is no address");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new PermanentError(`not a web address: ${url.protocol}`);
  if (url.username !== "" || url.password !== "") throw new PermanentError("credentials do not belong into an address");
  return url;
}

function guardedConnect({
  allowPrivate = () => false,
  resolve: resolver = resolve,
}: GuardedFetchOptions): buildConnector.connector {
  return (target, callback) => {
    const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
    const refuse = (address: string): Error | null =>
      isPublic(address) || allowPrivate(target.hostname, address, port)
        ? null
        : new PermanentError(`refused to connect to ${target.hostname}: ${address} is not a public address`);

    // An address is not looked up. The URL parser has already brought 0x7f.1 and its like into the usual form.
    if (isIP(target.hostname) !== 0) {
      const refusal = refuse(target.hostname);
      if (refusal !== null) return callback(refusal, null);
    }
    const lookup = (hostname: string, options: LookupOptions, done: LookupCallback): void => {
      resolver(hostname, { ...options, all: true }, (error, addresses) => {
        // One private address among public ones is as suspicious as it alone.
        const refusal = error ?? addresses.map(({ address }) => refuse(address)).find((reason) => reason !== null);
        const [first] = addresses ?? [];
        if (refusal) return done(refusal, "");
        if (first === undefined) return done(new Error(`${hostname} has no address`), "");
        if (options.all === true) return done(null, addresses);
        done(null, first.address, first.family);
      });
    };
    buildConnector({ lookup, timeout: 10_000 })(target, callback);
  };
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

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

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
