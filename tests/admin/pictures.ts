/**
 * Regenerates the admin's pictures in `docs/pictures`: `node --test tests/admin/pictures.ts`, with the project's own
 * Node.
 */
import { fileURLToPath } from "node:url";
import { it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { api, draftSaved, type FormRef, show, signIn, startBrowser, startSite } from "./admin-site.ts";
import { type Scene, stage } from "./scene.ts";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const WIDE = { width: 1280, height: 800 };

interface Picture {
  readonly name: string;
  readonly address: (scene: Scene) => string;
  readonly scheme?: "light" | "dark";
  readonly size?: { readonly width: number; readonly height: number };
  /** A button to press first. */
  readonly press?: string | RegExp;
}

const PICTURES: readonly Picture[] = [
  { name: "admin-forms", address: () => "/forms" },
  { name: "admin-inbox", address: ({ contact, submission }) => `/inbox?form=${contact.id}&open=${submission}` },
  {
    name: "admin-analytics",
    address: ({ contact }) => `/forms/${contact.id}/analytics`,
    size: { width: 1280, height: 1240 },
  },
  { name: "admin-actions", address: ({ contact }) => `/forms/${contact.id}/actions`, press: /^Email notification/ },
  { name: "admin-new-form", address: () => "/forms/new", press: /^Event registration/ },
  { name: "admin-share", address: ({ contact }) => `/forms/${contact.id}/share` },
  { name: "admin-deliveries", address: () => "/deliveries/failures", scheme: "dark", press: /^Details of attempt/ },
  { name: "admin-inbox-dark", address: ({ contact }) => `/inbox?form=${contact.id}`, scheme: "dark" },
  { name: "admin-inbox-phone", address: () => "/inbox", size: { width: 390, height: 780 } },
];

it("generates the pictures of the documentation", { timeout: 240_000 }, async (t) => {
  const host = await startSite(t);
  const scene = await stage(host);
  const browser = await startBrowser(t);
  for (const { name, address, scheme = "light", size = WIDE, press } of PICTURES) {
    const { page } = await signIn(browser, host.url, { colorScheme: scheme, viewport: size });
    await page.clock.setFixedTime(scene.now);
    await page.goto(`${host.url}/admin`);
    await show(page, address(scene));
    if (press !== undefined) await page.getByRole("button", { name: press }).first().click();
    await page.waitForLoadState("networkidle");
    await page.waitForFunction(() => document.querySelector(".waiting") === null);
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    await page.context().close();
  }
});

const STEPS = {
  fields: [
    { name: "who", type: "radio", label: "I am", options: ["a person", "a business"], required: true },
    {
      name: "company",
      type: "text",
      label: "Company",
      css_class: "cf-half",
      conditions: [{ field: "who", operator: "equals", value: "a business" }],
    },
    { name: "email", type: "email", label: "Email", css_class: "cf-half" },
    { name: "day", type: "date", label: "Day" },
    { name: "papers", type: "file", label: "Papers" },
    { name: "submit", type: "submit", label: "Send" },
  ],
  layout: {
    type: "multi-step",
    steps: [
      { id: "you", title: "About you", fields: ["who", "company", "email"] },
      { id: "wishes", title: "Your wishes", fields: ["day", "papers", "submit"] },
    ],
  },
} as const;
const BY_HAND =
  '<!-- mine -->\n<p class="row">\n  <label>Name <input name="name" required></label>\n</p>\n<video src="/a.webm"></video>\n<button>Send</button>\n';

it("generates the pictures of the form editor", { timeout: 120_000 }, async (t) => {
  const host = await startSite(t);
  const browser = await startBrowser(t);
  const steps = await api<FormRef>(host.url, "POST", "/forms", {
    title: "Workshop",
    status: "published",
    schema: STEPS,
  });
  const byHand = await api<FormRef>(host.url, "POST", "/forms", {
    title: "By hand",
    status: "published",
    markup: BY_HAND,
  });
  const open = async (options: BrowserContextOptions, { id }: FormRef, field: string) => {
    const { page } = await signIn(browser, host.url, options);
    await page.goto(`${host.url}/admin/forms/${id}/build?field=${field}`);
    await page.locator(".build-inspector h2").waitFor({ state: "attached" });
    return page;
  };
  const keep = async (page: Page, name: string) => {
    if (!name.includes("html")) await page.locator(".build-mark").waitFor();
    // The iframe gets its layout shortly after its container.
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${FOLDER}${name}.png` });
    await page.context().close();
  };
  for (const scheme of ["light", "dark"] as const)
    await keep(await open({ colorScheme: scheme }, steps, "company"), `editor-build-${scheme}`);
  const phone = await open({ viewport: { width: 390, height: 844 } }, steps, "company");
  await phone.getByRole("button", { name: "Form", exact: true }).click();
  await keep(phone, "editor-build-phone");
  const html = await open({}, byHand, "name");
  await html.getByLabel("Label", { exact: true }).fill("Full name");
  await draftSaved(html);
  await html.getByRole("button", { name: "HTML", exact: true }).click();
  await html.locator(".cm-lint-marker").waitFor();
  await keep(html, "editor-html-light");
});
