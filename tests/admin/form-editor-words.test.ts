/** Editing texts in place in the form editor's preview. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { servePlatform } from "../../examples/admin-in-a-page/serve.ts";
import { noChromium, violations } from "../browser/chromium.ts";
import { ADMIN, APP_PASSWORD, basic } from "../shim/embedded-fixture.ts";
import { api, changeOptions, type FormRef, publishChanges, signIn, startBrowser, startSite } from "./admin-site.ts";

/** Finds texts in the preview of a page, opens them by a double click and changes them. */
function wordsIn(page: Page) {
  const words = (text: string) => page.frameLocator(".build-frame iframe").getByText(text, { exact: true }).first();
  const open = async (text: string, isCentred = false) => {
    await words(text).waitFor();
    await words(text).scrollIntoViewIfNeeded();
    const box = await words(text).boundingBox();
    assert.ok(box !== null, text);
    await page.mouse.dblclick(
      box.x + (isCentred ? box.width / 2 : Math.min(box.width / 2, 12)),
      box.y + box.height / 2,
    );
    const input = page.getByRole("textbox", { name: `Edit text: ${text}`, exact: true });
    await input.waitFor();
    return input;
  };
  const change = async (from: string, to: string, isCentred = false) => {
    const input = await open(from, isCentred);
    await input.fill(to);
    await input.press("Enter");
    await words(to).waitFor();
  };
  return { words, open, change };
}

interface StoredSchema {
  readonly fields: readonly {
    readonly label: string;
    readonly options: readonly { readonly value: string; readonly label: string }[];
  }[];
  readonly layout: { readonly steps?: readonly { readonly title?: string }[] };
}

it("edits texts in place in the preview, by mouse and by keyboard, and chooses the font of the theme", {
  skip: noChromium,
}, async (t) => {
  const host = await startSite(t);
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  const fields = [
    { name: "kind", type: "radio", label: "I am", description: "Choose one", options: ["a person", "a business"] },
    { name: "town", type: "text", label: "Town" },
    { name: "more", type: "text", label: "More" },
    { name: "submit", type: "submit", label: "Send" },
  ];
  const { id } = await api<FormRef>(host.url, "POST", "/forms", {
    title: "Words",
    schema: {
      fields,
      layout: {
        type: "multi-step",
        steps: [
          { id: "a", title: "About you", fields: ["kind", "town"] },
          { id: "b", title: "More", fields: ["more"] },
        ],
      },
    },
  });
  const stored = () => api<StoredSchema>(host.url, "GET", `/forms/${id}/schema`);
  const published = () => publishChanges(page);
  await page.goto(`${host.url}/admin/forms/${id}/build`);
  const { words, change } = wordsIn(page);
  // A button's text is centred, so the double click is in the middle.
  for (const [from, to] of [
    ["Town", "Place"],
    ["Choose one", "Choose what fits"],
    ["a business", "a company"],
    ["About you", "You"],
    ["Words", "Our form"],
    ["Send", "Off it goes"],
    ["Next", "Go on"],
    ["Back", "Before"],
  ] as const)
    await change(from, to, ["Send", "Next", "Back"].includes(from));
  await page.getByRole("button", { name: /Step to show/ }).click();
  await page.getByRole("option", { name: "Confirmation" }).click();
  const { messages } = await api<{ readonly messages: { readonly success: string } }>(host.url, "GET", `/forms/${id}`);
  await change(messages.success, "It is here.", true);
  await page.getByRole("button", { name: /Step to show/ }).click();
  await page.getByRole("option", { name: "All steps" }).click();
  // Keyboard: Enter on a row, Tab to the next text, Escape to cancel.
  const row = page.getByRole("grid", { name: "Form fields" }).getByRole("row").filter({ hasText: "I am" });
  await row.click();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Edit text: I am" }).waitFor();
  await page.keyboard.type("Who are you?");
  await page.keyboard.press("Tab");
  await page.getByRole("textbox", { name: "Edit text: a person" }).waitFor();
  await page.keyboard.type("nobody");
  await page.keyboard.press("Escape");
  await page.locator(".build-word").waitFor({ state: "detached" });
  await words("Who are you?").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "row");
  assert.equal(await words("nobody").count(), 0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Theme default/ }).click();
  await page.getByRole("option", { name: "Serif", exact: true }).click();
  await page.waitForFunction(() => {
    const label = document
      .querySelector<HTMLIFrameElement>(".build-frame iframe")
      ?.contentDocument?.querySelector(".cf-label");
    return label !== null && label !== undefined && getComputedStyle(label).fontFamily.startsWith("Georgia");
  });
  assert.deepEqual(await violations(page), []);
  await published();
  const schema = await stored();
  const form = await api<{ readonly title: string; readonly settings: object; readonly messages: object }>(
    host.url,
    "GET",
    `/forms/${id}`,
  );
  assert.deepEqual(
    schema.fields.map(({ label }) => label),
    ["Who are you?", "Place", "More", "Off it goes"],
  );
  assert.deepEqual(
    schema.fields[0]?.options.map(({ value, label }) => `${value} ${label}`),
    ["a person a person", "a business a company"],
  );
  assert.equal(schema.layout.steps?.[0]?.title, "You");
  assert.equal(form.title, "Our form");
  assert.partialDeepStrictEqual(form, {
    settings: { theme_values: { font: "Georgia, Cambria, serif" } },
    messages: { next_step: "Go on", previous_step: "Before", success: "It is here." },
  });
  assert.match(
    await (
      await fetch(`${host.url}/forms/${(await api<FormRef>(host.url, "GET", `/forms/${id}`)).slug}/theme.css`)
    ).text(),
    /--cf-font:Georgia, Cambria, serif;/,
  );
  await api(host.url, "PATCH", `/forms/${id}`, { settings: { theme_values: { font: "a;} b{c:d" } } }, 400);
  const undo = page.getByRole("button", { name: "Undo", exact: true }).first();
  while (await undo.isEnabled()) await undo.click();
  await published();
  assert.deepEqual(
    (await stored()).fields.map(({ label }) => label),
    ["I am", "Town", "More", "Send"],
  );
  assert.deepEqual(
    faults.filter((fault) => !/style/.test(fault)),
    [],
  );
});

