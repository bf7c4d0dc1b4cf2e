/** A new site: from an empty admin to a live form that notifies, within five clicks; the checklist; who is notified. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { TEMPLATES } from "../../admin/templates/index.ts";
import { noChromium, violations } from "../browser/chromium.ts";
import type { TestHost } from "../shim/embedded-fixture.ts";
import { api, type FormRef, show, signIn, startBrowser, startSite } from "./admin-site.ts";

interface StoredForm extends FormRef {
  readonly status: string;
  readonly source: string;
  readonly settings: {
    readonly language: string;
    readonly actions: readonly { readonly type: string; readonly to?: string }[];
  };
}

interface Outbox {
  readonly mails: readonly { readonly to: readonly string[] }[];
}

const ADDRESS = "owner@example.com";

/** Gives the administrator an email address. */
const giveAddress = (host: TestHost): Promise<unknown> =>
  api(host.url, "PATCH", "/api/cf-host/v1/users/1", { email: ADDRESS });

const storedForm = (host: TestHost, id = 1): Promise<StoredForm> => api<StoredForm>(host.url, "GET", `/forms/${id}`);

/** Starts to count the clicks in the page. */
const countClicks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(window, { clicks: 0 });
    const count = () => Object.assign(window, { clicks: (window as unknown as { clicks: number }).clicks + 1 });
    document.addEventListener("pointerdown", count, true);
  });

const pictureOn = (page: Page, title: string): Locator =>
  page.locator(".template", { has: page.locator(`strong:text-is("${title}")`) }).locator("img.template-picture");

/** Mean brightness of a picture as drawn, from 0 to 255, and its number of colors. */
async function colorsOf(page: Page, picture: Locator): Promise<{ brightness: number; colors: number }> {
  const png = (await picture.screenshot()).toString("base64");
  return page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const pixels = Array.from({ length: data.length / 4 }, (_, index) => data.slice(index * 4, index * 4 + 3));
    const sum = pixels.reduce((sum, pixel) => sum + (pixel[0] ?? 0) + (pixel[1] ?? 0) + (pixel[2] ?? 0), 0);
    return { brightness: sum / pixels.length / 3, colors: new Set(pixels.map(String)).size };
  }, png);
}

const step = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

