/** The inbox: triage by keyboard, selection, trash, reply and export, each of which affects only shown submissions. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { api, show, submit, tabTo } from "./admin-site.ts";
import {
  nameOf,
  openInbox,
  rowOf,
  heading,
  detailOf,
  stored,
  statuses,
  waitForStatuses,
  waitForRead,
  waitForShown,
} from "./inbox-fixture.ts";

describe("the inbox", { skip: noChromium }, () => {
  it("allows triage of 20 submissions only by keyboard, each read before a key changes it", {
    timeout: 90_000,
  }, async (t) => {
    const { host, page, faults } = await openInbox(t, 20, "/forms");
    await page.waitForFunction(() => document.title.startsWith("(20) "));
    await tabTo(page, /^Inbox/, "a");
    await page.keyboard.press("Enter");
    await rowOf(page, nameOf(20)).waitFor();
    // Before a submission is shown, keys change nothing.
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
      // A submission that is not read yet cannot become unread.
      if (key === "u") await waitForRead(host, number);
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
    // The other submissions are archived too; then the list is empty.
    await page.keyboard.press("Control+a");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "All caught up" }).waitFor();
    await waitForShown(page, 0);
    await page.waitForFunction(() => !document.title.startsWith("("));
    assert.equal((await statuses(host)).filter((status) => ["new", "read", "replied"].includes(status)).length, 0);
    assert.deepEqual(faults, []);
  });

  it("changes only the shown submission: not the row with the focus, not twice, and not before it has loaded", {
    timeout: 60_000,
  }, async (t) => {
    const { host, page, faults } = await openInbox(t, 4);
    const before = ["new", "new", "new", "new"];
    // A narrow window shows only the list: a row has the focus, but no submission is shown.
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

    // A held key acts once.
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

    // A submission that a link opens is not changed until it has loaded.
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
    await page.keyboard.press("?");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.keyboard.press("ArrowDown");
    await waitForShown(page, 3);
    await waitForStatuses(host, ["new", "read", "read", "read"]);

    // Without a current row, End moves to the last one.
    await show(page, "/inbox");
    await rowOf(page, nameOf(4)).waitFor();
    await page.keyboard.press("End");
    await waitForShown(page, 1);
    assert.deepEqual(faults, []);
  });

  it("selects a range by Shift, and undoes a change of it", { timeout: 60_000 }, async (t) => {
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
    // The next submission is opened and being marked as read; moving it to the trash must wait for that.
    await waitForStatuses(host, ["new", "new", "read", "trash", "spam"]);
    await page.keyboard.press("#");
    await waitForShown(page, 2);
    await waitForStatuses(host, ["new", "read", "trash", "trash", "spam"]);
    // Undo restores the last submission with its former status, and shows it.
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
    // Submissions are deleted permanently only in the trash, and after a confirmation.
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

  it("says that submissions were deleted only if the user did not cancel", { timeout: 90_000 }, async (t) => {
    const { host, page, faults } = await openInbox(t, 120, "/forms");
    const ids = Array.from({ length: 120 }, (_, index) => index + 1);
    for (const part of [ids.slice(0, 100), ids.slice(100)])
      await api(host.url, "POST", "/submissions/bulk", { ids: part, action: "set_status", status: "trash" }, 200);
    await show(page, "/inbox?view=trash");
    await rowOf(page, "Visitor 120").waitFor();
    // Moving to the last loaded row loads the others.
    while (!(await rowOf(page, nameOf(1)).isVisible())) {
      await page.keyboard.press("End");
      await page.waitForTimeout(100);
    }
    await page.keyboard.press("Control+a");
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/submissions/bulk*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("toolbar").getByRole("button", { name: "Delete permanently" }).click();
    await page
      .getByRole("alertdialog", { name: "Delete 120 submissions permanently?" })
      .getByRole("button", { name: /^Delete/ })
      .click();
    const progress = page.locator(".notices").getByText("0 of 120 done");
    await progress.waitFor();
    await page.locator(".notices").getByRole("button", { name: "Cancel" }).click();
    goOn();
    await rowOf(page, nameOf(20)).waitFor();
    assert.equal((await stored(host)).length, 20);
    assert.equal(await page.getByText(/submissions deleted$/).count(), 0);
    assert.deepEqual(faults, []);
  });
});
