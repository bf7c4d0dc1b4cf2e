/** Free ports for the servers of tests. */
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Makes a server listen on a free port, and returns the port. The port is below the ephemeral ports of systems (from
 * 32768 on), so that no connection has it. It is above the ports that `fetch` and browsers reject (the Fetch standard's
 * bad ports, up to 10080).
 */
export async function listenOnFreePort(server: Server, host?: string): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.trunc(Math.random() * 19_000);
    server.listen({ port, host });
    try {
      await once(server, "listening");
      return port;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

/** EACCES means that the system reserves the port. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES");

/**
 * Finds a port on which no server listens, for a server in another process. Another process may take the port first, so
 * a server in this process uses {@link listenOnFreePort}.
 */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listenOnFreePort(probe);
  probe.close();
  await once(probe, "close");
  return port;
}