it("keeps a second edit while the first renders, keeps options' values, and leaves the focus where the user clicks", {
  skip: noChromium,
}, async (t) => {
  const host = await startSite(t);
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  const options = ["Red", "Green", "Plum"].map((value) => ({ value, label: value }));
  const { id } = await api<FormRef>(host.url, "POST", "/forms", {
    title: "Words",
    schema: {
      fields: [
        { name: "colour", type: "radio", label: "Colour", options },
        { name: "from", type: "hidden", label: "From" },
      ],
    },
  });
  await page.goto(`${host.url}/admin/forms/${id}/build`);
  const frame = page.frameLocator(".build-frame iframe");
  const rows = page.getByRole("grid", { name: "Form fields" }).getByRole("row");
  const input = (text: string) => page.getByRole("textbox", { name: `Edit text: ${text}`, exact: true });
  const { open } = wordsIn(page);
  await frame.getByText("Red", { exact: true }).waitFor();
  // The second change is made before the server rendered the first.
  let respond = () => {};
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route("**/forms/preview*", async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await open("Red");
  await input("Red").fill("Rot");
  await page.keyboard.press("Tab");
  await input("Green").fill("Grün");
  await page.keyboard.press("Enter");
  respond();
  // A new option's value follows its label. A label that is another option's value is rejected.
  await rows.filter({ hasText: "Colour" }).click();
  await changeOptions(page, (lines) => {
    assert.equal(lines, "Red | Rot\nGreen | Grün\nPlum");
    return `${lines}\nNew`;
  });
  await frame.getByText("New", { exact: true }).waitFor();
  await open("New");
  await input("New").fill("Green");
  await page.keyboard.press("Enter");
  await page.getByText("Another option is already called “Green”.").waitFor();
  await input("New").fill("Blue");
  await page.keyboard.press("Enter");
  await page.locator(".build-word").waitFor({ state: "detached" });
  await changeOptions(page, (lines) => {
    assert.equal(lines, "Red | Rot\nGreen | Grün\nPlum\nBlue");
    return lines;
  });
  // The focus stays where the user clicks.
  await rows.filter({ hasText: "Colour" }).focus();
  await page.keyboard.press("Enter");
  await input("Colour").fill("Farbe");
  await page.getByRole("searchbox", { name: "Add field" }).click();
  await page.locator(".build-word").waitFor({ state: "detached" });
  await frame.getByText("Farbe", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("type")), "search");
  // If the preview does not show a field, pressing Enter on its row does not open another field's text.
  await rows.filter({ hasText: "From" }).click();
  await page.keyboard.press("Enter");
  await page.getByText("This field has no text").waitFor();
  assert.equal(await page.locator(".build-word").count(), 0);
  assert.deepEqual(
    faults.filter((fault) => !/style/.test(fault)),
    [],
  );
});

it("edits an author's label, description, title and message in place, inside an open shadow root, and changes no other byte", {
  skip: noChromium,
}, async (t) => {
  const host = await startSite(t);
  const markup =
    "<!-- mine -->\n<P><label for=n>Name</label> <input id=n name=name aria-describedby=h><small id=h>As on your card</small></P>\n<button>Go</button>";
  const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "By hand", markup });
  const server = servePlatform({ site: host.url, ...basic(ADMIN.login, APP_PASSWORD) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const page = await (await startBrowser(t)).newPage({ locale: "en-US", viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#/forms/${id}/build`);
  const { change } = wordsIn(page);
  await change("Name", "Your name");
  await change("As on your card", "As in your passport");
  await change("By hand", "Write to us");
  // By keyboard, the focus returns to the row inside the shadow root.
  await page.getByRole("grid", { name: "Form fields" }).getByRole("row").filter({ hasText: "Your name" }).click();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Edit text: Your name" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(
    () => document.querySelector("cf-forms-admin")?.shadowRoot?.activeElement?.getAttribute("role") === "row",
  );
  await page.getByRole("button", { name: /Step to show/ }).click();
  await page.getByRole("option", { name: "Confirmation" }).click();
  const { messages } = await api<{ readonly messages: { readonly success: string } }>(host.url, "GET", `/forms/${id}`);
  await change(messages.success, "It is here.", true);
  await publishChanges(page);
  const form = await api<{ readonly title: string; readonly markup: string; readonly messages: object }>(
    host.url,
    "GET",
    `/forms/${id}`,
  );
  assert.equal(form.markup, markup.replace("Name<", "Your name<").replace("As on your card", "As in your passport"));
  assert.equal(form.title, "Write to us");
  assert.partialDeepStrictEqual(form.messages, { success: "It is here." });
  assert.deepEqual(errors, []);
});
