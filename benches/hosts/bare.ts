/**
 * Baseline without the engine: only `node:http` and `node:sqlite`. A POST is one durable INSERT with group commit, and
 * a GET is one SELECT.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runHost } from "./control.ts";
import { openGroupCommit } from "./group-commit.ts";

await runHost(async (folder) => {
  const { database, write } = openGroupCommit(join(folder, "bare.sqlite"));
  database.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, data TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO rows (data) VALUES (?)");
  const select = database.prepare("SELECT data FROM rows WHERE id = ?");
  insert.run(JSON.stringify({ title: "Bench", markup: "<input name=a>".repeat(40) }));

  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") return void response.end(String(select.get(1)?.["data"]));
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const data = JSON.stringify(Object.fromEntries(new URLSearchParams(Buffer.concat(pieces).toString())));
      void write(() => insert.run(data)).then(() => response.end('{"ok":true}'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => server.closeAllConnections(),
  };
});
