/** A worker that only reports the response of its listener before the host is ready: the status, or "held". */
import { listen } from "../../host-shim/hosts/embedded/listener.ts";
import { reportServing } from "../../host-shim/hosts/embedded/workers.ts";

process.on("SIGTERM", () => process.exit(0));
const listener = await listen("127.0.0.1", 0);
const answer = await fetch(listener.url, { signal: AbortSignal.timeout(300) }).then(
  ({ status }) => String(status),
  () => "held",
);
await listener.close(0);
reportServing({ url: answer, generatedPassword: null });
setInterval(() => {}, 60_000);
