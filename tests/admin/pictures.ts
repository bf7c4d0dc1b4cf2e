/** Makes the admin's pictures in `docs/pictures` anew: `node --test tests/admin/pictures.ts`, with the project's own Node. */
import { fileURLToPath } from "node:url";
import { it } from "node:test";
import { show, signIn, startBrowser, startSite } from "./admin-site.ts";
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
  { name: "admin-numbers", address: ({ contact }) => `/forms/${contact.id}/numbers`, size: { width: 1280, height: 1240 } },
  { name: "admin-actions", address: ({ contact }) => `/forms/${contact.id}/actions`, press: /^Send an email/ },
  { name: "admin-new-form", address: () => "/forms/new", press: /^Event registration/ },
  { name: "admin-workflows", address: () => "/workflows/failures", scheme: "dark", press: /^Details of run/ },
  { name: "admin-inbox-dark", address: ({ contact }) => `/inbox?form=${contact.id}`, scheme: "dark" },
  { name: "admin-inbox-phone", address: () => "/inbox", size: { width: 390, height: 780 } },
];

it("makes the pictures of the documentation", { timeout: 240_000 }, async (t) => {
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
