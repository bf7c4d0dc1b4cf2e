/** The inbox: triage by keyboard, selection, trash, reply and export, each acting on what is shown and on nothing else. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import { noChromium } from "../browser/chromium.ts";
import type { TestHost } from "../shim/embedded-fixture.ts";
import { api, type FormRef, makeForm, show, signIn, startBrowser, startSite, submit, tabTo } from "./admin-site.ts";

interface Stored {
  readonly id: number;
  readonly status: string;
  readonly starred: boolean;
  readonly data: { readonly name: string };
}

interface Inbox {
  readonly host: TestHost;
  readonly form: FormRef;
  readonly page: Page;
  readonly faults: string[];
}

const nameOf = (number: number): string => `Visitor ${String(number).padStart(2, "0")}`;

/** An admin that shows the inbox of a form with so many submissions; the last one is the first row. */
async function openInbox(t: TestContext, count: number, address = "/inbox"): Promise<Inbox> {
  const host = await startSite(t);
  const form = await makeForm(host.url);
  for (let number = 1; number <= count; number += 1) {
    host.clock.time += 1_000;
    await submit(host.url, form.slug, { name: nameOf(number), email: `v${number}@example.com`, message: "Hello" });
  }
  const { page, faults } = await signIn(await startBrowser(t), host.url);
  await show(page, address);
  if (count > 0 && address.startsWith("/inbox")) await rowOf(page, nameOf(count)).waitFor();
  return { host, form, page, faults };
}

const rowOf = (page: Page, name: string): Locator => page.getByRole("row").filter({ hasText: name });
const heading = (page: Page, name: string): Locator => page.getByRole("heading", { level: 2, name, exact: true });
const detailOf = (page: Page): Locator => page.getByRole("region", { name: /^Submission \d/ });

async function stored(host: TestHost): Promise<readonly Stored[]> {
  return api(host.url, "GET", "/submissions?status=any&per_page=100&orderby=id&order=asc");
}

const statuses = async (host: TestHost): Promise<readonly string[]> => (await stored(host)).map(({ status }) => status);

/** Waits until the stored statuses are these; requests may still be on their way. */
async function waitForStatuses(host: TestHost, expected: readonly string[]): Promise<void> {
  const until = Date.now() + 10_000;
  while (Date.now() < until && (await statuses(host)).join() !== expected.join())
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await statuses(host), expected);
}

/** Waits until the address names this submission as the shown one; 0 for none. */
const waitForShown = (page: Page, id: number): Promise<void> =>
  page.waitForURL((url) => (url.searchParams.get("open") ?? "0") === String(id));

