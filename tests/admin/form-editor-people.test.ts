/** The form editor for new users, keyboard users and authors of HTML, and inside other platforms' pages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { addToEditor } from "../../examples/custom-action/plugin.ts";
import { TEMPLATES } from "../../admin/templates/index.ts";
import { noChromium } from "../browser/chromium.ts";
import { buildsByKeyboard, editsInShadowRoot, rowsOf, openField, type StoredSchema } from "./form-editor-journeys.ts";
import {
  api,
  changeOptions,
  type FormRef,
  publishChanges,
  signIn,
  startBrowser,
  startSite,
  submit,
} from "./admin-site.ts";

interface Stored {
  readonly source: string;
  readonly markup: string;
}

/** Names of cases in tests/cases/markup, each with a text field and choices. */
const REVIEWED = [
  "arabic-contact",
  "choices-with-follow-up",
  "contact-wrapped-labels",
  "donation",
  "dutch-govuk",
  "foundation",
  "medical-intake",
  "russian",
  "unclosed-everything",
  "wordpress-cf7",
];

async function undoAll(page: Page): Promise<void> {
  const undo = page.getByRole("button", { name: "Undo", exact: true }).first();
  while (await undo.isEnabled()) await undo.click();
}

it("creates and changes forms as users do", { skip: noChromium, timeout: 240_000 }, async (t) => {
  const host = await startSite(t);
  const browser = await startBrowser(t);
  const { page, faults } = await signIn(browser, host.url);
  const schemaOf = (id: number) => api<StoredSchema>(host.url, "GET", `/forms/${id}/schema`);

  await t.test("two steps with a condition, columns and an upload, only by keyboard", () =>
    buildsByKeyboard(page, host.url),
  );

  await t.test("each of the 14 templates is opened, changed, saved, and reset by undo", async () => {
    const inEnglish = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(inEnglish);
      if (typeof value !== "object" || value === null) return value;
      return "en" in value && "de" in value
        ? value.en
        : Object.fromEntries(Object.entries(value).map(([key, text]) => [key, inEnglish(text)]));
    };
    assert.equal(Object.keys(TEMPLATES).length, 14);
    for (const [name, { schema, settings, messages }] of Object.entries(TEMPLATES)) {
      const { id } = await api<FormRef>(host.url, "POST", "/forms", {
        title: name,
        schema: inEnglish(schema),
        settings: inEnglish(settings ?? {}),
        messages: inEnglish(messages ?? {}),
      });
      const before = await schemaOf(id);
      const field = before.fields.find(({ type }) => !["heading", "paragraph", "divider", "fieldset"].includes(type));
      assert.ok(field !== undefined, name);
      await openField(page, id, field);
      await page.getByLabel("Label", { exact: true }).fill(`${field.label} now`);
      await publishChanges(page);
      const expected = {
        ...before,
        fields: before.fields.map((other) =>
          other.name === field.name ? { ...other, label: `${field.label} now` } : other,
        ),
      };
      // Without answers the field's name follows its label.
      const stored = await schemaOf(id);
      const renamed = stored.fields[before.fields.indexOf(field)]?.name;
      const underOldName = JSON.stringify(stored).replaceAll(JSON.stringify(renamed), JSON.stringify(field.name));
      // The settings remember the former name.
      assert.deepEqual({ ...JSON.parse(underOldName), form_settings: {} }, { ...expected, form_settings: {} }, name);
      await undoAll(page);
      await publishChanges(page);
      assert.deepEqual({ ...(await schemaOf(id)), form_settings: {} }, { ...before, form_settings: {} }, name);
    }
  });

  await t.test("ten authors' forms: a label and an option are changed, and no other byte", async () => {
    for (const name of REVIEWED) {
      const markup = readFileSync(new URL(`../cases/markup/${name}.html`, import.meta.url), "utf8");
      const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: name, markup });
      const { schema } = await api<{ readonly schema: StoredSchema }>(
        host.url,
        "POST",
        "/forms/preview?convert=true",
        { title: name, markup },
        200,
      );
      const text = schema.fields.find(
        ({ type, label }) => label !== "" && ["text", "email", "tel", "textarea"].includes(type),
      );
      const choice = schema.fields.find(
        ({ type, options }) => options.length > 1 && ["select", "radio", "checkbox"].includes(type),
      );
      assert.ok(text !== undefined && choice !== undefined, name);
      await openField(page, id, choice);
      await changeOptions(page, (lines) => {
        const [first, second, ...rest] = lines.split("\n");
        return [first, `${second} RR`, ...rest].join("\n");
      });
      await openField(page, id, text);
      await page.getByLabel("Label", { exact: true }).fill(`${text.label} QQ`);
      await publishChanges(page);
      const stored = await api<Stored>(host.url, "GET", `/forms/${id}`);
      assert.equal(stored.source, "markup");
      assert.ok(stored.markup.includes(" QQ") && stored.markup.includes(" RR"), name);
      assert.equal(stored.markup.replace(" QQ", "").replace(" RR", ""), markup, name);
      await undoAll(page);
      await publishChanges(page);
      assert.equal((await api<Stored>(host.url, "GET", `/forms/${id}`)).markup, markup, name);
    }
  });

  await t.test("a renamed field keeps its answers, and a deleted field's answers stay visible on request", async () => {
    const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Answers",
      schema: {
        fields: [
          { name: "town", type: "text", label: "Town" },
          { name: "kind", type: "select", label: "Kind", options: ["Cat", "Dog"] },
          { name: "age", type: "number", label: "Age" },
        ],
      },
    });
    for (let age = 1; age <= 5; age += 1)
      await submit(host.url, slug, {
        age: String(age),
        ...(age > 3 ? {} : { town: `Town ${age}` }),
        ...(age > 2 ? {} : { kind: "Dog" }),
      });
    await openField(page, id, { name: "kind", label: "Kind" });
    await changeOptions(page, () => "Kitten");
    await page.getByText("No longer offered: Dog.").waitFor();
    await page.getByText("Existing answers with Cat will show the new label.").waitFor();
    await rowsOf(page).filter({ hasText: "Age" }).click();
    await page.getByRole("heading", { name: "Age", level: 2 }).waitFor();
    await page.keyboard.press("Delete");
    await page
      .getByRole("alertdialog")
      .getByText(/^5 stored answers stay/)
      .waitFor();
    await page.getByRole("button", { name: "Keep the column" }).click();
    await rowsOf(page).filter({ hasText: "Town" }).click();
    await page.getByRole("heading", { name: "Town", level: 2 }).waitFor();
    await page.getByText("Advanced").click();
    await page.getByLabel("Field name", { exact: true }).fill("city");
    await page.keyboard.press("Enter");
    await publishChanges(page);
    assert.deepEqual(
      (await schemaOf(id)).fields.map(({ name, type }) => `${name} ${type}`),
      ["city text", "kind select", "age hidden"],
    );
    const stored = await api<readonly { readonly data: Record<string, unknown> }[]>(
      host.url,
      "GET",
      `/forms/${id}/submissions`,
    );
    assert.deepEqual(stored.flatMap(({ data }) => data["city"] ?? []).sort(), ["Town 1", "Town 2", "Town 3"]);
    assert.deepEqual(
      (await schemaOf(id)).fields[1]?.options.map(({ value, label }) => `${value} ${label}`),
      ["Cat Kitten"],
    );
  });

  await t.test("a condition on a deleted field, and fields with cyclic conditions, are reported at once", async () => {
    const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Broken", schema: { fields: [] } });
    const on = (field: string) => [{ field, operator: "equals", value: "yes" }];
    const named = (name: string, ...conditions: readonly object[]) => ({
      name,
      type: "text",
      label: name.toUpperCase(),
      conditions,
    });
    await api(
      host.url,
      "PUT",
      `/forms/${id}/draft`,
      {
        base_revision: 1,
        title: "Broken",
        settings: {},
        messages: {},
        markup: null,
        schema: {
          version: 1,
          fields: [
            named("a"),
            named("b", ...on("ghost")),
            named("c", ...on("d")),
            named("d", ...on("c")),
            named("e", ...on("a")),
          ].map((field, position) => ({
            placeholder: "",
            default_value: "",
            required: false,
            css_class: "",
            description: "",
            options: [],
            validation: {},
            attributes: {},
            group: null,
            position,
            ...field,
          })),
          layout: { type: "single" },
          form_settings: {},
        },
      },
      200,
    );
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    for (const [label, badge] of [
      ["B", "Check condition"],
      ["C", "Check condition"],
      ["D", "Check condition"],
      ["E", "If"],
    ] as const)
      await rowsOf(page)
        .filter({ has: page.getByText(label, { exact: true }) })
        .getByText(badge, { exact: true })
        .waitFor();
    await rowsOf(page)
      .filter({ has: page.getByText("B", { exact: true }) })
      .click();
    await page.getByRole("alert").getByText("The field “ghost” no longer exists.").waitFor();
    await rowsOf(page)
      .filter({ has: page.getByText("C", { exact: true }) })
      .click();
    await page.getByRole("alert").getByText("These fields depend on each other: C → D → C").waitFor();
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("alert").filter({ hasText: "B" }).first().waitFor();
  });

  await t.test(
    "the preview shows the chosen theme with contrast warnings, and a trial of the form starts at its second step",
    async () => {
      const { id } = await api<FormRef>(host.url, "POST", "/forms", {
        title: "Look",
        schema: {
          fields: [
            { name: "one", type: "text", label: "One" },
            { name: "two", type: "text", label: "Two" },
            { name: "submit", type: "submit", label: "Send" },
          ],
          layout: {
            type: "multi-step",
            steps: [
              { id: "a", title: "A", fields: ["one"] },
              { id: "b", title: "B", fields: ["two"] },
            ],
          },
        },
      });
      await page.goto(`${host.url}/admin/forms/${id}/build`);
      const button = page.frameLocator(".build-frame iframe").getByRole("button", { name: "Send" });
      await button.waitFor();
      await page.getByLabel("Accent color", { exact: true }).fill("#ffe9a8");
      await page.getByText(/^Low contrast: 1\.\d/).waitFor();
      await page.waitForFunction(() => {
        const frame = document.querySelector<HTMLIFrameElement>(".build-frame iframe")?.contentDocument;
        const button = frame?.querySelector("button[type=submit],button:not([type])");
        return (
          button !== null && button !== undefined && getComputedStyle(button).backgroundColor === "rgb(255, 233, 168)"
        );
      });
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      const tried = page.frameLocator("iframe.build-try");
      await tried.getByLabel("One").waitFor();
      assert.equal(await page.locator("iframe.build-try").getAttribute("sandbox"), "allow-scripts");
      assert.equal(
        await tried
          .getByRole("button", { name: "Next" })
          .evaluate((button) => getComputedStyle(button).backgroundColor),
        "rgb(255, 233, 168)",
      );
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Start at/ })
        .click();
      await page.getByRole("option", { name: "B", exact: true }).click();
      await tried.getByLabel("Two").waitFor();
      assert.equal(await tried.getByLabel("One").count(), 0);
      await page.keyboard.press("Escape");
    },
  );

  await t.test("a plugin's field and property are offered beside the others", async () => {
    addToEditor(host.forms);
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Plugin",
      schema: { fields: [{ name: "one", type: "text", label: "One" }] },
    });
    await page.goto(`${host.url}/admin/forms/${id}/build?field=one`);
    await page.getByRole("textbox", { name: "Called there" }).fill("first");
    await page.getByRole("searchbox", { name: "Add field" }).fill("bank");
    await page.getByRole("option", { name: "Bank account" }).waitFor();
    await page.getByRole("searchbox", { name: "Add field" }).press("Enter");
    await page.getByRole("heading", { name: "Bank account", level: 2 }).waitFor();
    await publishChanges(page);
    const { fields } = await api<{
      readonly fields: readonly { readonly name: string; readonly attributes: object; readonly validation: object }[];
    }>(host.url, "GET", `/forms/${id}/schema`);
    assert.deepEqual(
      fields.map(({ name, attributes }) => [name, attributes]),
      [
        ["one", { "data-line": "first" }],
        ["bank_account", { "data-line": "iban" }],
      ],
    );
    assert.deepEqual(fields[1]?.validation, { pattern: "[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}" });
  });

  await t.test("on a phone, one part at a time: the preview fills the screen", async () => {
    const { id } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Phone",
      schema: { fields: [{ name: "one", type: "text", label: "One" }] },
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await page.waitForFunction(
      () => (document.querySelector(".build-frame")?.getBoundingClientRect().width ?? 0) > 300,
    );
    const box = await page.frameLocator(".build-frame iframe").getByLabel("One", { exact: true }).boundingBox();
    assert.ok(box !== null);
    // A touch on a field opens its inspector.
    await page.mouse.click(box.x + 20, box.y + 10);
    await page.getByLabel("Label", { exact: true }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await t.test(
    "inside a page that allows inline scripts but no WebAssembly: all works, and no script of the author runs",
    async () => {
      const policy =
        "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; frame-src 'self'";
      await page.route("**/admin/**", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
      });
      const { id } = await api<FormRef>(host.url, "POST", "/forms", {
        title: "Inline",
        markup:
          '<script>parent.marked=1</script><img src="x" onerror="parent.marked=1"><p><label>Name <input name="name"></label></p><button>Go</button>',
      });
      await page.goto(`${host.url}/admin/forms/${id}/build?field=name`);
      await page.getByLabel("Label", { exact: true }).fill("Full name");
      await page.frameLocator(".build-frame iframe").getByText("Full name").waitFor();
      await page.getByRole("button", { name: "HTML", exact: true }).click();
      await page.getByRole("textbox", { name: "HTML code" }).waitFor();
      await page
        .getByText(/<label>Full name/)
        .first()
        .waitFor();
      assert.equal(await page.evaluate("window.marked"), undefined);
      await publishChanges(page);
      await page.unroute("**/admin/**");
    },
  );

  await t.test("inside an open shadow root under a strict policy: adds, drags by keyboard, edits HTML", () =>
    editsInShadowRoot(browser, host.url),
  );
  assert.deepEqual(
    faults.filter((fault) => !/style|Blocked script execution|404/.test(fault)),
    [],
  );
});
