/**
 * A takeover that a security review found, with both roles. An editor without `unfiltered_html` uploads a script and an
 * HTML page, and makes a form's page load them through the visitors' script. An administrator opens that page, and an
 * account of the editor becomes an administrator. The first measure stops the attack, and each later measure alone
 * would stop it too.
 */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { launchChromium, noChromium } from "../browser/chromium.ts";
import { signIn as session, type TestHost } from "../shim/embedded-fixture.ts";
import { api, signIn, startSite } from "./admin-site.ts";

const FILES = { script: "/api/cf/v1/submissions/1/files/1", page: "/api/cf/v1/submissions/1/files/2" } as const;

/** Script that the administrator's browser would run. */
const ATTACK = `
(async () => {
  const nonce = await (await fetch("/sign-in/nonce")).text();
  await fetch("/api/cf-host/v1/users", { method: "POST", headers: { "content-type": "application/json", "x-wp-nonce": nonce }, body: JSON.stringify({ login: "mallory", role: "administrator" }) });
  parent.parent.postMessage("taken over", "*");
})();`;

const LOADER = `<iframe srcdoc="&lt;script src='${FILES.script}'>&lt;/script>"></iframe>`;

const MARKER = `<div data-cf-embed="${FILES.page}"></div>`;

interface Chain {
  readonly host: TestHost;
  /** Page of the administrator. */
  readonly page: Page;
  readonly slug: string;
  /** Number of removed parts of the editor's save, and the stored markup. */
  readonly removed: string | null;
  readonly markup: string;
  /** Files that the page loaded. */
  readonly requests: string[];
}

