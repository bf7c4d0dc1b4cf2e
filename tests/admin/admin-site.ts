/** An embedded host with the real engine, and a browser that is signed in to its admin. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, type TestContext } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { createForms } from "../../host-shim/src/index.ts";
import { isOfAuthor, launchChromium } from "../browser/chromium.ts";
import { ADMIN, APP_PASSWORD, basic, startTestHost, type TestHost } from "../shim/embedded-fixture.ts";

export interface AdminPage {
  readonly page: Page;
  /** Errors of the console and violations of the content security policy. */
  readonly faults: string[];
}

export async function startSite(t: TestContext, environment: Readonly<Record<string, string>> = {}): Promise<TestHost> {
  return startTestHost(t, { createForms, environment });
}

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** Starts the browser of a test file. Each test has its own session. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  launched ??= launchChromium(isOfAuthor);
  const browser = await launched;
  t.after(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}

/** Signs in through the form, which redirects to the admin, and returns the page. */
export async function signIn(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  who = ADMIN,
): Promise<AdminPage> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (?:40[0-9]|41[0-9])/.test(message.text()))
      faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${url}/sign-in`);
  await page.locator("[name=login]").fill(who.login);
  await page.locator("[name=password]").fill(who.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/admin/);
  return { page, faults };
}

/** Waits until the draft is stored. */
export const draftSaved = (page: Page): Promise<void> =>
  page
    .getByText(/^(?:Draft saved|Saved)$/)
    .first()
    .waitFor();

/**
 * Publishes by the header's button and the button in its popover, and closes the panel of a form's first publication.
 */
export async function publishChanges(page: Page, name = "Publish changes"): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  const published = page.waitForResponse((response) => response.url().endsWith("/publish"));
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  assert.equal((await published).status(), 200);
  if (name === "Publish") await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Calls a route of `cf/v1`, or any route of the host if the path begins with `/api`. */
export async function api<Data>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  status = method === "POST" ? 201 : 200,
): Promise<Data> {
  const response = await fetch(url + (path.startsWith("/api") ? path : `/api/cf/v1${path}`), {
    method,
    headers: { "content-type": "application/json", ...basic(ADMIN.login, APP_PASSWORD) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, status, `${method} ${path}: ${text}`);
  return JSON.parse(text) as Data;
}

export interface FormRef {
  readonly id: number;
  readonly slug: string;
}

/** Creates a published form with fields of several kinds, and an action that fails. */
export function makeForm(url: string, title = "Contact"): Promise<FormRef> {
  return api<FormRef>(url, "POST", "/forms", {
    title,
    markup:
      '<p><label>Name <input name="name"></label></p><p><label>Email <input type="email" name="email" required></label></p><p><label>Topic <select name="topic"><option>Sales</option><option>Support</option></select></label></p><p><label>Age <input type="number" name="age" min="0" max="120"></label></p><p><label>Message <textarea name="message"></textarea></label></p><p><label>Attachment <input type="file" name="attachment"></label></p><p><button>Send</button></p>',
    settings: {
      actions: [
        { type: "email", to: "owner@example.com" },
        { type: "webhook", url: "https://127.0.0.1:9/none" },
      ],
    },
  });
}

/** Submits the form as a visitor, with files as browsers send them. */
export async function submit(
  url: string,
  slug: string,
  answers: Readonly<Record<string, string | File>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(answers)) body.append(name, value);
  const response = await fetch(`${url}/forms/${slug}`, {
    method: "POST",
    headers: { accept: "application/json", ...headers },
    body,
  });
  assert.equal(response.status, 200, await response.text());
}

/** The declared screens whose paths have no parameter, by path. */
function declaredScreens(): Readonly<Record<string, () => string>> {
  const declarations = readFileSync(new URL("../../admin/app/screen-list.tsx", import.meta.url), "utf8");
  const paths = [...declarations.matchAll(/\bpath: "\/([\w/-]+)(?:\/:\w+\?)?"/g)].map(([, path = ""]) => path);
  assert.ok(paths.length > 5);
  return Object.fromEntries(paths.map((path) => [path.replaceAll("/", "-"), () => `/${path}`]));
}

/** Every screen by a name. Only screens with a parameter need an entry here. */
export const SCREENS: Readonly<Record<string, (formId: number) => string>> = {
  ...declaredScreens(),
  build: (id) => `/forms/${id}/build`,
  settings: (id) => `/forms/${id}/settings`,
  actions: (id) => `/forms/${id}/actions`,
  share: (id) => `/forms/${id}/share`,
  formAnalytics: (id) => `/forms/${id}/analytics?compare=1`,
  history: (id) => `/forms/${id}/history`,
  inbox: (id) => `/inbox?form=${id}`,
  submission: (id) => `/inbox?form=${id}&open=1`,
  log: () => "/deliveries/log",
  failures: () => "/deliveries/failures",
  outbox: () => "/deliveries/outbox",
  status: () => "/settings/status",
};

/** Navigates within the app, because a full load for each screen would only test the loading. */
export async function show(page: Page, address: string): Promise<void> {
  await page.evaluate((target) => {
    history.pushState(null, "", target);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/admin${address}`);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".waiting") === null);
}

