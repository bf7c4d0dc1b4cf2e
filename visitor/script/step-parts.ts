/**
 * Which element of a form belongs to which of its steps: by the steps that the page marks
 * (crates/markup/src/pages.rs), or, where a form asks one question at a time, by its questions.
 */
import { CONDITIONAL } from "./conditions.ts";
import { own } from "./own.ts";

/** The steps that an element shows in. What is not in here always shows. */
export type Places = Map<HTMLElement, ReadonlySet<number>>;

/** The class of a step that its author's own style hides. */
export const SHOWN = "cf-shown";

export const CONTROLS = "input:not([type=hidden]),select,textarea,button";
export const SUBMITS = "button:not([type=button],[type=reset]),input[type=submit],input[type=image]";
/** Buttons that a script of the author's made lead from step to step. */
export const OWN_BUTTONS = ":is(button,input)[type=button]:not(.cf-back,.cf-next)";
/** The heading or legend that shows a step's title. */
export const TITLE = "[data-cf-step-title]";
export const NO_PART = ".cf-messages,.cf-progress,input[type=hidden],noscript,script,style,template,[aria-hidden=true]";

export const within = (element: HTMLElement, selector: string): HTMLElement[] => [
  ...(element.matches(selector) ? [element] : []),
  ...element.querySelectorAll<HTMLElement>(selector),
];

export const isShown = (element: Element): boolean => element.closest("[hidden]") === null;

/** Where a button of the author's leads: on, back or nowhere. */
export const wayOf = (button: HTMLElement): string | undefined => button.dataset["cfWay"];

/** What the author's first button says that leads there: where there is none, ours says the same. */
export function ownWords(form: HTMLFormElement, way: "on" | "back"): string | undefined {
  const button = within(own(form), OWN_BUTTONS).find((one) => wayOf(one) === way);
  const said = button instanceof HTMLInputElement ? button.value : button?.getAttribute("aria-label") ?? button?.textContent;
  // An arrow alone says nothing to those who do not see it.
  return said !== undefined && /\p{L}/u.test(said) ? said.trim() : undefined;
}

/** How many fields an element asks for; the parts of a field, and its choices, are one. */
function questions(element: HTMLElement): number {
  const controls = within(element, CONTROLS).filter((control) => !control.matches("button,input[type=submit]"));
  return new Set(controls.map((control) => control.getAttribute("name")?.replace(/\[.*$/, ""))).size;
}

/** Whether an element can be shown in parts: it holds several questions, and no text beside them. */
const isSplit = (element: HTMLElement): boolean =>
  !element.matches(".cf-field,label") && questions(element) > 1 &&
  [...element.childNodes].every((node) => node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === "");

/** Deals the elements of a form out to its steps. */
export function deal(form: HTMLFormElement, asks: boolean): { readonly places: Places; readonly count: number } {
  const places: Places = new Map();
  const elements = asks ? [] : [...own(form).querySelectorAll<HTMLElement>("[data-cf-step]")];
  const ids: string[] = [];
  /** Texts that lead to the question behind them. */
  const waiting: HTMLElement[] = [];
  let current = -1;

  function place(element: HTMLElement): readonly HTMLElement[] {
    if (element.matches(NO_PART)) return [];
    if (asks ? isSplit(element) : elements.some((step) => element !== step && element.contains(step))) return split(element);
    const controls = within(element, CONTROLS);
    const isHeading = element.matches("legend,.cf-step-title");
    if (elements.includes(element)) {
      // Out of sight until its author's script shows it, which is this one's work now.
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

  /** An element of several steps shows in each of them. */
  function split(element: HTMLElement): readonly HTMLElement[] {
    const parts = [...element.children].filter((child) => child instanceof HTMLElement).flatMap(place);
    around.push([element, parts]);
    return parts;
  }

  const around: [HTMLElement, readonly HTMLElement[]][] = [];
  for (const child of own(form).children) if (child instanceof HTMLElement) place(child);
  const count = asks ? current + 1 : ids.length;
  for (const text of waiting) places.set(text, new Set([Math.max(current, 0)]));
  for (const [element, parts] of around) places.set(element, new Set(parts.flatMap((part) => [...(places.get(part) ?? [])])));
  return { places, count };
}
