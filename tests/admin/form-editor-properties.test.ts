/** The properties panel: the controls of every field type, the stored values, and the effects for visitors. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { FIELD_TYPES } from "../../admin/shared/field-types.ts";
import type { FieldMembers } from "../../admin/shared/draft/content.ts";
import { noChromium, violations } from "../browser/chromium.ts";
import { api, draftSaved, type FormRef, openSection, signIn, startBrowser, startSite } from "./admin-site.ts";
import { options, TYPES } from "./field-samples.ts";
import { pick, turn, select } from "./property-controls.ts";

interface StoredDraft {
  readonly title: string;
  readonly schema: { readonly fields: readonly ({ readonly name: string } & FieldMembers)[] };
  readonly settings: Readonly<Record<string, unknown>>;
  readonly messages: Readonly<Record<string, string>>;
}

it("the properties of every field type are stored, and change the form that visitors see", {
  skip: noChromium,
  timeout: 120_000,
}, async (t) => {
  const host = await startSite(t);
  const fields = FIELD_TYPES.map((kind) => ({
    name: kind,
    type: kind,
    label: `The ${kind}`,
    ...(["radio", "checkbox", "select"].includes(kind) ? { options: options("Option 1", "Option 2", "Option 3") } : {}),
  }));
  const { id } = await api<FormRef>(host.url, "POST", "/forms", { title: "Properties", schema: { fields } });
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await page.goto(`${host.url}/admin/forms/${id}/build`);
  const draft = () => api<StoredDraft>(host.url, "GET", `/forms/${id}/draft`);

  await t.test("the controls store the members of the fields", async () => {
    // A narrow window shows no preview, which makes the test faster.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Properties", exact: true }).click();
    for (const kind of FIELD_TYPES) {
      const panel = await select(page, id, kind);
      for (const step of TYPES[kind][0]) await step(panel, page);
    }
    await draftSaved(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    const stored = new Map((await draft()).schema.fields.map((field) => [field.name, field]));
    for (const kind of FIELD_TYPES) {
      const before = fields.find(({ name }) => name === kind);
      for (const [member, value] of Object.entries({ ...before, ...TYPES[kind][1] }))
        assert.deepEqual(stored.get(kind)?.[member as keyof FieldMembers], value, `${kind} ${member}`);
    }
  });

  await t.test("the preview shows the stored properties", async () => {
    const preview = page.frameLocator(".build-frame iframe");
    await preview.getByRole("link", { name: "terms" }).waitFor();
    const lines = await preview
      .locator("textarea")
      .evaluate((area) => area.clientHeight / Number.parseFloat(getComputedStyle(area).lineHeight));
    assert.ok(lines > 10 && lines < 12, `${lines} lines`);
    assert.equal(await preview.locator(".cf-hearts input[type=radio]").count(), 8);
    assert.equal(await preview.locator(".cf-cards .cf-choice").count(), 4);
    assert.equal(
      await preview.locator("input[type=file]").getAttribute("accept"),
      TYPES.file[1].attributes?.["accept"],
    );
    await preview.getByText("Given name", { exact: true }).waitFor();
    await preview.getByText("kg", { exact: true }).waitFor();
    await preview.getByText("Once more", { exact: true }).waitFor();
    assert.equal(await preview.locator(".cf-field-address .cf-part, [data-cf-name=address] .cf-part").count(), 4);
    await preview.getByRole("button", { name: "Send it" }).waitFor();
  });

  await t.test("an invalid input shows an error, also when the user comes back from another field", async () => {
    const small = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Small",
      schema: {
        fields: [
          { name: "number", type: "number", label: "The number", validation: { max: 5 } },
          { name: "radio", type: "radio", label: "The radio", options: ["Red", "Blue"] },
        ],
      },
    });
    const panel = await select(page, small.id, "number");
    await panel.getByLabel("Minimum", { exact: true }).fill("many");
    await panel.getByText("Enter a number.").waitFor();
    await select(page, small.id, "radio");
    // Equal values are a fault; equal labels are not. A new label does not change the value of a published option, so
    // the test edits the value itself.
    await panel.getByRole("button", { name: "Value and picture of Red" }).click();
    await panel.getByLabel("Value", { exact: true }).fill("Blue");
    await panel.getByText("Another option already has the value “Blue”.").waitFor();
    await panel.getByLabel("Option 1", { exact: true }).fill("");
    await panel.getByText("Enter a text, or remove the option.").waitFor();
    await select(page, small.id, "number");
    assert.equal(await panel.getByLabel("Minimum", { exact: true }).inputValue(), "many");
    await panel.getByText("Enter a number.").waitFor();
    await panel.getByLabel("Minimum", { exact: true }).fill("9");
    await panel.getByText("The minimum can’t be greater than the maximum.").waitFor();
    await openSection(page, "Advanced");
    await panel.getByLabel("Field name").fill("radio");
    await panel.getByText("Another field already has this name.").waitFor();
    await select(page, small.id, "radio");
    await select(page, small.id, "number");
    await panel.getByText("Another field already has this name.").waitFor();
    await panel.getByLabel("Field name").fill("number");
    await panel.getByLabel("HTML attributes").fill("autocomplete=off\n<b>");
    await panel.getByText("“<b>” is not an attribute. Write name=value.").waitFor();
    await panel.getByLabel("HTML attributes").fill("onclick=alert(1)");
    await panel.getByText("onclick: Event handlers are not allowed.").waitFor();
    await draftSaved(page);
    const { fields: stored } = (await api<StoredDraft>(host.url, "GET", `/forms/${small.id}/draft`)).schema;
    assert.deepEqual(stored[0]?.validation, { min: 9, max: 5 });
    assert.deepEqual(stored[1]?.options, options("Red", "Blue"));
  });

  await t.test("a published form applies the stored properties to a visitor's answers", async () => {
    await api(host.url, "POST", `/forms/${id}/publish`, {}, 200);
    const { slug } = await api<FormRef>(host.url, "GET", `/forms/${id}`);
    const body = new FormData();
    const answers = {
      text: "ABC",
      tel: "12",
      number: "1.55",
      url: "http://example.org",
      time: "08:10",
      rating: "8",
      range: "12",
      password: "short",
    };
    for (const [name, value] of Object.entries(answers)) body.append(name, value);
    body.append("file", new File(["x"], "a.exe"));
    const response = await fetch(`${host.url}/forms/${slug}`, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    });
    const { errors } = (await response.json()) as {
      readonly errors: readonly { readonly field: string; readonly message: string }[];
    };
    const messages = new Map(errors.map(({ field, message }) => [field, message]));
    assert.match(messages.get("text") ?? "", /Small letters only/);
    for (const name of [...Object.keys(answers), "file", "consent"]) assert.ok(messages.has(name), name);
  });

  await t.test("the properties of the form itself are stored as settings, messages and pictures", async () => {
    await page.goto(`${host.url}/admin/forms/${id}/build`);
    const panel = page.locator(".properties");
    await panel.getByLabel("Title", { exact: true }).fill("");
    await panel.getByText("Enter a title.").waitFor();
    await panel.getByLabel("Title", { exact: true }).fill("All properties");
    await turn("Review before submitting")(panel, page);
    await panel.getByRole("button", { name: /Form language$/ }).click();
    await page.getByRole("option").first().waitFor();
    const languages = await page.getByRole("option").allTextContents();
    assert.equal(new Set(languages).size, languages.length, `a language is listed twice: ${languages}`);
    await page.keyboard.press("Escape");
    await page.locator(".popover").waitFor({ state: "detached" });
    await pick("Form language", "Visitor’s language")(panel, page);
    await openSection(page, "Logo and cover image");
    const upload = (name: string, content: string | Buffer) =>
      panel.getByLabel("File for Logo").setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
    await upload("logo.pdf", "%PDF-1.4");
    await panel.getByText("This file is not a PNG, JPG, SVG or WebP picture.").waitFor();
    await upload("logo.png", Buffer.alloc(1_100_000));
    await panel.getByText("The picture is larger than 1 MB.").waitFor();
    await upload(
      "logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20H0z"/></svg>',
    );
    await panel.getByAltText("Logo, as stored").waitFor();
    const logo = page.frameLocator(".build-frame iframe").locator(`img[src*="/-/images/${id}/"]`);
    await logo.waitFor();
    assert.equal(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth), 40);
    await panel.getByRole("button", { name: "Use a URL" }).click();
    await panel.getByLabel("URL of Cover image").fill("cover.jpg");
    await panel.getByText(/^Enter a URL that begins with https/).waitFor();
    await panel.getByLabel("URL of Cover image").fill("/cover.jpg");
    await openSection(page, "Confirmation");
    const confirmation = panel.locator("details.section").last();
    await confirmation.getByLabel("Title", { exact: true }).fill("Thank you");
    await confirmation.getByLabel("Message", { exact: true }).fill("We reply soon.");
    await confirmation.getByLabel("Button text", { exact: true }).fill("Home");
    await confirmation.getByLabel("URL the button opens").fill("/");
    await turn("Show answers in the confirmation")(confirmation, page);
    await turn("Hide the form after submission")(confirmation, page);
    await confirmation.getByRole("button", { name: "Add another ending" }).click();
    await confirmation.getByLabel("Text", { exact: true }).fill("See you");
    await draftSaved(page);
    const { settings, messages, ...stored } = await draft();
    assert.match(String(settings["logo"]), new RegExp(`/-/images/${id}/\\w+\\.svg$`));
    assert.deepEqual(
      { ...settings, logo: "" },
      {
        review: true,
        language: "auto",
        logo: "",
        cover: "/cover.jpg",
        success_title: "Thank you",
        success_button: { label: "Home", url: "/" },
        success_summary: true,
        hide_after_success: false,
        endings: [{ conditions: [], text: "See you" }],
      },
    );
    assert.equal(messages["success"], "We reply soon.");
    assert.equal(stored.title, "All properties");
  });

  assert.deepEqual(await violations(page), []);
  assert.deepEqual(
    faults.filter((fault) => !/style/.test(fault)),
    [],
  );
});

it("field names follow labels while no answers exist, and mouse and keyboard reorder options", {
  skip: noChromium,
}, async (t) => {
  const host = await startSite(t);
  const { id } = await api<FormRef>(host.url, "POST", "/forms", {
    title: "New",
    status: "draft",
    settings: {
      actions: [
        { type: "email", to: "owner@example.org" },
        { type: "webhook", url: "https://example.org" },
      ],
    },
    schema: {
      fields: [
        { name: "the_name", type: "text", label: "The name" },
        {
          name: "extra",
          type: "text",
          label: "The extra",
          conditions: [{ field: "the_name", operator: "is_not_empty" }],
        },
        { name: "mail", type: "email", label: "The mail" },
        { name: "second", type: "email", label: "The second" },
        { name: "color", type: "radio", label: "The color", options: ["Red", "Green", "Blue"] },
      ],
    },
  });
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await page.goto(`${host.url}/admin/forms/${id}/build`);
  const draft = async () => {
    await draftSaved(page);
    return api<StoredDraft>(host.url, "GET", `/forms/${id}/draft`);
  };
  const panel = await select(page, id, "the_name", "The name");
  await panel.getByText("Saved as the_name. It follows the label until answers exist.").waitFor();
  await panel.getByLabel("Label", { exact: true }).fill("First name");
  await panel.getByText("Saved as first_name.").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("As on your card");
  assert.equal(await panel.getByLabel("Help text").inputValue(), "As on your card", "the focus stays in the panel");
  await openSection(page, "Advanced");
  assert.equal(await panel.getByLabel("Field name").inputValue(), "first_name");
  // The name `extra` was not made from the label, so the name stays when the label changes.
  await select(page, id, "extra", "The extra");
  await panel.getByText("Saved as extra.", { exact: true }).waitFor();
  await panel.getByText("Visible if First name is not empty").first().waitFor();
  await panel.getByLabel("Label", { exact: true }).fill("More");
  await select(page, id, "mail", "The mail");
  await panel.getByText("Use as reply address").click();
  await select(page, id, "second", "The second");
  assert.equal(await panel.getByRole("switch", { name: "Use as reply address" }).isChecked(), false);
  const { schema, settings } = await draft();
  assert.deepEqual(
    schema.fields.map(({ name, label }) => `${name} ${label}`),
    ["first_name First name", "extra More", "mail The mail", "second The second", "color The color"],
  );
  assert.deepEqual(schema.fields[1]?.conditions, [{ field: "first_name", operator: "is_not_empty", value: null }]);
  assert.deepEqual(
    (settings["actions"] as readonly Readonly<Record<string, unknown>>[]).map(({ reply_to = null }) => reply_to),
    ["[mail]", null],
  );

  await select(page, id, "color", "The color");
  const shows = (...labels: readonly string[]) =>
    page.waitForFunction(
      (expected) =>
        [...document.querySelectorAll<HTMLInputElement>(".option-row input")].map(({ value }) => value).join() ===
        expected,
      labels.join(),
    );
  const handle = await panel.getByRole("button", { name: "Move Red", exact: true }).boundingBox();
  const last = await panel.getByRole("button", { name: "Move Blue", exact: true }).boundingBox();
  assert.ok(handle !== null && last !== null);
  await page.mouse.move(handle.x + 5, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(last.x + 5, last.y + last.height - 2, { steps: 4 });
  await page.mouse.up();
  await shows("Green", "Blue", "Red");
  await panel.getByRole("button", { name: "Move Red", exact: true }).focus();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Move Red");
  await page.keyboard.press("ArrowUp");
  await shows("Red", "Green", "Blue");
  // Enter adds an option after the focused option. Each pasted line becomes an option.
  await panel.getByLabel("Option 1", { exact: true }).press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Option 2");
  await page.keyboard.type("Orange");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "Violet\nWhite\n");
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  const ordered = ["Red", "Orange", "Violet", "White", "Green", "Blue"];
  await shows(...ordered);
  assert.deepEqual((await draft()).schema.fields[4]?.options, options(...ordered));
  // One undo reverts both the label and the name of the field, and the field stays selected.
  await panel.getByLabel("Label", { exact: true }).fill("The shade");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await panel.getByRole("heading", { name: "The color", exact: true }).waitFor();
  await panel.getByText("Saved as color.", { exact: false }).waitFor();
  // A typed name is stored, even if another field is selected immediately afterwards.
  await openSection(page, "Advanced");
  await panel.getByLabel("Field name").fill("shade");
  const rows = page.getByRole("grid", { name: "Form fields" }).getByRole("row");
  await rows.filter({ hasText: "More" }).click();
  await panel.getByRole("heading", { name: "More", exact: true }).waitFor();
  await panel.getByLabel("Field name").waitFor();
  await rows.filter({ hasText: "The mail" }).click({ modifiers: ["Shift"] });
  await panel.getByRole("heading", { name: "2 fields selected" }).waitFor();
  await panel.getByText("Required", { exact: true }).click();
  assert.deepEqual(
    (await draft()).schema.fields.map(({ name, required }) => `${name} ${required}`),
    ["first_name false", "extra true", "mail true", "second false", "shade false"],
  );
  assert.deepEqual(
    faults.filter((fault) => !/style/.test(fault)),
    [],
  );
});