/**
 * Presses Tab until an element with this name has the focus. `kind` is its role or its element name. Waits until the
 * element is reachable: the screen has loaded, and no dialog covers it.
 */
export async function tabTo(page: Page, name: RegExp, kind?: string): Promise<void> {
  const met: string[] = [];
  while (met.length < 150) {
    const found = await page.waitForFunction(
      ({ source, flags, kind }) => {
        const kindOf = (element: Element) => element.getAttribute("role") ?? element.localName;
        const nameOf = (element: Element) => {
          const labelled = element
            .getAttribute("aria-labelledby")
            ?.split(" ")
            .map((id) => document.getElementById(id)?.textContent ?? "")
            .join(" ");
          const labels =
            element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
              ? element.labels?.[0]?.textContent
              : undefined;
          return (element.getAttribute("aria-label") ?? labelled ?? labels ?? element.textContent).trim();
        };
        const isMeant = (element: Element) =>
          (kind === undefined || kindOf(element) === kind) && new RegExp(source, flags).test(nameOf(element));
        const focused = document.activeElement ?? document.body;
        if (focused !== document.body && isMeant(focused)) return { isFocused: true, met: "" };
        const isThere = [...document.querySelectorAll("a,button,input,select,textarea,summary,[tabindex]")].some(
          (element) =>
            isMeant(element) &&
            !element.matches(":disabled") &&
            element.checkVisibility({ visibilityProperty: true }) &&
            element.closest("[inert],[aria-hidden=true]") === null,
        );
        return isThere ? { isFocused: false, met: `${kindOf(focused)} ${nameOf(focused).slice(0, 60)}` } : null;
      },
      { source: name.source, flags: name.flags, kind },
    );
    const { isFocused, met: here } = (await found.jsonValue()) ?? { isFocused: false, met: "" };
    if (isFocused) return;
    met.push(here);
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${kind ?? "anything called"} ${name}, but to ${met.join("; ")}`);
}

/** Opens a section of the properties panel. */
export async function openSection(page: Page, title: string): Promise<void> {
  const section = page.locator("details.section").filter({ has: page.locator(`.section-title:text-is("${title}")`) });
  if (!(await section.evaluate((details: HTMLDetailsElement) => details.open)))
    await section.locator("summary").click();
}

/** Changes the options of the selected field as text, one per line. */
export async function changeOptions(page: Page, change: (lines: string) => string): Promise<void> {
  await page.getByRole("button", { name: "Paste a list" }).click();
  const lines = page.getByLabel("One option per line");
  await lines.fill(change(await lines.inputValue()));
  await page.getByRole("button", { name: /^Use \d+ option/ }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}
