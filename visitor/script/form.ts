/**
 * The visitor's script. The form works without it; with it, conditional fields follow the
 * visitor's answers at once, a submit keeps the page, and forms can be embedded in other pages by
 * `<div data-cf-embed="https://example.org/forms/contact/embed"></div>`.
 *
 * Events on the form, as the reference has them: `cf-submit` (cancelable), `cf-submitted`,
 * `cf-success` and `cf-error`, each with the answer as `detail`; and `cf-ready` before them all.
 *
 * The server decides everything again (crates/model/src/logic); this is for comfort only. The files of this
 * folder are sent as one (scripts/visitor-assets.mjs).
 */
import { completeAddresses } from "./addresses.ts";
import { captchaRefusal, resetCaptchas, showCaptchas } from "./captcha.ts";
import { applyConditions, CONDITIONAL } from "./conditions.ts";
import { clearFaults, dropHiddenFaults, type ServerFault, tellServerFaults, watchFaults } from "./faults.ts";
import { showExtras } from "./extras.ts";
import { isTooLarge, sizeFaults, tellLostFiles } from "./files.ts";
import { takeOwnIds } from "./ids.ts";
import { forgetAnswers } from "./keep.ts";
import { renewKey } from "./keys.ts";
import { around, element, own, page, sharedForms, textOf } from "./own.ts";
import { fillPlaces } from "./places.ts";
import { checkSets } from "./sets.ts";
import { source } from "./source.ts";
import { filesBefore, refreshSteps, resumeSteps, startSteps } from "./steps.ts";
import { parseHtml } from "./trusted.ts";
import { resetUnset, startUnset } from "./unset.ts";

interface SubmitAnswer {
  readonly message?: { readonly type?: string; readonly text?: string };
  readonly hide_form?: boolean;
  /** What stands in the place of a form that disappears, as HTML of the server's. */
  readonly ending?: string;
  readonly redirect_url?: string;
  readonly code?: string;
  readonly errors?: readonly ServerFault[];
}

/** The code of a submit that is too large. */
const TOO_LARGE = "rest_payload_too_large";

const enhanced = new WeakSet<HTMLFormElement>();

function messages(form: HTMLFormElement): HTMLElement {
  const found = own(form).querySelector<HTMLElement>(".cf-messages");
  if (found !== null) return found;
  const region = element("div", "cf-messages");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  own(form).prepend(region);
  return region;
}

function say(form: HTMLFormElement, type: string, text: string): void {
  const line = element("p", `cf-message cf-message-${type === "success" ? "success" : "error"}`, text);
  const region = messages(form);
  region.replaceChildren(line);
  // Whoever sent a long form stands at its end; the first fault takes the focus afterwards.
  region.scrollIntoView({ block: "nearest" });
}

/** Only a web address, or a path of this site, is followed. */
function isSafeAddress(address: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(address, location.href).protocol);
  } catch {
    return false;
  }
}

const emit = (form: HTMLFormElement, name: string, detail: unknown): boolean =>
  own(form).dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, composed: true, detail }));

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  if (!emit(form, "cf-submit", null)) return;
  clearFaults(form);
  own(form).querySelector(".cf-messages")?.replaceChildren();
  own(form).classList.add("cf-loading");
  own(form).setAttribute("aria-busy", "true");
  try {
    const refusal = await captchaRefusal(form);
    if (refusal === null) return await post(form, submitter);
    say(form, "error", refusal);
    emit(form, "cf-error", null);
  } catch {
    say(form, "error", textOf(form, "network_error"));
    emit(form, "cf-error", null);
  } finally {
    own(form).classList.remove("cf-loading");
    own(form).removeAttribute("aria-busy");
  }
}