describe("the inbox", { skip: noChromium }, () => {
  it("is worked through by keyboard alone, 20 submissions, each read before a key changes it", {
    timeout: 90_000,
  }, async (t) => {
    const { host, page, faults } = await openInbox(t, 20, "/forms");
    await page.waitForFunction(() => document.title.startsWith("(20) "));
    await tabTo(page, /^Inbox/, "a");
    await page.keyboard.press("Enter");
    await rowOf(page, nameOf(20)).waitFor();
    // Before anything is shown, keys change nothing.
    for (const key of ["e", "#", "!", "u", "s", "i", "r"]) await page.keyboard.press(key);
    await page.keyboard.press("j");
    const keys = ["e", "#", "!", "e", "s", "u"] as const;
    const expected = new Map<number, string>();
    for (let number = 20; number >= 1; number -= 1) {
      await waitForShown(page, number);
      await heading(page, nameOf(number)).waitFor();
      // The shown submission is the row with the focus.
      await page
        .locator('[role="row"]:focus')
        .filter({ hasText: nameOf(number) })
        .waitFor();
      const key = keys[number % keys.length] ?? "e";
      await page.keyboard.press(key);
      expected.set(number, { e: "archived", "#": "trash", "!": "spam", s: "read", u: "new" }[key]);
      // A submission that stays in the view stays shown.
      if (key === "s" || key === "u") {
        assert.equal(new URL(page.url()).searchParams.get("open"), String(number));
        if (number > 1) await page.keyboard.press("j");
      }
    }
    await waitForStatuses(
      host,
      [...expected].toReversed().map(([, status]) => status),
    );
    assert.deepEqual(
      (await stored(host)).filter(({ starred }) => starred).map(({ id }) => id),
      [...expected].flatMap(([number]) => (keys[number % keys.length] === "s" ? [number] : [])).toReversed(),
    );
    const unread = [...expected].filter(([, status]) => status === "new").length;
    await page.waitForFunction((count) => document.title.startsWith(`(${count}) `), unread);
    // The rest is archived too; after the last one nothing is left.
    await page.keyboard.press("Control+a");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "All caught up" }).waitFor();
    await waitForShown(page, 0);
    await page.waitForFunction(() => !document.title.startsWith("("));
    assert.equal((await statuses(host)).filter((status) => ["new", "read", "replied"].includes(status)).length, 0);
    assert.deepEqual(faults, []);
  });

  it("changes nothing that is not shown: not the row with the focus, not twice, not before it is there", {
    timeout: 60_000,
  }, async (t) => {
    const { host, page, faults } = await openInbox(t, 4);
    const before = ["new", "new", "new", "new"];
    // A narrow window shows the list alone: its row has the focus, and is not shown.
    await page.setViewportSize({ width: 640, height: 800 });
    await page.locator(".inbox.sheet").waitFor();
    await page.keyboard.press("j");
    await page
      .locator('[role="row"]:focus')
      .filter({ hasText: nameOf(4) })
      .waitFor();
    for (const key of ["e", "#", "!", "u"]) await page.keyboard.press(key);
    await waitForStatuses(host, before);
    await page.keyboard.press("Enter");
    await heading(page, nameOf(4)).waitFor();
    await page.keyboard.press("Escape");
    await page
      .locator('[role="row"]:focus')
      .filter({ hasText: nameOf(4) })
      .waitFor();
    await page.keyboard.press("#");
    await waitForStatuses(host, ["new", "new", "new", "read"]);

    // A key that is held down acts once.
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator(".inbox:not(.sheet)").waitFor();
    await page.keyboard.press("j");
    await heading(page, nameOf(3)).waitFor();
    await page.keyboard.down("e");
    await page.keyboard.down("e");
    await page.keyboard.down("e");
    await page.keyboard.up("e");
    await waitForShown(page, 2);
    await waitForStatuses(host, ["new", "read", "archived", "read"]);

    // One that is opened by a link is not changed until it is there.
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/submissions\/3(?:\?|$)/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${host.url}/admin/inbox?view=spam&open=3`);
    await detailOf(page).locator(".waiting").waitFor();
    for (const key of ["#", "u", "i"]) await page.keyboard.press(key);
    goOn();
    await heading(page, nameOf(3)).waitFor();
    await waitForStatuses(host, ["new", "read", "archived", "read"]);
    await page.keyboard.press("i");
    await page.getByText("Submission moved to Inbox").waitFor();
    await waitForStatuses(host, ["new", "read", "read", "read"]);

    // Turned off, single keys do nothing; arrows still move.
    await page.evaluate(() => localStorage.setItem("cf-forms-single-keys", "off"));
    await show(page, "/inbox?open=4");
    await heading(page, nameOf(4)).waitFor();
    await page.keyboard.press("e");
    await page.keyboard.press("ArrowDown");
    await waitForShown(page, 3);
    await waitForStatuses(host, ["new", "read", "read", "read"]);
    assert.deepEqual(faults, []);
  });

  it("selects a range by Shift, and undoes what was done with it", { timeout: 60_000 }, async (t) => {
    const { host, page, faults } = await openInbox(t, 8);
    await rowOf(page, nameOf(7)).getByRole("checkbox").click();
    await rowOf(page, nameOf(4)).click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").waitFor();
    await waitForShown(page, 0);
    await rowOf(page, nameOf(2))
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await page.getByText("6 selected").waitFor();
    await rowOf(page, nameOf(2)).getByRole("checkbox").click();
    await page.getByText("5 selected").waitFor();
    const toolbar = page.getByRole("toolbar");
    await toolbar.getByRole("button", { name: "Archive" }).click();
    const archived = ["new", "new", "archived", "archived", "archived", "archived", "archived", "new"];
    await waitForStatuses(host, archived);
    await toolbar.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await waitForStatuses(host, Array<string>(8).fill("new"));
    // By keys: x begins the range, Shift+x and Shift with an arrow extend it.
    await rowOf(page, nameOf(8)).click();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+X");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("4 selected").waitFor();
    await page.keyboard.press("Escape");
    await toolbar.waitFor({ state: "detached" });
    await waitForShown(page, 5);
    assert.deepEqual(faults, []);
  });

  it("moves to the trash at once and restores from the row, the detail view and the selection", {
    timeout: 60_000,
  }, async (t) => {
    const { host, page, form, faults } = await openInbox(t, 4);
    await submit(host.url, form.slug, { name: "Robot", email: "r@example.com", [`_cf_h${form.id}`]: "robot" });
    await rowOf(page, nameOf(4)).click();
    await detailOf(page)
      .getByRole("button", { name: /^(?:Move to trash|Trash)$/ })
      .click();
    await waitForShown(page, 3);
    await page.keyboard.press("#");
    await waitForShown(page, 2);
    await waitForStatuses(host, ["new", "read", "trash", "trash", "spam"]);
    // Undo brings back the last one, in its former status, and shows it.
    await page.getByRole("button", { name: "Undo" }).last().click();
    await waitForShown(page, 3);
    await waitForStatuses(host, ["new", "read", "read", "trash", "spam"]);
    await api(host.url, "POST", "/submissions/bulk", { ids: [1, 2, 3, 5], action: "set_status", status: "trash" }, 200);

    await show(page, "/inbox?view=trash");
    await rowOf(page, nameOf(4)).getByText("30 days left").waitFor();
    await rowOf(page, nameOf(4)).getByRole("button", { name: "Restore" }).click();
    await waitForStatuses(host, ["trash", "trash", "trash", "read", "trash"]);
    await waitForShown(page, 0);
    await rowOf(page, nameOf(3)).click();
    await detailOf(page).getByRole("button", { name: "Restore" }).click();
    await waitForStatuses(host, ["trash", "trash", "read", "read", "trash"]);
    await waitForShown(page, 2);
    // Spam that is restored is spam again: its actions do not run.
    await page.keyboard.press("Control+a");
    await page.getByRole("toolbar").getByRole("button", { name: "Restore" }).click();
    await waitForStatuses(host, ["read", "read", "read", "read", "spam"]);
    // Only in the trash, and after a question, is anything deleted for good.
    await api(host.url, "POST", "/submissions/bulk", { ids: [1], action: "set_status", status: "trash" }, 200);
    await show(page, "/inbox?view=trash&open=1");
    await detailOf(page)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).press("Enter");
    await detailOf(page)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await waitForStatuses(host, ["read", "read", "read", "spam"]);
    await waitForShown(page, 0);
    assert.deepEqual(faults, []);
  });

  it("answers by the visitor's mail address, with the answers quoted", { timeout: 60_000 }, async (t) => {
    const { host, page, form, faults } = await openInbox(t, 0);
    const long = `Straße & "quotes"?\n${"ä😀 ".repeat(900)}`;
    await submit(host.url, form.slug, { name: "Ada & Co", email: "ada+x@example.com", message: long });
    const without = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Poll",
      markup: '<label>Mood <input name="mood"></label><button>Send</button>',
    });
    await submit(host.url, without.slug, { mood: "Fine" });
    await show(page, "/inbox?open=1");
    const reply = detailOf(page).getByRole("link", { name: "Reply", exact: true });
    const address = new URL((await reply.getAttribute("href")) ?? "");
    assert.equal(address.protocol, "mailto:");
    assert.equal(decodeURIComponent(address.pathname), "ada+x@example.com");
    assert.equal(address.searchParams.get("subject"), "Re: Contact");
    const body = address.searchParams.get("body") ?? "";
    assert.ok(body.startsWith("Hello Ada & Co,\r\n"), body);
    assert.match(body, /\r\n> Name: Ada & Co\r\n> Email: ada\+x@example\.com\r\n/);
    assert.match(body, /\r\n> Message: Straße & "quotes"\?\r\n> ä😀 /);
    assert.ok(address.href.length <= 1_800 && address.href.length > 1_500, String(address.href.length));
    assert.ok(body.endsWith("…") && !body.includes("\ufffd"));
    // The key presses the link; the browser would open a mail program.
    await page.evaluate(() => addEventListener("click", (event) => event.preventDefault(), { capture: true }));
    await page.keyboard.press("r");
    await page.getByText(/marked as replied|: replied|: Replied/).waitFor();
    await waitForStatuses(host, ["replied", "new"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await waitForStatuses(host, ["read", "new"]);
    await page.reload();
    await show(page, "/inbox?open=2");
    await heading(page, "Fine").waitFor();
    assert.equal(await detailOf(page).getByRole("link", { name: "Reply" }).count(), 0);
    await page.keyboard.press("r");
    await waitForStatuses(host, ["read", "read"]);
    assert.deepEqual(faults, []);
  });

  it("says what became of mails, never that they were sent, and runs actions again only when confirmed", {
    timeout: 60_000,
  }, async (t) => {
    const { host, page, faults } = await openInbox(t, 1);
    for (let run = 0; run < 8; run += 1) {
      await host.forms.runQueue();
      host.clock.time += 3_600_000;
    }
    await page.reload();
    await rowOf(page, nameOf(1)).getByText("Delivery failed").waitFor();
    await rowOf(page, nameOf(1)).click();
    const line = page.locator(".timeline");
    await line.getByText("Kept in outbox").waitFor();
    await line.getByText("Failed").first().waitFor();
    assert.doesNotMatch((await line.textContent()) ?? "", /(?<!not )\bsent\b/i);
    const queued = async () => (await api<readonly unknown[]>(host.url, "GET", "/action-queue?submission_id=1")).length;
    const before = await queued();
    await page.getByRole("button", { name: /^Run (?:the )?actions again/ }).click();
    const dialog = page.getByRole("dialog", { name: "Run actions again?" });
    await dialog.getByText("owner@example.com").waitFor();
    await dialog.getByText("https://127.0.0.1:9/none").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await queued(), before);
    await page.getByRole("button", { name: /^Run (?:the )?actions again/ }).click();
    await dialog.locator(".checkbox").nth(1).click();
    await dialog.getByRole("button", { name: "Run 1 action" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await queued(), before + 1);
    assert.deepEqual(faults, []);
  });

  it("exports what is chosen, asking for the form where none is", { timeout: 60_000 }, async (t) => {
    const { host, page, faults } = await openInbox(t, 0);
    const { slug } = await api<FormRef>(host.url, "POST", "/forms", {
      title: "Order",
      status: "published",
      schema: {
        fields: [
          { name: "who", type: "text", label: "Your name" },
          { name: "size", type: "select", label: "Size", options: [{ value: "l", label: "Large" }] },
        ],
      },
    });
    await submit(host.url, slug, { who: "Ada", size: "l" });
    await page.reload();
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog");
    const download = dialog.getByRole("button", { name: "Download", exact: true });
    assert.equal(await download.isDisabled(), true);
    const choose = async (name: RegExp, option: string) => {
      await dialog.getByRole("button", { name }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    const save = async () => {
      const [saved] = await Promise.all([page.waitForEvent("download"), download.click()]);
      await dialog.waitFor({ state: "detached" });
      return (await readFile(await saved.path())).toString("utf8").replace("\ufeff", "");
    };
    const again = async () => {
      await page.getByRole("button", { name: "Export" }).click();
      await choose(/Form$|^Choose a form/, "Order");
    };
    await choose(/Choose a form/, "Order");
    await choose(/Comma|Between|Separator/, "Semicolon");
    await dialog.locator(".checkbox", { hasText: "Choose columns" }).click();
    await dialog.getByRole("group", { name: "Columns" }).locator(".checkbox", { hasText: "Status" }).click();
    assert.match(await save(), /^Number;Received;Your name;Size\r\n1;[^;]+;Ada;Large\r\n$/);
    await again();
    await choose(/Labels as column titles/, "Field names as column titles");
    await choose(/Labels, as visitors/, "Stored values");
    assert.match(await save(), /^id,status,.*,who,size\r\n1,new,.*,Ada,l\r\n$/);
    await again();
    await choose(/CSV/, "JSON");
    assert.equal((JSON.parse(await save()) as readonly Stored[])[0]?.data.name, undefined);
    await again();
    await choose(/CSV/, "Excel (XLSX)");
    assert.equal((await save()).slice(0, 2), "PK");
    assert.deepEqual(faults, []);
  });

  it("sorts by time, last activity, form and status, not by answers", { timeout: 60_000 }, async (t) => {
    const { host, page, faults } = await openInbox(t, 3);
    const other = await makeForm(host.url, "Another");
    await submit(host.url, other.slug, { name: "Zoe", email: "z@example.com" });
    await api(host.url, "POST", "/submissions/bulk", { ids: [2], action: "set_status", status: "replied" }, 200);
    await page.reload();
    const order = async (): Promise<string> =>
      (await page.locator(".grid-box [role=row]").allTextContents())
        .map((text) => /Visitor \d+|Zoe/.exec(text)?.[0] ?? text)
        .join();
    const sortBy = async (name: string, expected: readonly string[]) => {
      await page.getByRole("button", { name: /^Sort by/ }).click();
      await page.getByText("Answers can’t be sorted.").waitFor();
      await page.getByRole("menuitemradio", { name }).click();
      const until = Date.now() + 10_000;
      while (Date.now() < until && (await order()) !== expected.join())
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(await order(), expected.join(), name);
      await page.getByText("4 submissions").waitFor();
    };
    await sortBy("Oldest first", [nameOf(1), nameOf(2), nameOf(3), "Zoe"]);
    await sortBy("By form", ["Zoe", nameOf(3), nameOf(2), nameOf(1)]);
    await sortBy("By status", ["Zoe", nameOf(3), nameOf(1), nameOf(2)]);
    await sortBy("Newest first", ["Zoe", nameOf(3), nameOf(2), nameOf(1)]);
    const changes = [
      [3, "replied"],
      [1, "replied"],
      [2, "read"],
    ] as const;
    for (const [id, status] of changes) {
      host.clock.time += 1_000;
      await api(host.url, "POST", "/submissions/bulk", { ids: [id], action: "set_status", status }, 200);
    }
    await sortBy("Last activity", [nameOf(2), nameOf(1), nameOf(3), "Zoe"]);
    assert.deepEqual(faults, []);
  });
});
