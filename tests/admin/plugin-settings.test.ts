/** Settings of plugins' actions: described ones get controls, HTML is shown in an iframe without scripts. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { LANGUAGES } from "../../admin/shared/text/languages.ts";
import { noChromium } from "../browser/chromium.ts";
import { api, publishChanges, signIn, startBrowser, startSite } from "./admin-site.ts";

it("translates each name of the built-in actions and their settings, and nothing else by its English text", async (t) => {
  const host = await startSite(t);
  interface Named {
    readonly label: string;
  }
  const types = await api<
    readonly (Named & {
      readonly settings: readonly (Named & { readonly help: string; readonly options: readonly Named[] })[];
    })[]
  >(host.url, "GET", "/actions");
  const names = types.flatMap(({ label, settings }) => [
    label,
    ...settings.flatMap((setting) => [setting.label, setting.help, ...setting.options.map((option) => option.label)]),
  ]);
  assert.ok(names.length > 200);
  const translated = [...new Set(names)].filter(
    (name) => name !== "" && !/^(?:JSON|HTML|POST|PUT|PATCH)$|^\S*…$|^https:\S+$/.test(name),
  );
  for (const { code } of LANGUAGES.filter((language) => language.code !== "en")) {
    const { api: texts } = (await import(`../../admin/locales/${code}/api.ts`)) as { readonly api: object };
    assert.deepEqual(
      Object.keys(texts)
        .filter((id) => id.startsWith("api."))
        .sort(),
      translated.map((name) => `api.${name}`).sort(),
      code,
    );
  }
});

it("edits a plugin's settings from their description, and from their HTML", {
  skip: noChromium,
  timeout: 60_000,
}, async (t) => {
  const host = await startSite(t);
  host.forms.registerAction({
    type: "described",
    label: "Write a line",
    settings: [
      { name: "file", label: "File", help: "Below the <b>data</b> folder.", required: true },
      {
        name: "mode",
        label: "Mode",
        type: "select",
        options: [
          { value: "append", label: "Append" },
          { value: "replace", label: "Replace it" },
        ],
      },
      { name: "loud", label: "Loud", type: "checkbox" },
    ],
    process: () => true,
  });
  host.forms.registerAction({
    type: "drawn",
    label: "Draw",
    settings: (_, index) =>
      `<label>Colour <input name="form[settings][actions][${index}][colour]"></label><img src=x onerror="parent.marked=1"><script>parent.marked=1</script>`,
    process: () => true,
  });
  const { id } = await api<{ readonly id: number }>(host.url, "POST", "/forms", {
    title: "Plugins",
    markup: '<input name="name"><button>Send</button>',
    settings: { actions: [{ type: "described" }, { type: "drawn" }] },
  });
  const browser = await startBrowser(t);
  const { page } = await signIn(browser, host.url);
  await page.goto(`${host.url}/admin/forms/${id}/actions`);
  await page.getByRole("button", { name: "Write a line", exact: true }).click();
  await page.getByText("Below the <b>data</b> folder.").waitFor();
  assert.equal(await page.locator("iframe.plugin-frame").count(), 0);
  await page.getByRole("textbox", { name: /^File/ }).fill("lines.txt");
  await page.getByRole("button", { name: /Mode/ }).click();
  await page.getByRole("option", { name: "Replace it" }).click();
  await page.locator(".checkbox", { hasText: "Loud" }).click();
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  await page.locator("iframe.plugin-frame").waitFor();
  await page.getByRole("textbox", { name: "Colour" }).fill("green");
  await publishChanges(page);
  const { settings } = await api<{
    readonly settings: { readonly actions: readonly Readonly<Record<string, unknown>>[] };
  }>(host.url, "GET", `/forms/${id}`);
  const [described, drawn] = settings.actions;
  assert.deepEqual(
    [described?.["file"], described?.["mode"], described?.["loud"], drawn?.["colour"]],
    ["lines.txt", "replace", "1", "green"],
  );
  assert.equal(await page.evaluate("window.marked"), undefined);
});

it("asks for the required properties that a plugin adds to fields before the form is published", {
  skip: noChromium,
  timeout: 60_000,
}, async (t) => {
  const host = await startSite(t);
  host.forms.hooks.addFilter("cf_editor_panels", "test/panel", (panels) => [
    ...panels,
    {
      title: "Ledger",
      types: ["number"],
      inputs: [{ attribute: "data-account", label: "Account", required: true }],
    },
  ]);
  const { id } = await api<{ readonly id: number }>(host.url, "POST", "/forms", {
    title: "Ledger",
    status: "draft",
    schema: { fields: [{ name: "amount", type: "number", label: "Amount" }] },
  });
  const { page } = await signIn(await startBrowser(t), host.url);
  await page.goto(`${host.url}/admin/forms/${id}/build?field=amount`);
  await page.getByText("Enter a value.").waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Enter what these fields need before you publish:").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Publish", exact: true }).isDisabled());
  await dialog.getByRole("link", { name: "Amount" }).click();
  await page.getByRole("textbox", { name: /^Account/ }).fill("4400");
  await publishChanges(page, "Publish");
});