async function post(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const files = own(form).enctype === "multipart/form-data";
  const data = new FormData(form, submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement ? submitter : null);
  data.append("_cf_script", "1");
  if (files && isTooLarge(form, data)) return refuse(form, { code: TOO_LARGE, message: { text: textOf(form, "body_too_large") } });
  const pairs = [...data].map(([name, value]): [string, string] => [name, typeof value === "string" ? value : value.name]);
  try {
    const response = await fetch(own(form).action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: files ? data : new URLSearchParams(pairs),
    });
    const answer: SubmitAnswer = await response.json();
    emit(form, "cf-submitted", answer);
    if (response.ok) succeed(form, answer);
    else refuse(form, answer);
  } finally {
    // What a service found out is good for one submit.
    resetCaptchas(form);
  }
}

function succeed(form: HTMLFormElement, answer: SubmitAnswer): void {
  emit(form, "cf-success", answer);
  if (answer.redirect_url !== undefined && isSafeAddress(answer.redirect_url)) {
    // Within the forms' site, wherever the form is embedded.
    location.assign(new URL(answer.redirect_url, own(form).action));
    return;
  }
  own(form).reset();
  forgetAnswers(form);
  renewKey(form);
  startAgain(form);
  if (answer.hide_form === true) return end(form, answer);
  say(form, "success", answer.message?.text ?? "");
}

/** Keeps paths that the server wrote within the forms' site, wherever the form is embedded. */
function showOfSite(region: HTMLElement, site: string): void {
  if (site === location.origin) return;
  for (const name of ["href", "src"]) {
    for (const one of region.querySelectorAll(`[${name}^="/"]:not([${name}^="//"])`)) one.setAttribute(name, site + one.getAttribute(name));
  }
}

/** The form gives way to its thanks, and comes back for another answer. */
function end(form: HTMLFormElement, { ending, message }: SubmitAnswer): void {
  const region = messages(form);
  const others = [...own(form).children].filter((child) => child !== region && child instanceof HTMLElement && !child.hidden);
  own(form).classList.add("cf-sent");
  for (const child of others) (child as HTMLElement).hidden = true;
  if (ending === undefined) return say(form, "success", message?.text ?? "");
  region.replaceChildren(...parseHtml(ending).body.childNodes);
  showOfSite(region, new URL(own(form).action).origin);
  const print = region.querySelector<HTMLElement>(".cf-print");
  if (print !== null) print.hidden = false;
  print?.addEventListener("click", () => window.print());
  region.querySelector(".cf-again")?.addEventListener("click", (event) => {
    event.preventDefault();
    region.replaceChildren();
    for (const child of others) (child as HTMLElement).hidden = false;
    own(form).classList.remove("cf-sent");
    startAgain(form);
    [...own(form).elements].find((one): one is HTMLElement => one instanceof HTMLElement && one.matches("input:not([type=hidden]),select,textarea") && one.checkVisibility())?.focus();
  });
  const shown = region.querySelector<HTMLElement>(".cf-ending");
  shown?.focus({ preventScroll: true });
  // Its beginning is to be seen, also where it is higher than the window.
  region.scrollIntoView({ block: region.getBoundingClientRect().top < 0 ? "start" : "nearest" });
}

function refuse(form: HTMLFormElement, answer: SubmitAnswer): void {
  emit(form, "cf-error", answer);
  const text = answer.message?.text ?? "";
  const errors = answer.errors ?? [];
  tellServerFaults(form, errors.length === 0 && answer.code === TOO_LARGE ? sizeFaults(form, text) : errors, text);
  if (own(form).querySelector(".cf-summary") === null) say(form, "error", text);
}

/* ---- Starting ---- */

/** Follows the visitor's answers. */
function follow(form: HTMLFormElement): void {
  checkSets(form);
  showExtras(form);
  if (!applyConditions(form)) return;
  dropHiddenFaults(form);
  refreshSteps(form);
}

/** The form as at first, after it was reset. */
function startAgain(form: HTMLFormElement): void {
  // A form that is gone stays so, whatever its conditions say.
  if (own(form).classList.contains("cf-sent")) return;
  clearFaults(form);
  resetUnset(form);
  checkSets(form);
  showExtras(form);
  applyConditions(form);
  refreshSteps(form, true);
}

