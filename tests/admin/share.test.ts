/** The code of the Share tab works: in pages of another origin, in a bundle, and in a shell. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import type { Page } from "playwright-core";
import { noChromium, violations } from "../browser/chromium.ts";
import type { TestHost } from "../shim/embedded-fixture.ts";
import { api, type FormRef, makeForm, signIn, startBrowser, startSite } from "./admin-site.ts";

/** Serves pages of another origin, whose body the test sets, and a script. */
async function startOther(t: TestContext): Promise<{ readonly origin: string; body: string; script: string }> {
  const site = { origin: "", body: "", script: "" };
  const server = createServer(({ url }, response) => {
    const isScript = url === "/form.js";
    response.setHeader("content-type", `text/${isScript ? "javascript" : "html"}; charset=utf-8`);
    response.end(isScript ? site.script : `<!doctype html><title>Elsewhere</title>${site.body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}

/** Opens a tab of the embed card and returns its code. */
async function codeOf(page: Page, tab: string): Promise<string> {
  await page.getByRole("tab", { name: tab, exact: true }).click();
  return (await page.getByRole("tabpanel").locator("pre").textContent()) ?? "";
}

const countOf = async (host: TestHost, id: number): Promise<number> =>
  (await api<readonly unknown[]>(host.url, "GET", `/submissions?form_id=${id}`)).length;

describe("the Share tab", { skip: noChromium }, () => {
  it("offers code that shows and submits the form on other sites", { timeout: 120_000 }, async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: 'Contact & "more"',
      slug: "contact",
      schema: {
        fields: [
          { name: "email", type: "email", label: "Email", required: true },
          { name: "topic", type: "radio", label: "Topic", options: ["Sales", "Support"] },
          { name: "send", type: "submit", label: "Send" },
        ],
      },
    });
    const browser = await startBrowser(t);
    const { page, faults } = await signIn(browser, host.url);
    await page.goto(`${host.url}/admin/forms/${id}/share`);
    const other = await startOther(t);
    const visitor = await (await browser.newContext({ locale: "en-US" })).newPage();
    let sent = 0;
    const submitElsewhere = async (body: string, root: Pick<Page, "getByRole" | "getByText"> = visitor) => {
      other.body = body;
      await visitor.goto(other.origin);
      await root.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
      await root.getByRole("button", { name: "Send" }).click();
      await root.getByText("Thank you").first().waitFor();
      sent += 1;
      assert.equal(await countOf(host, id), sent);
    };

    await submitElsewhere(await codeOf(page, "Embed code"));
    await submitElsewhere(await codeOf(page, "HTML"));

    const resolveDir = fileURLToPath(new URL("../../", import.meta.url));
    const react = `${await codeOf(page, "React")}
      import { createRoot } from "react-dom/client";
      createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);`;
    const { outputFiles } = buildSync({
      stdin: { contents: react, resolveDir, loader: "jsx" },
      bundle: true,
      format: "esm",
      write: false,
      jsx: "automatic",
      alias: { "cf-forms/react": `${resolveDir}client/components/react.ts` },
      define: { "process.env.NODE_ENV": '"production"' },
    });
    other.script = outputFiles[0]?.text ?? "";
    await submitElsewhere('<body><script type="module" src="/form.js"></script>');

    // Another test builds the documentation's example with Astro; this code differs only in its values.
    const docs = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");
    const [, example = ""] = /```astro\n(---\n.*?---\n<CfForm [^\n]*)/s.exec(docs) ?? [];
    const values = (code: string) => code.replaceAll(/=(?:"[^"]*"|\{"(?:[^"\\]|\\.)*"\})/g, "=…");
    const astro = await codeOf(page, "Astro");
    assert.equal(values(astro), values(example));
    assert.ok(astro.includes(JSON.stringify('Contact & "more"')), astro);

    // Without an allowed website a frame would stay empty, so the tab asks for one first.
    await page.getByRole("tab", { name: "iframe" }).click();
    const panel = page.getByRole("tabpanel");
    assert.equal(await panel.locator("pre").count(), 0);
    await panel.getByRole("textbox", { name: "Website" }).fill("not a website");
    await panel.getByRole("button", { name: "Add website" }).click();
    await panel.getByText("This is not a web address.").waitFor();
    await panel.getByRole("textbox", { name: "Website" }).fill(`${other.origin}/some/page?of=it#here`);
    await panel.getByRole("button", { name: "Add website" }).click();
    await panel.locator("pre").waitFor();
    const { settings } = await api<{ readonly settings: { readonly allowed_origins: readonly string[] } }>(
      host.url,
      "GET",
      `/forms/${id}`,
    );
    assert.deepEqual(settings.allowed_origins, [other.origin]);
    await submitElsewhere(await codeOf(page, "iframe"), visitor.frameLocator("iframe"));

    const curl = (await page.locator("pre", { hasText: "curl" }).textContent()) ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", curl.replace("curl", "curl -sS")], { timeout: 20_000 });
    const response: unknown = JSON.parse(stdout);
    assert.ok(
      typeof response === "object" && response !== null && "submission_id" in response,
      JSON.stringify(response),
    );

    await page.getByRole("button", { name: `Remove ${other.origin}` }).click();
    await panel.getByText("Browsers show the form in an iframe only on allowed websites").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("shows a button to publish a draft, then the link and a QR code to save, and changes the link", {
    timeout: 90_000,
  }, async (t) => {
    const host = await startSite(t);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Workshop",
      slug: "workshop",
      status: "draft",
      markup: '<label>Name <input name="name"></label><button>Send</button>',
    });
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.goto(`${host.url}/admin/forms/${id}/share`);
    await page.getByText("Publish the form to share it").waitFor();
    assert.equal(await page.locator("pre").count(), 0);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("main").getByRole("button", { name: "Publish", exact: true }).last().click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Your form is live").waitFor();

    for (const kind of ["SVG", "PNG"] as const) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: kind, exact: true }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `workshop.${kind.toLowerCase()}`);
      const type = kind === "SVG" ? "image/svg+xml" : "image/png";
      const picture = `data:${type};base64,${readFileSync(await download.path()).toString("base64")}`;
      assert.equal(await readCode(page, picture), `${host.url}/forms/workshop`, kind);
    }

    const dialog = page.getByRole("dialog");
    const changeTo = async (slug: string) => {
      await page.getByRole("button", { name: "Change link…" }).click();
      await dialog.getByRole("textbox", { name: "Link" }).fill(slug);
      await dialog.getByRole("button", { name: "Change link", exact: true }).click();
    };
    await makeForm(host.url, "Taken");
    await changeTo("taken");
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await changeTo("summer-workshop");
    await page.getByRole("link", { name: `${host.url}/forms/summer-workshop` }).waitFor();
    const old = await fetch(`${host.url}/forms/workshop`);
    assert.equal(old.url, `${host.url}/forms/summer-workshop`);
    assert.match((await page.locator("pre").first().textContent()) ?? "", /slug="summer-workshop"/);
    await page.getByRole("button", { name: "Remove workshop" }).click();
    await page.getByText("Former links").waitFor({ state: "detached" });
    assert.equal((await fetch(`${host.url}/forms/workshop`)).status, 404);
    // React Aria announces a pending button by an image without a name, which a reload removes.
    await page.reload();
    await page.getByRole("img", { name: "QR code" }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });
});

/** Reads the QR code in a picture, in a page without a policy. */
async function readCode(page: Page, picture: string): Promise<string> {
  const { decodeQR } = await import("qr/decode.js");
  const reader = await page.context().newPage();
  await reader.setContent("<canvas></canvas>");
  const { width, height, data } = await reader.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.querySelector("canvas") as HTMLCanvasElement;
    canvas.width = 200;
    canvas.height = 200;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
    return { width: pixels.width, height: pixels.height, data: [...pixels.data] };
  }, picture);
  await reader.close();
  return decodeQR({ width, height, data: new Uint8ClampedArray(data) });
}
