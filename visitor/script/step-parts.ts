/**
 * Assigns the elements of a form to its steps: by the steps that the page marks (crates/markup/src/pages.rs), or, in a
 * conversational form, by its questions.
 */
import { CONDITIONAL } from "./conditions.ts";
import { native } from "./dom.ts";

/** The steps that each element shows in. Elements outside the map always show. */
export type Places = Map<HTMLElement, ReadonlySet<number>>;

/** Class that shows a step against the author's style. */
export const SHOWN = "cf-shown";

export const CONTROLS = "input:not([type=hidden]),select,textarea,button";
/** The author's buttons that go from step to step. */
export const AUTHOR_BUTTONS = ":is(button,input)[type=button]:not(.cf-back,.cf-next)";
/** The heading or legend that shows a step's title. */
export const TITLE = "[data-cf-step-title]";
export const NOT_IN_STEPS =
  ".cf-messages,.cf-progress,input[type=hidden],noscript,script,style,template,[aria-hidden=true]";

export const within = (element: HTMLElement, selector: string): HTMLElement[] => [
  ...(element.matches(selector) ? [element] : []),
  ...element.querySelectorAll<HTMLElement>(selector),
];

export const isShown = (element: Element): boolean => element.closest("[hidden]") === null;

/** Direction of an author's button: `on`, `back`, or undefined. */
export const directionOf = (button: HTMLElement): string | undefined => button.dataset["cfWay"];

/** Returns the text of the author's first button for a direction, which our button shows too. */
export function authorButtonText(form: HTMLFormElement, way: "on" | "back"): string | undefined {
  const button = within(native(form), AUTHOR_BUTTONS).find((one) => directionOf(one) === way);
  const text =
    button instanceof HTMLInputElement ? button.value : (button?.getAttribute("aria-label") ?? button?.textContent);
  // A screen reader cannot read an arrow without letters.
  return text !== undefined && /\p{L}/u.test(text) ? text.trim() : undefined;
}

/** Number of fields in an element; the parts of a field, and its choices, count as one. */
function questions(element: HTMLElement): number {
  const controls = within(element, CONTROLS).filter((control) => !control.matches("button,input[type=submit]"));
  return new Set(controls.map((control) => control.getAttribute("name")?.replace(/\[.*$/, ""))).size;
}

/** Whether an element can be split: it has several questions and no text beside them. */
const isSplit = (element: HTMLElement): boolean =>
  !element.matches(".cf-field,label") &&
  questions(element) > 1 &&
  [...element.childNodes].every((node) => node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === "");

/** Assigns the elements of a form to its steps. */
export function assignSteps(form: HTMLFormElement, asks: boolean): { readonly places: Places; readonly count: number } {
  const places: Places = new Map();
  const elements = asks ? [] : [...native(form).querySelectorAll<HTMLElement>("[data-cf-step]")];
  const ids: string[] = [];
  /** Texts that show with the question after them. */
  const waiting: HTMLElement[] = [];
  let current = -1;

  function place(element: HTMLElement): readonly HTMLElement[] {
    if (element.matches(NOT_IN_STEPS)) return [];
    if (asks ? isSplit(element) : elements.some((step) => element !== step && element.contains(step)))
      return split(element);
    const controls = within(element, CONTROLS);
    const isHeading = element.matches("legend,.cf-step-title");
    if (elements.includes(element)) {
      // This script shows the step instead of the author's script.
      if (!element.matches(CONDITIONAL)) {
        element.hidden = false;
        if (getComputedStyle(element).display === "none") element.classList.add(SHOWN);
      }
      const { cfStep: id = "" } = element.dataset;
      if (!ids.includes(id)) ids.push(id);
      current = ids.indexOf(id);
    } else if (asks && questions(element) > 0) {
      current += 1;
      for (const text of waiting.splice(0)) places.set(text, new Set([current]));
    } else if (isHeading || (!asks && current < 0 && controls.length === 0)) {
      return [];
    } else if (asks && controls.length === 0) {
      waiting.push(element);
      return [element];
    }
    places.set(element, new Set([Math.max(current, 0)]));
    return [element];
  }

  /** Splits an element into its children; it shows in all of their steps. */
  function split(element: HTMLElement): readonly HTMLElement[] {
    const parts = [...element.children].filter((child) => child instanceof HTMLElement).flatMap(place);
    containers.push([element, parts]);
    return parts;
  }

  const containers: [HTMLElement, readonly HTMLElement[]][] = [];
  for (const child of native(form).children) if (child instanceof HTMLElement) place(child);
  const count = asks ? current + 1 : ids.length;
  for (const text of waiting) places.set(text, new Set([Math.max(current, 0)]));
  for (const [element, parts] of containers)
    places.set(element, new Set(parts.flatMap((part) => [...(places.get(part) ?? [])])));
  return { places, count };
}
