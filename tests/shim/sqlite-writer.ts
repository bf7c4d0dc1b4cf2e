/** A second process on one SQLite file: `node sqlite-writer.ts <file> <increments> [<ms to hold the lock first>]`. */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";

const [path = "", increments = "0", hold_ms = "0"] = process.argv.slice(2);

if (Number(hold_ms) > 0) {
  const connection = new DatabaseSync(path);
  connection.exec("BEGIN IMMEDIATE");
  console.log("locked");
  await delay(Number(hold_ms));
  connection.exec("COMMIT");
  connection.close();
}
const database = openSqlite({ path });
for (let done = 0; done < Number(increments); done += 1) {
  await database.batch([{ sql: "UPDATE counter SET value = value + 1", params: [] }]);
}
await database.close();