describe("a first run", { skip: noChromium }, () => {
  it("takes five clicks and a minute from an empty admin to a live form with a notification", {
    timeout: 90_000,
  }, async (t) => {
    const host = await startSite(t);
    await giveAddress(host);
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.getByRole("heading", { name: "Create your first form" }).waitFor();
    const pictures = page.locator("button:has(img.template-picture)");
    assert.equal(await pictures.count(), 6);
    assert.equal(await pictures.first().locator("strong").innerText(), "Contact form");
    assert.deepEqual(await violations(page), []);
    await step(page, "Create a form").getByText("(open)").waitFor();

    const start = performance.now();
    await countClicks(page);
    await page.getByRole("button", { name: /^Contact form/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Email me each submission at ${ADDRESS}`).waitFor();
    await dialog.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL(/\/forms\/1\/build/);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.getByText(`You’ll get an email at ${ADDRESS} for each submission.`).waitFor();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Your form is live" });
    await panel.getByRole("link", { name: `${host.url}/forms/contact-form` }).waitFor();
    const [clicks, seconds] = [
      await page.evaluate(() => (window as unknown as { clicks: number }).clicks),
      (performance.now() - start) / 1000,
    ];
    t.diagnostic(`${clicks} clicks, ${seconds.toFixed(1)} s`);
    assert.ok(clicks > 2 && clicks <= 5, `${clicks} clicks`);
    assert.ok(seconds < 60, `${seconds} s`);
    const form = await storedForm(host);
    assert.equal(form.status, "published");
    assert.deepEqual(
      form.settings.actions.map(({ type, to }) => [type, to]),
      [["email", ADDRESS]],
    );

    await panel.getByRole("img", { name: "QR code" }).waitFor();
    assert.match(await panel.locator("pre").innerText(), /<cf-form slug="contact-form">/);
    await panel.getByText("Emails are not sent yet.").waitFor();
    // React Aria announces a pending button by an image without a name, for some seconds.
    await page.locator("[data-live-announcer] [role=img]").first().waitFor({ state: "detached" });
    assert.deepEqual(await violations(page), []);
    await panel.getByRole("button", { name: "Send a test submission" }).click();
    await panel.getByText("Test submission received.").waitFor();
    // The host runs the queue after its response.
    let recipients: readonly (readonly string[])[] = [];
    while (recipients.length === 0) {
      const { mails } = await api<Outbox>(host.url, "GET", "/api/cf-host/v1/outbox");
      recipients = mails.map(({ to }) => to);
      await setTimeout(50);
    }
    assert.deepEqual(recipients, [[ADDRESS]]);
    await panel.getByRole("link", { name: "View it in Inbox" }).click();
    await page.getByRole("row").filter({ hasText: "ada@example.com" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("keeps a checklist on Forms until the mail server is set up and a submission has arrived", {
    timeout: 90_000,
  }, async (t) => {
    const host = await startSite(t);
    const form = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Contact",
      status: "draft",
      schema: { fields: [{ name: "name" }, { name: "send", type: "submit", label: "Send" }] },
    });
    // The API adds no notification; only the admin does.
    assert.deepEqual((await storedForm(host)).settings.actions, []);
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.getByRole("heading", { name: "Get started" }).waitFor();
    await step(page, "Create a form").getByText("(done)").waitFor();
    await step(page, "Publish it").getByRole("link", { name: "Contact" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await api(host.url, "PATCH", `/forms/${form.id}`, { status: "published" });
    const sent = await fetch(`${host.url}/forms/${form.slug}`, {
      method: "POST",
      body: new URLSearchParams({ name: "Ada" }),
    });
    assert.equal(sent.status, 200);
    await page.reload();
    await step(page, "Publish it").getByText("(done)").waitFor();
    await step(page, "Get the first submission").getByText("(done)").waitFor();
    await step(page, "Set up mail").getByText("(open)").waitFor();
    await api(host.url, "PUT", "/api/cf-host/v1/mail", { host: "127.0.0.1", port: 9, security: "none" });
    await page.reload();
    await page.getByRole("link", { name: "Contact", exact: true }).waitFor();
    assert.equal(await page.getByRole("heading", { name: "Get started" }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it("asks for the address if the account has none, and adds no notification when the checkbox is off", {
    timeout: 90_000,
  }, async (t) => {
    const host = await startSite(t);
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: /^Newsletter/ }).click();
    await dialog.getByRole("button", { name: "Create form" }).click();
    await dialog.getByText("Enter an email address, or turn the notification off.").waitFor();
    await dialog.getByLabel("Email address").fill(ADDRESS);
    await dialog.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL(/\/forms\/1\/build/);
    assert.equal((await storedForm(host)).settings.actions[0]?.to, ADDRESS);

    await show(page, "/forms/new");
    await page.getByRole("button", { name: /^Contact form/ }).click();
    // The address is remembered in this browser.
    assert.equal(await dialog.getByLabel("Email address").inputValue(), ADDRESS);
    await dialog.getByText("Email me each submission").click();
    await dialog.getByLabel("Email address").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL(/\/forms\/2\/build/);
    assert.deepEqual((await storedForm(host, 2)).settings.actions, []);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.getByText("Nobody is notified of submissions yet.").waitFor();
    await dialog.getByRole("link", { name: "Add an email notification" }).click();
    await page.waitForURL(/\/forms\/2\/actions/);
    assert.deepEqual(faults, []);
  });

  it("starts from scratch with fields, never HTML", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    await giveAddress(host);
    const { page, faults } = await signIn(await startBrowser(t), host.url);
    await page.getByRole("button", { name: /^Start from scratch/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Enquiry");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/forms\/1\/build/);
    assert.equal((await storedForm(host)).source, "schema");
    const { fields } = await api<{ readonly fields: readonly { readonly type: string; readonly label: string }[] }>(
      host.url,
      "GET",
      "/forms/1/schema",
    );
    assert.deepEqual(
      fields.map(({ type, label }) => [type, label]),
      [["submit", "Submit"]],
    );
    await page.frameLocator(".build-frame iframe").getByRole("button", { name: "Submit" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("shows each template as visitors see it, in the user's language and theme", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { page, faults } = await signIn(await startBrowser(t), host.url, { locale: "de-DE" });
    await show(page, "/forms/new");
    for (const { title, schema } of Object.values(TEMPLATES)) {
      const picture = pictureOn(page, title.de);
      // An image whose XML is not well-formed does not decode.
      await picture.evaluate((image: HTMLImageElement) => image.decode());
      const source = decodeURIComponent((await picture.getAttribute("src")) ?? "");
      const [, label = ""] = /<(?:label|legend) class="cf-label">([^<]+?) *</.exec(source) ?? [];
      assert.ok(
        label !== "" && JSON.stringify(schema).includes(`"de":${JSON.stringify(label)}`),
        `${title.de}: ${label}`,
      );
      // The image has the style of visitors' pages.
      assert.match(source, /--cf-accent:/);
    }
    const contact = pictureOn(page, "Kontaktformular");
    const light = await colorsOf(page, contact);
    assert.ok(light.brightness > 200 && light.colors > 50, JSON.stringify(light));
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await colorsOf(page, contact);
    assert.ok(dark.brightness < 60 && dark.colors > 50, JSON.stringify(dark));
    assert.deepEqual(await violations(page), []);

    // A form in German gets the engine's German texts too.
    await page.getByRole("button", { name: /^Kontaktformular/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox").uncheck({ force: true });
    await dialog.getByRole("button", { name: "Formular erstellen" }).click();
    await page.waitForURL(/\/forms\/1\/build/);
    assert.equal((await storedForm(host)).settings.language, "de");
    assert.deepEqual(faults, []);
  });

  it("tells editors that emails are not sent, without a link that they may not open", {
    timeout: 60_000,
  }, async (t) => {
    const host = await startSite(t);
    const password = "a password of its own";
    await host.users.create("ed", "", "editor", password);
    const { page, faults } = await signIn(await startBrowser(t), host.url, {}, { login: "ed", password });
    await show(page, "/deliveries");
    await page.getByText("Emails are not sent yet. Ask an administrator to set up mail.").waitFor();
    await show(page, "/forms");
    await step(page, "Set up mail").getByText("Ask an administrator to set up mail.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Set up mail" }).count(), 0);
    await api(host.url, "PUT", "/api/cf-host/v1/mail", { host: "127.0.0.1", port: 9, security: "none" });
    await page.reload();
    await step(page, "Create a form").waitFor();
    assert.equal(await page.getByText("Emails are not sent yet").count(), 0);
    assert.deepEqual(faults, []);
  });
});
