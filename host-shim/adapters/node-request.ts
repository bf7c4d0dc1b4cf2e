/** Node's request as the `Request` of the web, made as far as it is asked for: whole ones cost more than many an answer. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { endOfTurn } from "./end-of-turn.ts";

/** What frameworks add to Node's request. */
export interface Extended extends IncomingMessage {
  /** The address before a router took its mount path away. */
  readonly originalUrl?: string;
  /** The bytes, which a body parser with a `verify` callback can keep. */
  readonly rawBody?: unknown;
}

/** The request. What Node knows at once is read from there; all else makes a whole `Request`. */
export function requestOf(incoming: Extended): Request {
  return Object.assign(Object.create(LIGHT), { parts: new Parts(incoming) });
}

/** What a light request is made of. */
class Parts {
  readonly incoming: Extended;
  readonly method: string;
  readonly hasBody: boolean;
  readonly headers: Headers;
  #url: string | null = null;
  #whole: Request | null = null;

  constructor(incoming: Extended) {
    this.incoming = incoming;
    this.method = incoming.method ?? "GET";
    this.hasBody = this.method !== "GET" && this.method !== "HEAD";
    this.headers = Object.assign(Object.create(LIGHT_HEADERS), { incoming });
  }

  get url(): string {
    return (this.#url ??= urlOf(this.incoming));
  }

  /** Whether somebody else reads the body, or has read it. */
  get isRead(): boolean {
    if (this.#whole !== null) return this.#whole.bodyUsed || this.#whole.body?.locked === true;
    return this.hasBody && this.incoming.readableDidRead && !(this.incoming.rawBody instanceof Uint8Array);
  }

  /** The bytes of the body, without a web stream while nobody has asked for one. */
  bytes(): Promise<ArrayBuffer> {
    const { incoming } = this;
    if (this.#whole !== null || !this.hasBody || incoming.readableDidRead) return this.whole().arrayBuffer();
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      incoming.on("data", (piece: Buffer) => pieces.push(piece));
      incoming.once("end", () => {
        const [only] = pieces;
        const all = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
        resolve(endOfTurn().then(() => new Uint8Array(all).buffer));
      });
      incoming.once("error", reject);
      // An error that nobody hears costs as much as reading the body.
      incoming.once("close", () => incoming.readableEnded || reject(new Error("the client is gone")));
    });
  }

  whole(): Request {
    return (this.#whole ??= this.#makeWhole());
  }

  #makeWhole(): Request {
    const { incoming, url, method, hasBody } = this;
    const headers = wholeHeaders(incoming);
    if (!hasBody) return new Request(url, { method, headers });
    if (incoming.rawBody instanceof Uint8Array) return new Request(url, { method, headers, body: new Uint8Array(incoming.rawBody) });
    if (incoming.readableDidRead) {
      const consumed = new Request(url, { method, headers, body: "-" });
      void consumed.arrayBuffer();
      return consumed;
    }
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
    return new Request(url, init);
  }
}

/** The last `Host` that was found to be written as addresses write it. */
let knownHost = "";

function isWritten(host: string): boolean {
  if (host === knownHost) return true;
  if (URL.parse(`http://${host}/`)?.host !== host) return false;
  knownHost = host;
  return true;
}

function urlOf(incoming: Extended): string {
  const isSecure = "encrypted" in incoming.socket && incoming.socket.encrypted === true;
  const name = incoming.headers.host ?? "localhost";
  const host = `${isSecure ? "https" : "http"}://${name}`;
  const path = incoming.originalUrl ?? incoming.url ?? "/";
  if (path.startsWith("/") && isWritten(name)) return host + path;
  // A whole address is what proxies are asked for.
  const url = URL.parse(path.startsWith("/") ? host + path : path) ?? URL.parse(path, "http://localhost");
  return url?.href ?? "http://localhost/";
}

function wholeHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}

type Light = Request & { readonly parts: Parts };

/** What a light request answers itself; the rest of a `Request` is that of the whole one. */
const LIGHT: object = Object.create(Request.prototype, {
  ...delegated(Request.prototype, (light: Light) => light.parts.whole()),
  method: { get(this: Light) { return this.parts.method; } },
  url: { get(this: Light) { return this.parts.url; } },
  headers: { get(this: Light) { return this.parts.headers; } },
  bodyUsed: { get(this: Light) { return this.parts.isRead; } },
  body: { get(this: Light) { return this.parts.hasBody ? this.parts.whole().body : null; } },
  arrayBuffer: { value(this: Light) { return this.parts.bytes(); } },
});

type LightHeaders = Headers & { readonly incoming: IncomingMessage };

const LIGHT_HEADERS: object = Object.create(Headers.prototype, {
  ...delegated(Headers.prototype, ({ incoming }: LightHeaders) => wholeHeaders(incoming)),
  has: { value(this: LightHeaders, name: string) { return this.incoming.headers[name.toLowerCase()] !== undefined; } },
  get: {
    value(this: LightHeaders, name: string) {
      const value = this.incoming.headers[name] ?? this.incoming.headers[name.toLowerCase()];
      return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
    },
  },
});

/** Properties that ask what the light object stands for. */
function delegated<T extends object>(prototype: object, whole: (light: T) => object): PropertyDescriptorMap {
  const properties: PropertyDescriptorMap = {};
  for (let owner = prototype; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Reflect.ownKeys(owner)) {
      if (name === "constructor" || name === Symbol.toStringTag) continue;
      properties[name] = {
        configurable: true,
        get(this: T) {
          const target = whole(this);
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      };
    }
  }
  return properties;
}
