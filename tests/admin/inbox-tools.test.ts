/** Tools of the inbox: replies, runs of actions, exports, and the order of the list. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { api, type FormRef, makeForm, show, submit } from "./admin-site.ts";
import { type Stored, nameOf, openInbox, rowOf, heading, detailOf, waitForStatuses } from "./inbox-fixture.ts";

describe("the tools of the inbox", { skip: noChromium }, () => {
  it("replies to the visitor's mail address, with the answers quoted", { timeout: 60_000 }, async (t) => {
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
    // The key `r` clicks the link, which would open a mail program; the listener prevents that.
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

  it("shows the state of mails without claiming that they were sent, and runs actions again only after a confirmation", {
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

  it("exports the chosen submissions, and asks for the form if none is selected", { timeout: 60_000 }, async (t) => {
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
