/** Ports for servers that cannot be asked to take any. */
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port on which nobody listens. It is below those that systems give to connections and to
 * servers without a choice (from 32768 on), so that none of these has taken it by the time that it is used, and above
 * those that `fetch` and browsers refuse (the Fetch standard's bad ports, up to 10080).
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
