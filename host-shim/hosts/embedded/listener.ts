/** The listening socket, opened before the host is ready and closed after its last response. */
import { createServer, type Server } from "node:http";
import { createServer as createSocket, type ListenOptions, type Server as Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { NodeHandler } from "../../adapters/node-handler.ts";
import { addressBlock, mayBeProxy, type TrustedProxies } from "./client-address.ts";
import { watchBody, WATCHED_PACE } from "./slow-bodies.ts";
import { isWorker, joinsOthers } from "./workers.ts";
import {
  CONNECTION_LIMITS,
  IDLE_CONNECTION_MS,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_PER_ADDRESS,
} from "./request-limits.ts";

export type RequestHandler = (request: Request, bindings: HttpBindings) => Response | Promise<Response>;

export interface Listener {
  /** Address such as `http://127.0.0.1:3000`, with the real port. */
  readonly url: string;
  /**
   * Sets the handler. Until then, every request gets a 503, or waits if other workers serve already. `first` receives
   * Node's requests and passes on those that it does not handle.
   */
  handleWith(handler: RequestHandler, first?: NodeHandler): void;
  /** Rejects new connections, and lets running responses finish for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Listens; port 0 means any free one. Throws when the address is not available. */
export async function listen(
  hostname: string,
  port: number,
  proxies: TrustedProxies = { kind: "none" },
  limits = CONNECTION_LIMITS,
  pace = WATCHED_PACE,
): Promise<Listener> {
  let handler: RequestHandler = () =>
    new Response("Starting. Try again in a moment.\n", { status: 503, headers: { "Retry-After": "1" } });
  let first: NodeHandler = async (_incoming, _outgoing, next) => void next?.();
  const started = Promise.withResolvers<void>();
  if (joinsOthers) {
    // Other workers already serve, so this worker delays requests instead of rejecting them.
    first = async (...request) => {
      await started.promise;
      return first(...request);
    };
  }
  const others = getRequestListener((request, bindings) => handler(request, bindings as HttpBindings));
  const server = createServer(limits, (incoming, outgoing) => {
    watchBody(incoming, outgoing, pace);
    void first(incoming, outgoing, () => void others(incoming, outgoing));
  });
  server.setTimeout(IDLE_CONNECTION_MS);
  server.maxConnections = MAX_CONNECTIONS;
  limitEach(server, proxies);
  await open(server, hostname, port);

  return {
    url: urlOf(server, hostname),
    handleWith(next, nextFirst = async (_incoming, _outgoing, pass) => void pass?.()) {
      handler = next;
      first = nextFirst;
      started.resolve();
    },
    close(graceMs) {
      return new Promise((resolve) => {
        // Kept-alive connections become idle one by one, and each is then closed.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(deadline);
          resolve();
        });
      });
    },
  };
}

/**
 * Opens the socket. On Linux each worker has a socket, and the kernel distributes the connections between them. With one
 * shared socket, the worker that wakes first would take most concurrent connections. Other systems share one socket.
 */
async function open(server: Server, host: string, port: number): Promise<void> {
  const reusePort = isWorker && process.platform === "linux";
  // Such a socket could also share the port with another program, so the first worker checks that the port is free.
  const free = reusePort && !joinsOthers ? await freePort(host, port) : port;
  await listening(server, { host, port: free, reusePort });
}

/** Returns the port when it is free; for 0, any free port. */
async function freePort(host: string, port: number): Promise<number> {
  const socket = createSocket();
  await listening(socket, { host, port, exclusive: true });
  const address = socket.address();
  await new Promise((resolve) => socket.close(resolve));
  return typeof address === "object" && address !== null ? address.port : port;
}

function listening(socket: Socket, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.listen(options, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}

/** Closes connections beyond the limit of one address (one /64 of IPv6). The limit does not apply to possible proxies. */
export function limitEach(server: Pick<Server, "on">, proxies: TrustedProxies): void {
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.kind === "hops" || mayBeProxy(address, proxies)) return;
    const block = addressBlock(address);
    const count = (open.get(block) ?? 0) + 1;
    if (count > MAX_CONNECTIONS_PER_ADDRESS) return socket.destroy();
    open.set(block, count);
    socket.once("close", () => {
      const left = (open.get(block) ?? 1) - 1;
      if (left > 0) open.set(block, left);
      else open.delete(block);
    });
  });
}

function urlOf(server: Server, hostname: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  // A browser cannot open the wildcard address.
  const name = hostname === "0.0.0.0" || hostname === "::" ? "127.0.0.1" : hostname;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
