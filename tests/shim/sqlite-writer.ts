/**
 * A second process on one SQLite file. `node sqlite-writer.ts <file> <increments>` increments a counter; `… <file>
 * hold` takes the lock, reports it, and holds it until the standard input ends.
 */
import { DatabaseSync } from "node:sqlite";
import { once } from "node:events";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";

const [path = "", work = "0"] = process.argv.slice(2);

if (work === "hold") {
  const connection = new DatabaseSync(path);
  connection.exec("BEGIN IMMEDIATE");
  console.log("locked");
  await once(process.stdin.resume(), "end");
  connection.exec("COMMIT");
  connection.close();
} else {
  const database = openSqlite({ path });
  for (let done = 0; done < Number(work); done += 1) {
    await database.batch([{ sql: "UPDATE counter SET value = value + 1", params: [] }]);
  }
  await database.close();
}
