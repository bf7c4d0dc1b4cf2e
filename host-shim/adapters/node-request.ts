/**
 * Converts Node's request to a web `Request` lazily, because creating a full `Request` costs more than many responses.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { endOfTurn } from "./end-of-turn.ts";

/** Node's request with the properties that frameworks add. */
export interface Extended extends IncomingMessage {
  /** The address before a router removed its mount path. */
  readonly originalUrl?: string;
  /** The body's bytes, which a body parser with a `verify` callback can keep. */
  readonly rawBody?: unknown;
}

/** Returns a light request, which reads from Node's request. Other properties create a full `Request`. */
export function requestOf(incoming: Extended): Request {
  return Object.assign(Object.create(LIGHT), { parts: new Parts(incoming) });
}

/** The parts of a light request. */
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

  /** Whether another reader uses or has used the body. */
  get isRead(): boolean {
    if (this.#whole !== null) return this.#whole.bodyUsed || this.#whole.body?.locked === true;
    return this.hasBody && this.incoming.readableDidRead && !(this.incoming.rawBody instanceof Uint8Array);
  }

  /** Reads the body, without a web stream unless one was created before. */
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
      // Creating an unused error costs as much as reading the body, so it is created only for an incomplete body.
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
    if (incoming.rawBody instanceof Uint8Array)
      return new Request(url, { method, headers, body: new Uint8Array(incoming.rawBody) });
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

/** The last `Host` that is in the normalized form of addresses. */
let knownHost = "";

function isNormalized(host: string): boolean {
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
  if (path.startsWith("/") && isNormalized(name)) return host + path;
  // Requests to proxies contain an absolute address.
  const url = URL.parse(path.startsWith("/") ? host + path : path) ?? URL.parse(path, "http://localhost");
  return url?.href ?? "http://localhost/";
}

function wholeHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}

type Light = Request & { readonly parts: Parts };

/** Prototype of light requests: these properties read from Node's request, all others from the full `Request`. */
const LIGHT: object = Object.create(Request.prototype, {
  ...delegated(Request.prototype, (light: Light) => light.parts.whole()),
  method: {
    get(this: Light) {
      return this.parts.method;
    },
  },
  url: {
    get(this: Light) {
      return this.parts.url;
    },
  },
  headers: {
    get(this: Light) {
      return this.parts.headers;
    },
  },
  bodyUsed: {
    get(this: Light) {
      return this.parts.isRead;
    },
  },
  body: {
    get(this: Light) {
      return this.parts.hasBody ? this.parts.whole().body : null;
    },
  },
  arrayBuffer: {
    value(this: Light) {
      return this.parts.bytes();
    },
  },
});

type LightHeaders = Headers & { readonly incoming: IncomingMessage };

const LIGHT_HEADERS: object = Object.create(Headers.prototype, {
  ...delegated(Headers.prototype, ({ incoming }: LightHeaders) => wholeHeaders(incoming)),
  has: {
    value(this: LightHeaders, name: string) {
      return this.incoming.headers[name.toLowerCase()] !== undefined;
    },
  },
  get: {
    value(this: LightHeaders, name: string) {
      const value = this.incoming.headers[name] ?? this.incoming.headers[name.toLowerCase()];
      return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
    },
  },
});

/** Returns properties that delegate to the full object. */
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
