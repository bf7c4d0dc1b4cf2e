/** The HTML side of the form editor, its revisions and its conflicts. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, publishChanges, signIn, startBrowser, startSite } from "./admin-site.ts";

interface Stored {
  readonly source: string;
  readonly markup: string;
  readonly title: string;
  readonly revision: number;
}

const MARKUP =
  '<!-- mine -->\n<p><label>Name <input name="name"></label></p>\n<video src="/a.webm"></video>\n<button>Send</button>\n';

it("edits HTML beside the fields, with a shared history", { skip: noChromium, timeout: 120_000 }, async (t) => {
  const host = await startSite(t);
  const browser = await startBrowser(t);
  const { page, faults } = await signIn(browser, host.url);
  const build = async ({ id }: FormRef) => {
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.getByRole("toolbar").first().waitFor();
  };
  const code = page.getByRole("textbox", { name: "HTML code" });
  const publish = () => publishChanges(page);
  const stored = ({ id }: FormRef) => api<Stored>(host.url, "GET", `/forms/${id}`);

  await t.test("typed HTML becomes the source, with completion, warnings and a difference view", async () => {
    const form = await api<FormRef>(host.url, "POST", "/forms", { title: "By hand", markup: MARKUP });
    await build(form);
    await page.getByRole("button", { name: "HTML", exact: true }).click();
    await code.waitFor();
    // Conversion warnings are shown in the gutter and below the editor.
    await page.locator(".cm-lint-marker").first().waitFor();
    assert.deepEqual(await violations(page), []);
    await code.click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("<input da");
    await page.locator(".cm-tooltip-autocomplete").getByText("data-show-if", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type('name="town">');
    await page
      .getByLabel("Changes since the live HTML")
      .getByText(/^\+ <input name="town">/)
      .waitFor();
    await draftSaved(page);
    await page.getByRole("button", { name: "Fields", exact: true }).first().click();
    await page.getByRole("grid", { name: "Form fields" }).getByRole("row").filter({ hasText: "town" }).waitFor();
    await publish();
    assert.equal((await stored(form)).markup, MARKUP.replace("</p>\n", '</p>\n<input name="town">\n'));
    const undo = page.getByRole("button", { name: "Undo" }).first();
    while (await undo.isEnabled()) await undo.click();
    await page
      .getByRole("grid", { name: "Form fields" })
      .getByRole("row")
      .filter({ hasText: "town" })
      .waitFor({ state: "detached" });
    await draftSaved(page);
    await publish();
    assert.equal((await stored(form)).markup, MARKUP);
  });

  await t.test("fields become HTML only after a confirmation, which lists the differences", async () => {
    const form = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Fields",
      schema: {
        fields: [
          { name: "age", type: "number", label: "Age" },
          { name: "submit", type: "submit", label: "Send" },
        ],
      },
    });
    await build(form);
    await page.getByRole("button", { name: "HTML", exact: true }).click();
    await page.getByText("No differences").waitFor();
    await page.getByRole("button", { name: "Use this HTML" }).click();
    await page.getByRole("button", { name: "Switch to fields" }).waitFor();
    await publish();
    const asMarkup = await stored(form);
    assert.equal(asMarkup.source, "markup");

    // Switching back changes only the source, and publishes once.
    const writes: string[] = [];
    page.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      if (request.method() !== "GET" && !path.endsWith("/preview"))
        writes.push(`${request.method()} ${path.slice(path.lastIndexOf("/"))}`);
    });
    await page.getByRole("button", { name: "Switch to fields" }).click();
    await page.getByRole("grid", { name: "Form fields" }).waitFor();
    await publish();
    const asFields = await stored(form);
    assert.deepEqual([asFields.source, asFields.revision], ["schema", asMarkup.revision + 1]);
    assert.deepEqual([...new Set(writes)], ["PUT /draft", "POST /publish"]);
  });

  await t.test("deletes several fields in HTML, and offers fields for edits that HTML cannot express", async () => {
    const markup =
      '<p><label>One <input name="one"></label></p>\n<p><label>Two <input name="two"></label></p>\n<p><label>Three <input name="three"></label></p>\n<button>Go</button>\n';
    const form = await api<FormRef>(host.url, "POST", "/forms", { title: "Several", markup });
    await build(form);
    const rows = page.getByRole("grid", { name: "Form fields" }).getByRole("row");
    await rows.filter({ hasText: "One" }).click();
    await rows.filter({ hasText: "Three" }).click({ modifiers: ["ControlOrMeta"] });
    await rows.filter({ hasText: "Three" }).getByRole("button", { name: /^Move/ }).focus();
    await page.keyboard.press("Delete");
    await rows.filter({ hasText: "One" }).waitFor({ state: "detached" });
    await rows.filter({ hasText: "Two" }).click();
    await page.getByRole("searchbox", { name: "Add field" }).fill("email");
    await page.keyboard.press("Enter");
    await rows.filter({ hasText: "Email" }).first().waitFor();
    await draftSaved(page);
    const { markup: drafted } = await api<{ readonly markup: string }>(host.url, "GET", `/forms/${form.id}/draft`);
    assert.ok(!drafted.includes("one") && !drafted.includes("three"), drafted);
    assert.ok(
      drafted.indexOf('name="two"') < drafted.indexOf('name="email"') &&
        drafted.indexOf('name="email"') < drafted.indexOf("<button>Go"),
      drafted,
    );
    await rows.filter({ hasText: "Two" }).getByRole("button", { name: "Options for Two" }).click();
    await page.getByRole("menuitem", { name: "Move down" }).click();
    await page
      .getByRole("dialog", { name: "This change doesn’t fit your HTML" })
      .getByRole("button", { name: "Switch to fields" })
      .click();
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll(".build-row-label")].map((label) => label.textContent).join() === "Email,Two,Go",
    );
  });

  await t.test("nothing in the preview runs or accesses the page", async () => {
    const form = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Hostile",
      markup: `<img name="body" src=x onerror="parent.marked=1"><form name="querySelector"></form><object id="querySelectorAll"></object><script>parent.marked=1</script><label>Name <input name="name" autofocus onfocus="parent.marked=1"></label><button>Go</button>`,
    });
    await build(form);
    await page.frameLocator("iframe").getByText("Name").waitFor();
    assert.equal(await page.locator(".build-frame iframe").getAttribute("sandbox"), "allow-same-origin");
    await page.getByRole("grid", { name: "Form fields" }).getByRole("row").filter({ hasText: "Name" }).click();
    await page.locator(".build-mark").waitFor();
    assert.equal(await page.evaluate("window.marked"), undefined);
  });
  assert.deepEqual(
    faults.filter(
      (fault) =>
        !/style|Blocked script execution|Blocked autofocusing|inline event handler|\.webm|Executing inline script/.test(
          fault,
        ),
    ),
    [],
  );
});
