/** Fills in and sends a form like users without a pointer. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** The text to type into a field, by its type. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  email: ["ada@example.org"],
  url: ["https://example.org"],
  tel: ["0301234567"],
  number: ["2"],
  date: ["01022030"],
  time: ["0730PM"],
  "datetime-local": ["01022030", "ArrowRight", "0730PM"],
};

interface Stop {
  readonly tag: string;
  readonly type: string;
  readonly id: string;
  readonly checked: boolean;
  readonly value: string;
  readonly isList: boolean;
  /** Whether the focus is visible. */
  readonly isSeen: boolean;
}

const stop = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (!(one instanceof HTMLElement) || one.closest("form") === null || one.matches("[tabindex='-1']")) return null;
    const { type = "", name = "", checked = false, value = "" } = one as HTMLInputElement;
    const label = one.nextElementSibling?.matches("label") ? one.nextElementSibling : null;
    const isSeen = [one, one.closest(".cf-choice"), label].some(
      (part) => part !== null && getComputedStyle(part).outlineStyle !== "none",
    );
    // Without script a web address is a text input with the URL keyboard.
    const kind = one.inputMode === "url" ? "url" : type;
    return {
      tag: one.localName,
      type: kind,
      id: `${one.id} ${name} ${one.className}`,
      checked,
      value,
      isList: one.matches("[role=combobox]"),
      isSeen,
    };
  });

/**
 * Describes the effect of a form's button: another page, another step, faults, or a sent form; empty if nothing
 * changed.
 */
const outcome = (was: string): string => {
  const count = (selector: string) => document.querySelectorAll(selector).length;
  const now = [
    performance.timeOrigin,
    document.querySelector(".cf-progress-text")?.textContent,
    // The address of a question.
    location.hash,
    count(".cf-error"),
    count(".cf-message-success"),
  ].join();
  return now === was ? "" : now;
};

/**
 * Goes through the form with the Tab key, answers each control once and sends the form; ends when the ending appears.
 */
export async function fillByKeyboard(
  page: Page,
  atStep: (text: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const seen = new Set<string>();
  const done = page.locator(".cf-message-success");
  let step: string | null = null;
  for (let count = 0; count < 400 && (await done.count()) === 0; count += 1) {
    const now = await page.evaluate(() => document.querySelector(".cf-progress-text,.cf-count")?.textContent ?? null);
    if (now !== null && now !== step) {
      step = now;
      await atStep(now);
      continue;
    }
    let at = await stop(page);
    if (at === null || seen.has(at.id)) {
      await page.keyboard.press("Tab");
      at = await stop(page);
    }
    // A date has several tab stops, whose focus the browser itself shows.
    if (at === null || seen.has(at.id)) continue;
    assert.ok(at.isSeen, `nothing shows that ${at.id} has the focus`);
    if (at.tag === "button" && at.type === "button" && !at.id.includes("cf-next")) {
      await page.keyboard.press("Tab");
      continue;
    }
    if (at.tag === "button") {
      const before = await page.evaluate(outcome, "");
      await pressUntil(page, before);
      continue;
    }
    seen.add(at.id);
    if (at.type === "file")
      await page.setInputFiles(":focus", {
        name: "cv.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("%PDF-1.4"),
      });
    else if (at.isList) await type(page, ["a", "Enter"]);
    else if (at.type === "radio") await page.keyboard.press(at.checked ? "ArrowRight" : "Space");
    else if (at.type === "checkbox") await (at.checked ? null : page.keyboard.press("Space"));
    else if (at.tag === "select") await page.keyboard.press("ArrowDown");
    else if (at.type === "range") await page.keyboard.press("ArrowRight");
    else if (at.tag !== "a" && at.tag !== "summary" && at.type !== "color" && at.value === "")
      await type(page, TYPED[at.type] ?? ["Ada"]);
  }
  assert.equal(await done.count(), 1, (await page.locator(".cf-summary,.cf-error").allTextContents()).join(" | "));
}

/**
 * Presses Enter until something happens: a new question ignores the key for a moment, because it may be meant for the
 * previous one.
 */
async function pressUntil(page: Page, before: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    await page.keyboard.press("Enter");
    const changed = page.waitForFunction(outcome, before, { timeout: 500 });
    if (await changed.then(Boolean, () => false)) return;
  }
  throw new Error("Enter changes nothing");
}

async function type(page: Page, parts: readonly string[]): Promise<void> {
  for (const part of parts) await (/^(Arrow|Enter)/.test(part) ? page.keyboard.press(part) : page.keyboard.type(part));
}
