/** The host of docs/hooks.md, copied and started. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { APP_PASSWORD, BARE_ENVIRONMENT, basic, bodyOf, postJson, temporaryDirectory } from "./embedded-fixture.ts";

const HOST = new URL("../../host-shim/hosts/embedded/index.ts", import.meta.url).href;

test("the host of docs/hooks.md starts, and its hooks run for a visitor's submission", async (t) => {
  const text = readFileSync(new URL("../../docs/hooks.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1] ?? "");
  assert.equal(examples.length, 1);
  const directory = await temporaryDirectory(t);
  const program = join(directory, "host.mjs");
  writeFileSync(program, (examples[0] ?? "").replace("cf-forms/hosts/embedded", HOST));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
    env: { ...BARE_ENVIRONMENT, PORT: "0", DATA_DIR: directory, CF_ADMIN_APP_PASSWORD: APP_PASSWORD },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await printed.next()).value);

  assert.match(await line(), /^The administrator's password: \w{24}$/);
  const url = /^Forms at (http:\S+)$/.exec(await line())?.[1];
  assert.ok(url !== undefined);
  const markup = "<label>Email <input type=email name=email></label><button>Send</button>";
  const made = await postJson(
    `${url}/api/cf/v1/forms`,
    { title: "Contact", slug: "contact", markup },
    basic("admin", APP_PASSWORD),
  );
  assert.equal(made.status, 201);
  const answer = await postJson(`${url}/forms/contact`, { email: "ada@example.org" }, { accept: "application/json" });
  assert.equal((await bodyOf<{ redirect_url?: string }>(answer)).redirect_url, "/thanks");
  assert.equal(await line(), "Contact: ada@example.org");
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
  assert.equal(child.exitCode, 0);
});