/** Performs the editor's steps, and signs in the administrator. */
async function begin(t: TestContext): Promise<Chain> {
  const host = await startSite(t);
  const { password } = await api<{ readonly password: string }>(host.url, "POST", "/api/cf-host/v1/users", {
    login: "eve",
    role: "editor",
  });
  const { cookie, nonce } = await session(host, { login: "eve", password });
  const asEditor = (path: string, body: object): Promise<Response> =>
    fetch(`${host.url}/api/cf/v1${path}`, {
      method: "POST",
      headers: { cookie, "x-wp-nonce": nonce, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const upload = (await (
    await asEditor("/forms", { title: "Upload", markup: "<input type=file name=a><input type=file name=b>" })
  ).json()) as { readonly slug: string };
  const files = new FormData();
  files.append("a", new File([ATTACK], "a.js", { type: "text/javascript" }));
  files.append("b", new File([LOADER], "b.html", { type: "text/html" }));
  // The save may be accepted or rejected; the next steps check its effect.
  await fetch(`${host.url}/forms/${upload.slug}`, { method: "POST", body: files });
  const created = await asEditor("/forms", {
    title: "Contact",
    markup: `${MARKER}<input name=a><button>Send</button>`,
  });
  assert.equal(created.status, 201);
  const { slug, markup } = (await created.json()) as { readonly slug: string; readonly markup: string };
  // The test checks what the policies block.
  const browser = await launchChromium(() => true);
  t.after(() => browser.close());
  const { page } = await signIn(browser, host.url);
  const requests: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (/\/files\//.test(pathname)) requests.push(pathname);
  });
  // Files are served as an older version served them, so that each measure is tested separately.
  await page.route(`**${FILES.script}`, (route) => route.fulfill({ contentType: "text/javascript", body: ATTACK }));
  await page.route(`**${FILES.page}`, (route) => route.fulfill({ contentType: "text/html", body: LOADER }));
  return { host, page, slug, removed: created.headers.get("x-cf-warnings"), markup, requests };
}

const administrators = async (host: TestHost): Promise<readonly string[]> => {
  const users = await api<readonly { readonly login: string; readonly role: string }[]>(
    host.url,
    "GET",
    "/api/cf-host/v1/users",
  );
  return users.filter(({ role }) => role === "administrator").map(({ login }) => login);
};

/** Replaces headers or body of the form's page. */
async function serve(
  { page, host, slug }: Chain,
  policy: (origin: string) => string,
  body: (origin: string) => string = (origin) => origin,
): Promise<void> {
  await page.route(`${host.url}/forms/${slug}`, async (route) => {
    const response = await route.fetch();
    const headers = {
      ...response.headers(),
      "content-security-policy": policy(response.headers()["content-security-policy"] ?? ""),
    };
    await route.fulfill({ response, headers, body: body(await response.text()) });
  });
  await page.goto(`${host.url}/forms/${slug}`);
  await page.waitForFunction(() => Object.hasOwn(window, "cfForms"));
}

/** Time in which a script of a frame reports, in milliseconds. */
const QUIET_MS = 500;
/** Time for a script that must report, on a slow machine too. */
const PATIENT_MS = 20_000;

/** Simulates the visitors' script of an older version; returns the result. */
const loadAsBefore = (page: Page, address: string, waitMs = QUIET_MS): Promise<string> =>
  page.evaluate(
    async ([from, wait]) => {
      const place = document.querySelector("form") ?? document.body;
      const html = await (await fetch(from)).text();
      const taken = new Promise<string>((resolve) =>
        window.addEventListener("message", ({ data }) => resolve(String(data))),
      );
      try {
        place.innerHTML = html;
      } catch (error) {
        return error instanceof TypeError ? "refused" : String(error);
      }
      const frame = place.querySelector("iframe");
      // A blocked script is reported before its frame has loaded.
      const loaded = new Promise<string>((resolve) =>
        frame?.addEventListener("load", () => setTimeout(() => resolve("loaded"), wait)),
      );
      return Promise.race([taken, loaded]);
    },
    [address, waitMs] as const,
  );

const withoutTrustedTypes = (policy: string): string => policy.replace(/; require-trusted-types-for.*$/, "");

describe("the takeover by an author's markup", { skip: noChromium }, () => {
  it("works without any of the measures", async (t) => {
    const chain = await begin(t);
    await serve(chain, () => "default-src 'self' data:; script-src 'self'");
    assert.equal(await loadAsBefore(chain.page, FILES.page, PATIENT_MS), "taken over");
    assert.deepEqual(await administrators(chain.host), ["admin", "mallory"]);
  });

  it("stops at the first step: the marker is not stored, and the save says so", async (t) => {
    const { host, page, slug, removed, markup, requests } = await begin(t);
    assert.equal(removed, "1");
    assert.doesNotMatch(markup, /data-cf-embed/);
    await page.goto(`${host.url}/forms/${slug}`);
    await page.waitForFunction(() => Object.hasOwn(window, "cfForms"));
    await page.waitForLoadState("networkidle");
    assert.deepEqual(requests, []);
    assert.deepEqual(await administrators(host), ["admin"]);
  });

  it("stops if the marker is already stored", async (t) => {
    const { host, page, slug, requests } = await begin(t);
    const sql = `UPDATE cf_forms SET markup = '${MARKER}' || markup, revision = revision + 1 WHERE slug = '${slug}'`;
    await host.formsOptions.host.database.batch([{ sql, params: [] }]);
    const html = await (await page.goto(`${host.url}/forms/${slug}`))?.text();
    assert.doesNotMatch(html ?? "", /data-cf-embed/);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(requests, []);
  });

  it("stops at the visitors' script if the marker is in the page", async (t) => {
    const chain = await begin(t);
    await serve(
      chain,
      () => "script-src 'self'",
      (html) => html.replace("<input name=a>", MARKER).replace("</main>", `${MARKER}</main>`),
    );
    assert.equal(await chain.page.locator("[data-cf-embed]").count(), 2);
    await chain.page.waitForLoadState("networkidle");
    assert.deepEqual(chain.requests, []);
    assert.deepEqual(await administrators(chain.host), ["admin"]);
  });

  it("stops at the page's trusted types if an old script follows the marker", async (t) => {
    const chain = await begin(t);
    await serve(chain, (policy) => `script-src 'self'; ${/require-trusted-types-for.*$/.exec(policy)?.[0] ?? ""}`);
    assert.equal(await loadAsBefore(chain.page, FILES.page), "refused");
    assert.deepEqual(await administrators(chain.host), ["admin"]);
  });

  it("stops at the page's nonce in a browser without trusted types", async (t) => {
    const chain = await begin(t);
    await serve(
      chain,
      (policy) => `connect-src 'self'; ${/script-src [^;]+/.exec(withoutTrustedTypes(policy))?.[0] ?? ""}`,
    );
    assert.equal(await loadAsBefore(chain.page, FILES.page), "loaded");
    assert.deepEqual(chain.requests, [FILES.page]);
    assert.deepEqual(await administrators(chain.host), ["admin"]);
  });
});
