/** Messages about faults, and pages whose controls have the names of browser properties. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { items, member, type Site } from "../shim/site.ts";
import { makeForm, useBrowserSite } from "./browser-site.ts";
import { noChromium } from "./chromium.ts";

const BOXES = [
  { name: "news", type: "checkbox", label: "Send me the newsletter", required: true, description: "Once a month." },
  { name: "terms", type: "consent", label: "I agree to the terms.", required: true },
  { name: "mail", type: "email", label: "Mail", required: true, attributes: { id: "mail" } },
  {
    name: "size",
    type: "radio",
    label: "Which size?",
    required: true,
    options: [
      { value: "s", label: "Small" },
      { value: "l", label: "Large" },
    ],
  },
  {
    name: "extras",
    type: "checkbox",
    label: "Extras",
    required: true,
    options: [
      { value: "a", label: "A" },
      { value: "b", label: "B" },
    ],
  },
  { name: "who", type: "name", label: "Your name:", required: true },
  { name: "send", type: "submit", label: "Send" },
];

const MARKUP = `<p><input type="checkbox" id="t" name="terms" required> <label for="t">I agree to the terms.</label></p>
  <p><label><input type="checkbox" name="news" required> News</label></p>
  <p><label>Mail <input type="email" id="mail" name="mail" required></label></p>
  <p><input type="radio" name="size" id="s" value="s" required><label for="s">Small</label>
     <input type="radio" name="size" id="l" value="l"><label for="l">Large</label></p>
  <button>Send</button>`;

let site: Site;
let browser: Browser;

describe("faults and hostile names in Chromium", { skip: noChromium }, () => {
  useBrowserSite((started) => {
    ({ site, browser } = started);
  });

  const make = (slug: string, markup: string, fields?: readonly object[]): Promise<number> =>
    makeForm(site, { slug, markup, ...(fields === undefined ? {} : { schema: { fields } }) });

  interface Visit {
    readonly page: Page;
    /** Errors of the console, except the 400 responses that tests cause. */
    readonly errors: string[];
  }

  async function open(slug: string, javaScriptEnabled = true): Promise<Visit> {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !message.text().includes("status of 400"))
        errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${site.url}/forms/${slug}`);
    await page.waitForTimeout(150);
    return { page, errors };
  }

  for (const [kind, markup, fields] of [
    ["schema", "", BOXES],
    ["markup", MARKUP, undefined],
  ] as const) {
    it(`without script every fault of a ${kind} form has a line, to which its control and the summary refer`, async () => {
      await make(`boxes-${kind}`, markup, fields);
      const { page } = await open(`boxes-${kind}`, false);
      await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
      await page.click("button");
      await page.waitForSelector(".cf-summary");
      const found = await page.evaluate(() => ({
        missing: [...document.querySelectorAll("[aria-describedby]")].flatMap((control) =>
          (control.getAttribute("aria-describedby") ?? "")
            .split(" ")
            .filter((id) => document.getElementById(id) === null),
        ),
        lines: document.querySelectorAll(".cf-error").length,
        faults: document.querySelectorAll(".cf-summary li").length,
        links: [...document.querySelectorAll<HTMLAnchorElement>(".cf-summary li > a")].map(
          (link) => document.getElementById(link.hash.slice(1))?.matches("input") ?? null,
        ),
        texts: [...document.querySelectorAll(".cf-error")].map((line) => line.textContent ?? ""),
        listed: [...document.querySelectorAll(".cf-summary li")].map((line) => line.textContent ?? ""),
        behind: document.querySelector("[name^=terms]")?.nextElementSibling?.nextElementSibling?.className,
        twice:
          document.querySelectorAll("[id]").length -
          new Set([...document.querySelectorAll("[id]")].map(({ id }) => id)).size,
      }));
      assert.deepEqual(found.missing, []);
      assert.equal(found.lines, found.faults, "a line for each fault");
      assert.equal(found.links.length, found.faults, "a link for each fault");
      assert.ok(!found.links.includes(null), "each link has a target");
      assert.ok(
        found.links.filter((isControl) => isControl === true).length >= found.faults - 2,
        `most links go to a control: ${found.links.join()}`,
      );
      assert.equal(found.behind, "cf-error", "the message is after the label of its box");
      assert.deepEqual(
        found.listed.filter((text) => /[.?:]:/.test(text)),
        [],
      );
      assert.equal(found.twice, 0);
      assert.deepEqual(
        found.texts.filter((text) => text.includes(":")),
        [],
        "no message repeats the label above it",
      );
      const boxes = found.listed.filter((text) =>
        /^(I agree to the terms|News|Send me the newsletter|Which size|size|Extras): /i.test(text),
      );
      assert.deepEqual(
        boxes.filter((text) => !/(check this box to continue|choose an option)\.$/.test(text)),
        [],
        "a box is not “filled in”",
      );
      assert.ok(boxes.length >= 2, found.listed.join("\n"));
      await page.context().close();
    });
  }

  it("a submit without a response is reported with the form's message", async () => {
    const id = await make("unsent", "<label>Mail <input name=mail></label><button>Send</button>");
    assert.equal(
      (await site.api("PATCH", `/forms/${id}`, { messages: { network_error: "Nicht gesendet." } })).status,
      200,
    );
    const { page } = await open("unsent");
    await page.route("**/forms/unsent", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await page.fill("[name=mail]", "ada@example.org");
    await page.click("button");
    await page.waitForSelector(".cf-message-error");
    assert.equal(await page.textContent(".cf-message-error"), "Nicht gesendet.");
    assert.equal(await page.inputValue("[name=mail]"), "ada@example.org", "no answer is lost");
    await page.context().close();
  });

  it("a single box is on one line with its label", async () => {
    await make("line", "", BOXES);
    const { page } = await open("line");
    for (const name of ["news", "terms[accepted]"]) {
      const box = await page.locator(`[name="${name}"]`).boundingBox();
      const label = await page.locator(`[name="${name}"] + label`).boundingBox();
      assert.ok(
        box !== null && label !== null && label.x > box.x + box.width && label.y < box.y + box.height,
        `${name}: ${JSON.stringify([box, label])}`,
      );
    }
    await page.context().close();
  });

  it("an empty colour causes no warning when the form is shown again, and has the same label", async () => {
    const id = await make("colour", "", [
      { name: "colour", type: "color", label: "Colour" },
      { name: "mail", type: "email", label: "Mail", required: true },
      { name: "send", type: "submit", label: "Send" },
    ]);
    const { page, errors } = await open("colour", false);
    await page.evaluate(() => {
      const colour = document.querySelector<HTMLInputElement>("[name=colour]");
      if (colour !== null) Object.assign(colour, { type: "text", value: "" });
      document.querySelector("form")?.setAttribute("novalidate", "");
    });
    await page.click("button");
    await page.waitForSelector(".cf-summary");
    // Without script an untouched colour is a text input, whose empty value browsers accept.
    assert.deepEqual(
      [await page.getAttribute("[name=colour]", "type"), await page.inputValue("[name=colour]")],
      ["text", ""],
    );
    assert.deepEqual(errors, []);
    const schema = (await site.api("GET", `/forms/${id}/schema`)).body;
    assert.equal(member(items(member(schema, "fields"))[0] ?? null, "default_value"), "");
    await page.context().close();
  });

  it("pictures named like the document's own properties do not stop the script", async () => {
    const names = [
      "addEventListener",
      "body",
      "cookie",
      "createElement",
      "defaultView",
      "documentElement",
      "fetch",
      "forms",
      "getElementById",
      "head",
      "location",
      "querySelector",
      "querySelectorAll",
      "readyState",
      "referrer",
      "visibilityState",
      "history",
      "own",
      "page",
    ];
    const pictures = names.map((name) => `<img name="${name}" id="${name}" src="data:," alt="">`).join("");
    const id = await make(
      "clobbered",
      `${pictures}<div data-step="1"><label>A <input name="a" required></label><div data-show-if="a=yes"><label>B <input name="b"></label></div></div>
     <div data-step="2"><label>Mail <input name="mail" type="email"></label></div><button>Send</button>`,
    );
    const { page, errors } = await open("clobbered");
    assert.equal(await page.isVisible("[name=b]"), false, "conditions apply");
    await page.fill("[name=a]", "yes");
    await page.fill("[name=b]", "more");
    await page.click(".cf-next");
    await page.fill("[name=mail]", "nonsense@");
    await page.evaluate(() => {
      // Named pictures shadow the built-in properties, as the test does here.
      for (const form of document.getElementsByTagName("form")) form.noValidate = true;
    });
    await page.click("button:has-text('Send')");
    await page.waitForSelector(".cf-error");
    await page.fill("[name=mail]", "ada@example.org");
    await page.click("button:has-text('Send')");
    await page.waitForSelector(".cf-message-success");
    assert.equal(new URL(page.url()).search, "", "the script sent it");
    const stored = items((await site.api("GET", `/forms/${id}/submissions`)).body)[0] ?? null;
    assert.deepEqual(member(stored, "data"), { a: "yes", b: "more", mail: "ada@example.org" });
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  it("regression: the message of a field that lost the focus swallowed the click that moved it", async () => {
    await make(
      "clicks",
      '<p><label>Mail <input name="mail" type="email"></label></p><p><label><input type="checkbox" name="news" value="1"> News</label></p><button>Send</button>',
    );
    const { page } = await open("clicks");
    for (const [selector, came] of [
      ["[name=news]", "[name=news]:checked"],
      ["button", ".cf-summary"],
    ] as const) {
      await page.fill("[name=mail]", "");
      await page.fill("[name=mail]", "nonsense");
      const box = await page.locator(selector).boundingBox();
      assert.ok(box !== null);
      await page.mouse.move(box.x + 8, box.y + box.height / 2);
      await page.mouse.down();
      await page.waitForTimeout(50);
      await page.mouse.up();
      await page.waitForSelector(".cf-error");
      assert.equal(await page.locator(came).count(), 1, `${selector} got the click`);
      assert.equal(await page.locator(".cf-error").count(), 1, "it is shown once");
    }
    await page.context().close();
  });

  it("fields have the engine's names in messages, with and without script", async () => {
    const markup = `<table><tr><td>Your name</td><td><input name="n" required></td></tr></table>
    <p id="m">Your mail *</p><input name="mail" aria-labelledby="m" placeholder="a@b.c" required>
    <fieldset><legend>You</legend><p><label>Town <input name="town" required></label></p>
      <p><label><input type="checkbox" name="news" required> News</label></p></fieldset>
    <p>Days:</p><label><input type="checkbox" name="day" value="sat" data-cf-required> Saturday</label> <label><input type="checkbox" name="day" value="sun"> Sunday</label>
    <fieldset data-cf-type="name" data-cf-name="who" data-cf-required><legend>Person</legend><label>Given <input name="who[first]" required></label><label>Family <input name="who[last]" required></label></fieldset>
    <label>Nobody's <input required></label><button>Send</button>`;
    await make("called", markup);
    const listed = (page: Page): Promise<string[]> => page.locator(".cf-summary li").allTextContents();
    const { page: bare } = await open("called", false);
    await bare.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
    await bare.click("button");
    await bare.waitForSelector(".cf-summary");
    const withoutScript = await listed(bare);
    assert.deepEqual(
      withoutScript.map((line) => line.replace(/: (?:this field is|check this|choose an) .*/, "")),
      ["Your name", "Your mail", "Town", "News", "Days", "Person (Given)", "Person (Family)"],
    );
    const { page, errors } = await open("called");
    await page.click("button");
    const withScript = await listed(page);
    // The server ignores a control without a name; the message has no name either.
    assert.deepEqual(withScript, [...withoutScript, "This field is required."], withScript.join("\n"));
    await page.check("[name=day][value=sun]");
    assert.equal(
      (await listed(page)).some((line) => line.startsWith("Days")),
      false,
    );
    assert.deepEqual(errors, []);
    await page.context().close();
    await bare.context().close();
  });
});
