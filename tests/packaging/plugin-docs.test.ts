/** The plugin and the program of docs/hooks.md: copied into an empty folder with the packed packages, and started. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { APP_PASSWORD, BARE_ENVIRONMENT, basic, bodyOf, postJson } from "../shim/embedded-fixture.ts";
import { addTypes, createConsumer, root } from "./consumer.ts";

const PAGE = readFileSync(join(root, "docs/hooks.md"), "utf8");
const EDITOR = basic("admin", APP_PASSWORD);

/** Returns the examples of the page in a language. */
function examples(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code);
}

function expense(amount: string): FormData {
  const answers = new FormData();
  answers.set("name", "Ada");
  answers.set("amount", amount);
  answers.set("receipt", new File(["paid"], "receipt.txt", { type: "text/plain" }));
  return answers;
}

test("the plugin of docs/hooks.md checks answers, shows its error to visitors, and reads their files", async (t) => {
  const consumer = createConsumer();
  t.after(() => consumer.remove());
  consumer.install("packages/server");
  const programs = examples("js");
  assert.equal(programs.length, 2);
  // The type that `npm init -y` writes.
  const manifest = JSON.parse(readFileSync(join(consumer.folder, "package.json"), "utf8"));
  consumer.write("package.json", JSON.stringify({ ...manifest, type: "commonjs" }));
  for (const program of programs) consumer.write(/^\/\/ (\S+)$/m.exec(program)?.[1] ?? "", program);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server.mjs"], {
    cwd: consumer.folder,
    env: { ...BARE_ENVIRONMENT, PORT: "0", DATA_DIR: "data", CF_ADMIN_APP_PASSWORD: APP_PASSWORD },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await printed.next()).value);
  assert.match(await line(), /^The administrator's password: \w{24}$/);
  const url = /^Forms at (http:\S+)$/.exec(await line())?.[1];
  assert.ok(url !== undefined);

  const [form = ""] = examples("json");
  const made = await postJson(`${url}/api/cf/v1/forms`, JSON.parse(form), EDITOR);
  assert.equal(made.status, 201, await made.clone().text());
  assert.equal(made.headers.get("x-cf-warning"), null);

  const headers = { accept: "application/json" };
  const rejected = await fetch(`${url}/forms/expenses`, { method: "POST", body: expense("501"), headers });
  const { errors } = await bodyOf<{ errors: unknown }>(rejected);
  const message = "Call us about amounts over 500.";
  assert.deepEqual([rejected.status, errors], [400, [{ field: "amount", code: "acme_too_much", message }]]);
  const page = await fetch(`${url}/forms/expenses`, { method: "POST", body: expense("501") });
  const shown = await page.text();
  assert.deepEqual([page.status, shown.includes(message), shown.includes('value="501"')], [400, true, true]);

  const accepted = await fetch(`${url}/forms/expenses`, { method: "POST", body: expense("20"), headers });
  assert.equal(accepted.status, 200, await accepted.text());
  const written = join(consumer.folder, "receipts.txt");
  const receipts = () => (existsSync(written) ? readFileSync(written, "utf8") : "");
  // The file exists before its content is written.
  for (let tries = 0; tries < 600 && !receipts().endsWith("\n"); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const hash = createHash("sha256").update("paid").digest("hex");
  assert.equal(receipts(), `Ada spent 20: ${hash}\n`);

  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
  assert.equal(child.exitCode, 0);

  const command = /^npx cf-forms (start --plugin .*)$/m.exec(PAGE)?.[1]?.split(" ") ?? [];
  const program = join(consumer.folder, "node_modules/cf-forms-server/cf-forms.mjs");
  const server = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...command], {
    cwd: consumer.folder,
    env: { ...BARE_ENVIRONMENT, PORT: "0", DATA_DIR: "data" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => server.kill("SIGKILL"));
  const [started] = await once(createInterface({ input: server.stdout }), "line");
  const address = /^cf-forms listening on (http:\S+)$/.exec(String(started))?.[1];
  const listed = await fetch(`${address}/api/cf/v1/actions`, { headers: EDITOR });
  const types = await bodyOf<{ type: string; label: string }[]>(listed);
  assert.ok(types.some(({ type, label }) => type === "acme_receipts" && label === "List receipts in a file"));
});

test("the plugin of docs/hooks.md is also strict TypeScript with syntax that Node can erase", (t) => {
  const consumer = createConsumer();
  t.after(() => consumer.remove());
  addTypes(consumer, "node");
  const [plugin = ""] = examples("js");
  const typed = plugin.replace("addReceipts(forms,", "addReceipts(forms: Forms,");
  assert.notEqual(typed, plugin);
  consumer.write("receipts.mts", `import type { Forms } from "cf-forms";\n${typed}`);
  const [, module = "", types = ""] = /`"module": "(\w+)"`.*`"types": \["(\w+)"\]`/.exec(PAGE) ?? [];
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true },
    ...{ target: "es2024", noEmit: true, erasableSyntaxOnly: true, module, types: [types] },
  };
  consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["receipts.mts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  assert.deepEqual(consumer.run(process.execPath, tsc), { status: 0, output: "" });
  const loaded = consumer.run(
    process.execPath,
    ...["--disable-warning=ExperimentalWarning", "--input-type=module"],
    ...["--eval", 'console.log((await import("./receipts.mts")).default.name)'],
  );
  assert.deepEqual(loaded, { status: 0, output: "addReceipts\n" });
});
