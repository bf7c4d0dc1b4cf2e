/**
 * A real SMTP server that keeps each mail as a file: `node mail-sink.ts FOLDER [PORT]`.
 * Prints `smtp://127.0.0.1:PORT` once it listens.
 */

import { createWriteStream, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";

const [folder, port = "0"] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node mail-sink.ts FOLDER [PORT]");
mkdirSync(folder, { recursive: true });
let count = 0;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, callback) {
    count += 1;
    const name = join(folder, `${String(count).padStart(4, "0")}.eml`);
    // The file gets its final name when it is complete.
    const file = createWriteStream(`${name}.part`);
    stream.pipe(file).once("finish", () => {
      renameSync(`${name}.part`, name);
      callback();
    });
  },
});

server.listen(Number(port), "127.0.0.1", () => {
  const address = server.server.address();
  if (address !== null && typeof address === "object") console.log(`smtp://127.0.0.1:${address.port}`);
});
process.once("SIGTERM", () => server.close(() => process.exit(0)));
