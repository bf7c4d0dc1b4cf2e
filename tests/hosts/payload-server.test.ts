/** The example's headless Payload in a separate process, as in its README: from the first user to a visitor's file. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { freePort } from "../free-port.ts";
import { answers, hostsPath, writeProject } from "./guide.ts";

const folder = hostsPath(".sites/payload-server");
const port = await freePort();
const api = `http://localhost:${port}/api`;
const FILES = ["payload.config.ts", "server.ts"];
let server: ChildProcess;

before(async () => {
  rmSync(folder, { recursive: true, force: true });
  writeProject(
    folder,
    FILES.map((name) => [name, readFileSync(hostsPath(`../../examples/payload-site/${name}`), "utf8")]),
  );
  const env = {
    ...process.env,
    PORT: String(port),
    SERVER_URL: `http://localhost:${port}`,
    PAYLOAD_SECRET: "of the tests",
  };
  server = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server.ts"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await answers(`${api}/cf/v1/forms`, server);
});
after(() => server?.kill());

const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(api + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
  return { status: response.status, body: await response.json() };
};

test("its first user creates a form, and reads a visitor's submission with a file", async () => {
  const user = { email: "editor@example.org", password: "of the editor" };
  assert.equal((await send("/users/first-register", user)).status, 200);
  const headers = { authorization: `JWT ${(await send("/users/login", user)).body.token}` };
  const markup = "<input name=name><input type=file name=file><button>Send</button>";
  assert.equal((await send("/cf/v1/forms", { title: "Contact", slug: "contact", markup }, headers)).status, 201);
  const page = await fetch(`${api}/cf-forms/contact`);
  assert.match(await page.text(), /<form/);
  const data = new FormData();
  data.set("name", "Ada");
  data.set("file", new File(["hello"], "a.txt", { type: "text/plain" }));
  const sent = await fetch(`${api}/cf-forms/contact`, {
    method: "POST",
    body: data,
    headers: { accept: "application/json", "x-client-address": "6.6.6.6" },
  });
  assert.equal(sent.status, 200, await sent.text());
  const [submission] = await (await fetch(`${api}/cf/v1/submissions`, { headers })).json();
  assert.equal(submission.data.name, "Ada");
  assert.match(submission.ip_address, /127\.0\.0\.1|::1/);
  assert.equal(await (await fetch(submission.files[0].url, { headers })).text(), "hello");
});
