/** A worker that reports how its listener responds before the host is ready: with a status, or not at all ("held"). */
import { listen } from "../../host-shim/hosts/embedded/listener.ts";
import { reportServing } from "../../host-shim/hosts/embedded/workers.ts";

process.on("SIGTERM", () => process.exit(0));
const listener = await listen("127.0.0.1", 0);
const response = await fetch(listener.url, { signal: AbortSignal.timeout(300) }).then(
  ({ status }) => String(status),
  () => "held",
);
await listener.close(0);
reportServing({ url: response, generatedPassword: null });
setInterval(() => {}, 60_000);
