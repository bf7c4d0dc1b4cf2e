/** Ports for servers that cannot choose a free one. */
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Finds a port on which no server listens. The port is below the ephemeral ports of systems (from 32768 on), so that no
 * connection takes it before the server listens. It is above the ports that `fetch` and browsers reject (the Fetch
 * standard's bad ports, up to 10080).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.trunc(Math.random() * 19_000);
    const probe = createServer().listen(port);
    try {
      await once(probe, "listening");
    } catch {
      continue;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
