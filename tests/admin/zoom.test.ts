/**
 * Every screen at 200 % zoom, on a phone and in forced colors: the page does not scroll sideways, nothing is cut off,
 * and selected elements look different from others.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { noChromium, takePicture } from "../browser/chromium.ts";
import { makeForm, SCREENS, show, signIn, startBrowser, startSite, submit } from "./admin-site.ts";

const LOOKS: readonly { readonly name: string; readonly options: BrowserContextOptions }[] = [
  // At 200 %, a window of 1280 × 800 has the space of 640 × 400.
  { name: "zoom", options: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: "dark" } },
  { name: "zoom-german", options: { viewport: { width: 640, height: 400 }, locale: "de-DE" } },
  { name: "phone-german", options: { viewport: { width: 390, height: 844 }, locale: "de-DE", colorScheme: "dark" } },
  { name: "forced", options: { viewport: { width: 1280, height: 800 }, forcedColors: "active" } },
  {
    name: "forced-phone",
    options: { viewport: { width: 390, height: 844 }, forcedColors: "active", colorScheme: "dark" },
  },
];

/** Returns controls and texts that a box without a scroll bar cuts off, except texts with an intended ellipsis. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const TOLERANCE = 2;
    const SIDES = [
      ["X", "left", "right", "sideways"],
      ["Y", "top", "bottom", "below"],
    ] as const;
    const cuts = (style: CSSStyleDeclaration, axis: "X" | "Y") => /hidden|clip/.test(style[`overflow${axis}`]);
    const scrolls = (style: CSSStyleDeclaration, axis: "X" | "Y") => /auto|scroll/.test(style[`overflow${axis}`]);
    const nameOf = (element: Element) =>
      `${element.localName}.${element.className} ${element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40)}`;
    /** Whether an element is for screen readers only: in a box of one pixel, or clipped away. */
    const isHidden = (element: Element): boolean => {
      for (let parent: Element | null = element; parent !== null; parent = parent.parentElement) {
        const { width, height } = parent.getBoundingClientRect();
        const style = getComputedStyle(parent);
        if (style.clipPath.startsWith("inset(50") || style.clip === "rect(0px, 0px, 0px, 0px)") return true;
        if (width <= 2 && height <= 2 && cuts(style, "X")) return true;
      }
      return false;
    };
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(
      "a,button,input,select,textarea,summary,h1,h2,h3,label,td,th,[role=button],[role=row]",
    )) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".visually-hidden,.skip,[inert],.clip,svg") !== null || isHidden(element)) continue;
      if (element.matches("input") && getComputedStyle(element).position === "absolute") continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      let isReachable = { X: false, Y: false };
      for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
        const style = getComputedStyle(parent);
        const frame = parent.getBoundingClientRect();
        for (const [axis, start, end, way] of SIDES) {
          const isOutside = box[start] < frame[start] - TOLERANCE || box[end] > frame[end] + TOLERANCE;
          if (cuts(style, axis) && !isReachable[axis] && isOutside)
            found.push(`${way}: ${nameOf(element)} in ${nameOf(parent)}`);
        }
        isReachable = { X: isReachable.X || scrolls(style, "X"), Y: isReachable.Y || scrolls(style, "Y") };
        if (isReachable.X && isReachable.Y) break;
        if (style.position === "fixed") break;
      }
      if (!isReachable.X && (box.left < -TOLERANCE || box.right > innerWidth + TOLERANCE))
        found.push(`outside the window: ${nameOf(element)}`);
      // The element's own text overflows.
      if (
        element.scrollWidth > element.clientWidth + TOLERANCE &&
        element.clientWidth > 0 &&
        element.matches("button,a,h1,h2,h3,label")
      ) {
        const style = getComputedStyle(element);
        if (cuts(style, "X") && style.textOverflow !== "ellipsis") found.push(`text: ${nameOf(element)}`);
      }
    }
    return [...new Set(found)];
  });

/** Returns the selected elements that look like an unselected sibling. */
const looksAlike = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    // Forced colors replace a background by the canvas, which looks like a transparent one.
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.backgroundColor = "Canvas";
    const canvas = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const seen = (color: string) => (color === canvas || /, 0\)$/.test(color) ? "canvas" : color);
    const lookOf = (element: Element) => {
      const parts = [element, ...element.querySelectorAll(".box,.track,.thumb,.icon")];
      return JSON.stringify(
        parts.map((part) => {
          const style = getComputedStyle(part);
          return [
            style.color,
            seen(style.backgroundColor),
            seen(style.borderTopColor),
            seen(style.borderBottomColor),
            style.borderBottomWidth,
            style.outlineStyle,
            style.outlineColor,
            style.textDecorationLine,
            style.fontWeight,
            part.getAttribute("data-filled"),
          ];
        }),
      );
    };
    const alike: string[] = [];
    for (const attribute of ["aria-pressed", "aria-current", "aria-selected", "data-open"]) {
      for (const chosen of document.querySelectorAll(`[${attribute}]:not([${attribute}="false"])`)) {
        const others = [...(chosen.parentElement?.parentElement?.querySelectorAll(chosen.localName) ?? [])].filter(
          (other) =>
            other.className === chosen.className &&
            ["false", null].includes(other.getAttribute(attribute)) &&
            other.checkVisibility(),
        );
        if (chosen.checkVisibility() && others.some((other) => lookOf(other) === lookOf(chosen)))
          alike.push(`${chosen.localName}.${chosen.className} ${chosen.textContent?.trim().slice(0, 40)}`);
      }
    }
    return [...new Set(alike)];
  });

describe("every screen", { skip: noChromium }, () => {
  it("fits at 200 %, on a phone and in forced colors", { timeout: 400_000 }, async (t) => {
    const host = await startSite(t);
    const { id, slug } = await makeForm(host.url, "A contact form whose title is rather long");
    for (let number = 0; number < 6; number += 1)
      await submit(host.url, slug, {
        name: `Ada Lovelace ${number}`,
        email: `ada.lovelace.with.a.long.name${number}@example.com`,
        topic: number % 2 === 0 ? "Sales" : "Support",
        age: String(20 + number),
        message: "Good morning, this message has more than a few words, as most messages have.",
      });
    await host.forms.runQueue();
    const browser = await startBrowser(t);
    const faults: string[] = [];
    for (const { name: look, options } of LOOKS) {
      const { page } = await signIn(browser, host.url, options);
      for (const [name, addressOf] of Object.entries(SCREENS)) {
        await show(page, addressOf(id));
        await takePicture(page, `admin-${name}-${look}.png`);
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        const found = [
          ...(isWide ? ["the page scrolls sideways"] : []),
          ...(await cutOff(page)),
          ...(look.startsWith("forced")
            ? (await looksAlike(page)).map((what) => `looks like its siblings: ${what}`)
            : []),
        ];
        faults.push(...found.map((what) => `${name} (${look}): ${what}`));
      }
      await page.context().close();
    }
    assert.deepEqual(faults, []);
  });

  it("shows all tabs of a form at 1280 px, in each language", { timeout: 60_000 }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    const browser = await startBrowser(t);
    for (const locale of ["en-US", "de-DE"]) {
      const { page } = await signIn(browser, host.url, { locale });
      await show(page, `/forms/${id}/share`);
      const tabs = page.locator(".with-bar .tabs");
      assert.ok(await tabs.evaluate((bar) => bar.scrollWidth <= bar.clientWidth), locale);
    }
  });
});
