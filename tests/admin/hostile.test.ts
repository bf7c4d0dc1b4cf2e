/** Published cross-site scripting attacks in every place that visitors and authors write to, on every screen. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { api, type FormRef, SCREENS, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

const CASES = (
  JSON.parse(readFileSync(new URL("../cases/cross-site-scripting.json", import.meta.url), "utf8")) as readonly string[]
)
  // Titles and labels are one line; the engine's tests cover control characters.
  .map((text) => text.replaceAll(/\p{Cc}/gu, " ").trim())
  .filter((text) => text !== "");
const TAKES_OVER = "<style>*, .cf-admin * { display: none !important; color: #f00 !important }</style>";
const SCRIPT = "<script>parent.marked = 1; top.marked = 1; alert(1)</script>";

/** Elements and attributes that no screen may contain. */
const DANGERS =
  ".cf-admin :is(script, object, embed, base, meta, form[action], [onerror], [onload], [onclick], [onfocus], [onmouseover], [formaction], [href^='javascript:' i], [src^='javascript:' i], [href^='data:' i])";

it("runs no script and keeps its look, whatever users write", { skip: noChromium, timeout: 120_000 }, async (t) => {
  const host = await startSite(t);
  assert.ok(CASES.length > 200);
  const at = (place: number) => CASES[place % CASES.length] ?? "";
  const options = CASES.slice(0, 40).map((label, place) => ({ value: `o${place}`, label }));
  const { id, slug } = await api<FormRef>(host.url, "POST", "/forms", {
    title: at(0),
    schema: {
      fields: [
        ...CASES.map((label, place) => ({
          name: `f${place}`,
          type: "text",
          label,
          description: label,
          placeholder: label,
        })),
        { name: "choice", type: "select", label: at(1), options },
        { name: "number", type: "number", label: at(2) },
        { name: "files", type: "file", label: at(3), attributes: { multiple: "multiple" } },
      ],
    },
    messages: { success: at(4), error: at(5), success_html: at(6) },
    settings: {
      actions: [
        { type: "email", action_name: at(7), to: "owner@example.com", subject: at(8), message: CASES.join("\n") },
        { type: "webhook", action_name: at(9), url: "https://127.0.0.1:9/none", headers: `X-A: ${at(10)}` },
        { type: at(11) },
      ],
    },
  });
  const files = new FormData();
  for (const [place, value] of CASES.entries()) files.append(`f${place}`, value.slice(0, 500));
  for (let place = 0; place < 12; place += 1)
    files.append(
      "files",
      new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)], `${at(place * 17).replaceAll("/", "⁄")}.png`, {
        type: "image/png",
      }),
    );
  for (const [name, value] of [
    ["choice", "o1"],
    ["number", "3"],
    [
      "_cf_page",
      `${host.url}/forms/x?utm_source=${encodeURIComponent(at(12))}&utm_campaign=${encodeURIComponent(at(13))}`,
    ],
    ["_cf_referrer", `https://example.org/${encodeURIComponent(at(14))}`],
  ] as const)
    files.append(name, value);
  const response = await fetch(`${host.url}/forms/${slug}`, {
    method: "POST",
    headers: { accept: "application/json", "user-agent": at(15) },
    body: files,
  });
  assert.equal(response.status, 200, await response.text());
  for (const text of CASES.slice(0, 20)) await api(host.url, "POST", "/submissions/1/notes", { text });
  await api(host.url, "POST", "/api/wp/v2/users/me/application-passwords", { name: at(16) });
  // Creates a form with each attack as its title. The markup of the first two has a style and a script that would take
  // over the page.
  const others: FormRef[] = [];
  for (const [place, title] of CASES.entries())
    others.push(
      await api<FormRef>(host.url, "POST", "/forms", {
        title,
        status: place % 2 === 0 ? "published" : "draft",
        markup: `${place < 2 ? TAKES_OVER + SCRIPT : ""}<label>${place < 2 ? "Name" : title}<input name="name"></label><button>Send</button>`,
      }),
    );
  const taking = others[0] ?? { id, slug };
  await submit(host.url, taking.slug, { name: at(17) }, { "user-agent": at(18) });
  await host.forms.runQueue();

  const browser = await startBrowser(t);
  const { page, faults } = await signIn(browser, host.url);
  const alerts: string[] = [];
  const foreign: string[] = [];
  page.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(host.url) && !/^(?:blob|data|about):/.test(request.url()))
      foreign.push(request.url());
  });
  await page.locator("h1").waitFor();
  const colour = () =>
    page
      .locator("h1")
      .first()
      .evaluate((heading) => getComputedStyle(heading).color);
  const usual = await colour();
  const check = async (what: string) => {
    assert.equal(await page.evaluate("window.marked"), undefined, `${what} ran something`);
    assert.deepEqual(
      await page.locator(DANGERS).evaluateAll((found) => found.map((element) => element.outerHTML.slice(0, 200))),
      [],
      what,
    );
    assert.equal(await page.locator("h1").first().isVisible(), true, what);
    assert.equal(await colour(), usual, what);
  };
  for (const [name, addressOf] of Object.entries(SCREENS)) {
    for (const form of ["content", "build", "settings", "actions", "share", "numbers", "inbox"].includes(name)
      ? [id, taking.id]
      : [id]) {
      await show(page, addressOf(form));
      await check(`${name} of form ${form}`);
    }
  }
  // Content that appears only after a press.
  await show(page, `/inbox?form=${id}&open=1`);
  await page
    .getByRole("region", { name: /^Submission \d/ })
    .getByRole("button", { name: "More" })
    .click();
  await page.getByRole("menuitem", { name: "Edit answers" }).click();
  await page.getByRole("dialog").waitFor();
  await check("editing the answers");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("dialog").waitFor();
  await check("the columns");
  await page.keyboard.press("Escape");
  await show(page, `/forms/${id}/actions`);
  for (const button of await page.locator(".disclose").all()) await button.click();
  await page.getByRole("button", { name: "Test", exact: true }).last().click();
  await page.getByRole("dialog").waitFor();
  await check("an action and its test");
  await page.keyboard.press("Escape");
  await show(page, "/deliveries/failures");
  await page
    .getByRole("button", { name: /^Details of attempt/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await check("a failure's exchange");
  await page.keyboard.press("Escape");
  await show(page, "/deliveries/outbox");
  await page.getByRole("button", { name: /^View/ }).first().click();
  await page.getByRole("dialog").locator("pre").waitFor();
  await check("a mail");
  await page.keyboard.press("Escape");
  await show(page, "/inbox");
  await page.getByRole("button", { name: /Form/ }).first().click();
  await page.getByRole("listbox").waitFor();
  await check("the choice of forms");
  assert.deepEqual(alerts, []);
  assert.deepEqual(foreign, []);
  // The policy blocks the script and the style in a form's preview.
  assert.deepEqual(
    faults.filter((fault) => !/Content.Security.Policy/i.test(fault)),
    [],
  );
});