/** The part for long lists, beside this file. Put in by scripts/visitor-assets.mjs. */
declare const LISTS_PART: string;

/** With so many options a list is searched, not read. */
const LONG_LIST = 20;

/** Loads what searches in long lists, for a form that has one. Without it they are the browser's own. */
async function showLists(form: HTMLFormElement): Promise<void> {
  const found = own(form).querySelectorAll<HTMLSelectElement | HTMLInputElement>("select:not([multiple],[size]),input[autocomplete~=country-name]");
  const lists = [...found].filter((one) => !("options" in one) || one.options.length > LONG_LIST);
  if (lists.length === 0 || source === "") return;
  try {
    const part = (await import(new URL(LISTS_PART, source).href)) as typeof import("./lists.ts");
    part.searchLists(form, lists);
  } catch (error) {
    console.error(error);
  }
}

function enhance(form: HTMLFormElement): void {
  if (enhanced.has(form)) return;
  enhanced.add(form);
  takeOwnIds(form);
  // The page leaves the browser's checks out while hidden fields cannot be hidden.
  if (own(form).querySelector(CONDITIONAL) !== null) own(form).noValidate = false;
  const referrer = own(form).querySelector<HTMLInputElement>("input[name=_cf_referrer]");
  if (referrer !== null) referrer.value = page.referrer;
  const address = own(form).querySelector<HTMLInputElement>("input[name=_cf_page]");
  if (address !== null) address.value = location.href;
  // The answers of a form that is shown again may be stored already, under the key that it still has.
  if (own(form).dataset["again"] === undefined) renewKey(form);
  emit(form, "cf-ready", null);
  completeAddresses(form);
  showCaptchas(form);
  resumeSteps(form);
  startUnset(form);
  checkSets(form);
  showExtras(form);
  applyConditions(form);
  startSteps(form);
  // Before the faults are looked at again, which a ticked box of a set may have mended.
  own(form).addEventListener("input", () => follow(form));
  own(form).addEventListener("change", () => follow(form));
  watchFaults(form);
  tellLostFiles(form, filesBefore(form));
  void showLists(form);
  own(form).addEventListener("reset", () => setTimeout(() => startAgain(form)));
  own(form).addEventListener("submit", (event) => {
    event.preventDefault();
    if (!own(form).classList.contains("cf-loading")) void send(form, event.submitter);
  });
}

/** A page in a frame tells the page around it how tall it is, and what happens to the form. */
function tellFrame(): void {
  if (window.parent === window || !new URLSearchParams(location.search).has("frame")) return;
  const tell = (message: object): void => window.parent.postMessage(message, "*");
  const main = page.querySelector<HTMLElement>(".cf-main");
  if (main === null) return;
  page.body.classList.add("cf-framed");
  new ResizeObserver(() => tell({ type: "cf:height", height: main.getBoundingClientRect().height })).observe(main);
  // A page that a link leads to would stand in the form's place, and may refuse frames.
  page.addEventListener("click", ({ target }) => {
    const link = around(target, "a[href]:not([href^='#'],[target],.cf-again)");
    if (link instanceof HTMLAnchorElement) link.target = "_blank";
  });
  for (const name of ["cf-submit", "cf-success", "cf-error", "cf-step"]) {
    page.addEventListener(name, (event) => tell({ type: "cf:event", name, detail: (event as CustomEvent).detail }));
  }
}

function enhanceAll(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form.cf-form")) enhance(form);
}

function begin(): void {
  enhanceAll(page);
  fillPlaces(enhanceAll);
  tellFrame();
}

/** For embed.ts, and for pages that add a form later. A page that loads this file again has the first. */
const known = sharedForms();
if (known === undefined) {
  Object.defineProperty(window, "cfForms", { value: { enhance: enhanceAll }, configurable: true, enumerable: true, writable: true });
  if (page.readyState === "loading") page.addEventListener("DOMContentLoaded", begin);
  else begin();
} else {
  known.enhance(page);
}
