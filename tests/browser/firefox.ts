/** The machine's Firefox, over WebDriver BiDi. Playwright's own client needs commands that Debian's Firefox lacks. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { member, type JsonValue } from "../shim/site.ts";

const executable = ["firefox-esr", "firefox"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Value for `skip` of a test: the reason why there is no Firefox, or false when there is one. */
export const noFirefox: string | false =
  executable === undefined && "no Firefox on the PATH (Debian: apt-get install firefox-esr)";

/** Time for a state of the page to appear, in milliseconds. */
const PATIENCE_MS = 20_000;

/** A Firefox with one tab. */
export class Firefox {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<JsonValue>>();
  #tab = "";
  #count = 0;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    [this.#process, this.#profile, this.#socket] = [process, profile, socket];
    socket.addEventListener("message", ({ data }) => {
      const reply: JsonValue = JSON.parse(String(data));
      const call = this.#waiting.get(Number(member(reply, "id")));
      if (member(reply, "type") === "success") call?.resolve(member(reply, "result"));
      else call?.reject(new Error(JSON.stringify(reply)));
    });
  }

  /** Starts a Firefox; with `hasScript` false, pages run no script. */
  static async launch({ hasScript = true } = {}): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "cf-forms-firefox-"));
    writeFileSync(join(profile, "user.js"), `user_pref("javascript.enabled", ${hasScript});\n`);
    const child = spawn(executable ?? "", ["--headless", "--profile", profile, "--remote-debugging-port", "0"]);
    let log = "";
    for await (const text of child.stderr) {
      const [address] = /ws:\/\/\S+/.exec((log += String(text))) ?? [];
      if (address === undefined) continue;
      child.stderr.resume();
      const socket = new WebSocket(`${address}/session`);
      await once(socket, "open");
      const firefox = new Firefox(child, profile, socket);
      await firefox.#send("session.new", { capabilities: {} });
      const tabs = member(await firefox.#send("browsingContext.getTree", {}), "contexts");
      firefox.#tab = String(member(Array.isArray(tabs) ? (tabs[0] ?? null) : null, "context"));
      const viewport = { width: 390, height: 844 };
      await firefox.#send("browsingContext.setViewport", { context: firefox.#tab, viewport });
      return firefox;
    }
    throw new Error(log);
  }

  #send(method: string, params: object): Promise<JsonValue> {
    const call = Promise.withResolvers<JsonValue>();
    this.#waiting.set((this.#count += 1), call);
    this.#socket.send(JSON.stringify({ id: this.#count, method, params }));
    return call.promise;
  }

  async goto(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { context: this.#tab, url, wait: "complete" });
  }

  async reload(): Promise<void> {
    await this.#send("browsingContext.reload", { context: this.#tab, wait: "complete" });
  }

  /**
   * Evaluates an expression in the page, and returns its value as JSON. A sandbox makes that work in pages without
   * script too.
   */
  async read(expression: string): Promise<JsonValue> {
    const reply = await this.#send("script.evaluate", {
      expression: `JSON.stringify(${expression}) ?? "null"`,
      target: { context: this.#tab, sandbox: "test" },
      awaitPromise: false,
    });
    if (member(reply, "type") !== "success") throw new Error(JSON.stringify(reply));
    return JSON.parse(String(member(member(reply, "result"), "value")));
  }

  /** Waits until an expression is true. An error, as while a page is loading, counts as false. */
  async until(expression: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while ((await this.read(`Boolean(${expression})`).catch(() => false)) !== true) {
      if (Date.now() > end) throw new Error(`${expression}\n${await this.read("document.body.innerText")}`);
      await sleep(50);
    }
  }

  /** Waits for a visible element, and returns its reference for other commands. */
  async #element(selector: string): Promise<string> {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.checkVisibility())`;
    await this.until(found);
    const target = { context: this.#tab, sandbox: "test" };
    const expression = `(() => { const one = ${found}; one.scrollIntoView({ block: "center", behavior: "instant" }); return one; })()`;
    const reply = await this.#send("script.evaluate", { expression, target, awaitPromise: false });
    return String(member(member(reply, "result"), "sharedId"));
  }

  async click(selector: string): Promise<void> {
    const origin = { type: "element", element: { sharedId: await this.#element(selector) } };
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.#send("input.performActions", {
      context: this.#tab,
      actions: [{ type: "pointer", id: "mouse", actions }],
    });
  }

  /** Presses keys, one after another. */
  async press(keys: string): Promise<void> {
    const actions = [...keys].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.#send("input.performActions", { context: this.#tab, actions: [{ type: "key", id: "keys", actions }] });
  }

  /** Clicks into a control and types a text. */
  async type(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.press(text);
  }

  async choose(selector: string, files: readonly string[]): Promise<void> {
    const element = { sharedId: await this.#element(selector) };
    await this.#send("input.setFiles", { context: this.#tab, element, files });
  }

  async close(): Promise<void> {
    this.#process.kill();
    await once(this.#process, "exit");
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
