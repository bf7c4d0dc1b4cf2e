/** The table of hosts that `npm run test:hosts` prints. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostTable, withHostTable } from "../../scripts/host-table.mjs";

test("the table replaces the one between its markers", () => {
  const events = (["declared", "passed"] as const).map((event) => ({ host: "Koa", column: "files", event }));
  assert.equal(
    withHostTable("Hosts:\n<!-- hosts -->\nold\n<!-- end -->\nend\n", events),
    [
      "Hosts:",
      "<!-- hosts -->",
      "| host | install | REST | visitors | files | mail | queue | sign-in | admin |",
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
      "| Koa | - | - | - | yes | - | - | - | - |",
      "<!-- end -->",
      "end",
      "",
    ].join("\n"),
  );
});

test("a cell counts as passed when each of its tests passed", () => {
  const declared = (host: string, column: string) => ({ host, column, event: "declared" as const });
  const passed = (host: string, column: string) => ({ host, column, event: "passed" as const });
  const table = hostTable([
    declared("Koa", "REST"),
    declared("Koa", "REST"),
    declared("Koa", "files"),
    passed("Koa", "REST"),
    passed("Koa", "files"),
    declared("Express", "REST"),
    passed("Express", "REST"),
  ]);
  assert.deepEqual(
    table.map((line) => line.split(/ {2,}/)),
    [
      ["host", "install", "REST", "visitors", "files", "mail", "queue", "sign-in", "admin"],
      ["Express", "-", "yes", "-", "-", "-", "-", "-", "-"],
      ["Koa", "-", "NO", "-", "yes", "-", "-", "-", "-"],
    ],
  );
});
