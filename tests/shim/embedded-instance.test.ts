/** The names of processes that share a data folder. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { takeInstance } from "../../host-shim/hosts/embedded/instance.ts";
import { startTestHost, temporaryDirectory } from "./embedded-fixture.ts";

it("gives each process of a data folder a different name, and reuses the names", async (t) => {
  const directory = await temporaryDirectory(t);
  const first = takeInstance(directory);
  const second = takeInstance(directory);
  assert.notEqual(first.name, second.name);
  assert.match(first.name, /^\w{12}$/);
  first.close();
  const again = takeInstance(directory);
  assert.equal(again.name, first.name);
  second.close();
  const host = await startTestHost(t, { directory });
  assert.equal(host.formsOptions.instance, second.name, "the host's facts for the engine");
  await host.close();
  again.close();
});

it("warns at its start if only the database's key protects the secrets of actions", async (t) => {
  const warnings = async (secret: string) => {
    const host = await startTestHost(t, { environment: { CF_SECRET: secret } });
    return host.events.filter(({ level, message }) => level === "warn" && message.startsWith("CF_SECRET")).length;
  };
  assert.equal(await warnings(""), 1);
  assert.equal(await warnings("a long random text"), 0);
});
