/**
 * The visitor's script. The form works without it. With it, conditional fields follow the visitor's answers at once, a
 * submit does not leave the page, and other pages can embed a form with
 * `<div data-cf-embed="https://example.org/forms/contact/embed"></div>`.
 *
 * Events on the form, as the reference implementation emits them: `cf-submit` (cancelable), `cf-submitted`,
 * `cf-success` and `cf-error`, each with the answer as `detail`; and `cf-ready` before them all.
 *
 * The server checks everything again (crates/model/src/logic); the script only saves the visitor time. The files of this
 * folder are bundled into one (scripts/visitor-assets.mjs).
 */
import { completeAddresses } from "./addresses.ts";
import { captchaFault, resetCaptchas, showCaptchas } from "./captcha.ts";
import { applyConditions, CONDITIONAL } from "./conditions.ts";
import { clearFaults, removeHiddenFaults, type ServerFault, showServerFaults, watchFaults } from "./faults.ts";
import { showExtras } from "./range-and-other.ts";
import { isTooLarge, sizeFaults, showLostFiles } from "./files.ts";
import { makeIdsUnique } from "./unique-ids.ts";
import { forgetAnswers } from "./saved-answers.ts";
import { renewKey } from "./submission-key.ts";
import { closest, element, native, page, sharedForms, textOf } from "./dom.ts";
import { fillPlaces } from "./embed-places.ts";
import { checkChoiceLimits } from "./choice-limits.ts";
import { source } from "./script-source.ts";
import { filesBeforeReload, refreshSteps, restoreSteps, startSteps } from "./steps.ts";
import { parseHtml } from "./trusted.ts";
import { resetUnset, startUnset } from "./unset.ts";

interface SubmitAnswer {
  readonly message?: { readonly type?: string; readonly text?: string };
  readonly hide_form?: boolean;
  /** The ending that replaces the form, as HTML from the server. */
  readonly ending?: string;
  readonly redirect_url?: string;
  readonly code?: string;
  readonly errors?: readonly ServerFault[];
}

/** The code of a submit that is too large. */
const TOO_LARGE = "rest_payload_too_large";

const enhanced = new WeakSet<HTMLFormElement>();

function messages(form: HTMLFormElement): HTMLElement {
  const found = native(form).querySelector<HTMLElement>(".cf-messages");
  if (found !== null) return found;
  const region = element("div", "cf-messages");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  native(form).prepend(region);
  return region;
}

function showMessage(form: HTMLFormElement, type: string, text: string): void {
  const line = element("p", `cf-message cf-message-${type === "success" ? "success" : "error"}`, text);
  const region = messages(form);
  region.replaceChildren(line);
  // The visitor may be at the end of a long form. The first fault takes the focus afterwards.
  region.scrollIntoView({ block: "nearest" });
}

/** Whether an address is a web address or a path of this site. */
function isSafeAddress(address: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(address, location.href).protocol);
  } catch {
    return false;
  }
}

const emit = (form: HTMLFormElement, name: string, detail: unknown): boolean =>
  native(form).dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, composed: true, detail }));

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  if (!emit(form, "cf-submit", null)) return;
  clearFaults(form);
  native(form).querySelector(".cf-messages")?.replaceChildren();
  native(form).classList.add("cf-loading");
  native(form).setAttribute("aria-busy", "true");
  try {
    const fault = await captchaFault(form);
    if (fault === null) return await post(form, submitter);
    showMessage(form, "error", fault);
    emit(form, "cf-error", null);
  } catch {
    showMessage(form, "error", textOf(form, "network_error"));
    emit(form, "cf-error", null);
  } finally {
    native(form).classList.remove("cf-loading");
    native(form).removeAttribute("aria-busy");
  }
}

async function post(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const hasFiles = native(form).enctype === "multipart/form-data";
  const data = new FormData(
    form,
    submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement ? submitter : null,
  );
  data.append("_cf_script", "1");
  if (hasFiles && isTooLarge(form, data))
    return reject(form, { code: TOO_LARGE, message: { text: textOf(form, "body_too_large") } });
  const pairs = [...data].map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : value.name,
  ]);
  try {
    const response = await fetch(native(form).action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: hasFiles ? data : new URLSearchParams(pairs),
    });
    const answer: SubmitAnswer = await response.json();
    emit(form, "cf-submitted", answer);
    if (response.ok) succeed(form, answer);
    else reject(form, answer);
  } finally {
    // A captcha token is valid for one submit.
    resetCaptchas(form);
  }
}

function succeed(form: HTMLFormElement, answer: SubmitAnswer): void {
  emit(form, "cf-success", answer);
  if (answer.redirect_url !== undefined && isSafeAddress(answer.redirect_url)) {
    // A path is relative to the forms' site, wherever the form is embedded.
    location.assign(new URL(answer.redirect_url, native(form).action));
    return;
  }
  native(form).reset();
  forgetAnswers(form);
  renewKey(form);
  restart(form);
  if (answer.hide_form === true) return showEnding(form, answer);
  showMessage(form, "success", answer.message?.text ?? "");
}

/** Makes paths absolute in an embedded form, because they are relative to the forms' site. */
function makePathsAbsolute(region: HTMLElement, site: string): void {
  if (site === location.origin) return;
  for (const name of ["href", "src"]) {
    for (const one of region.querySelectorAll(`[${name}^="/"]:not([${name}^="//"])`))
      one.setAttribute(name, site + one.getAttribute(name));
  }
}

/** Replaces the form by its ending, with a link that brings the form back. */
function showEnding(form: HTMLFormElement, { ending, message }: SubmitAnswer): void {
  const region = messages(form);
  const others = [...native(form).children].filter(
    (child) => child !== region && child instanceof HTMLElement && !child.hidden,
  );
  native(form).classList.add("cf-sent");
  for (const child of others) (child as HTMLElement).hidden = true;
  if (ending === undefined) return showMessage(form, "success", message?.text ?? "");
  region.replaceChildren(...parseHtml(ending).body.childNodes);
  makePathsAbsolute(region, new URL(native(form).action).origin);
  const print = region.querySelector<HTMLElement>(".cf-print");
  if (print !== null) print.hidden = false;
  print?.addEventListener("click", () => window.print());
  region.querySelector(".cf-again")?.addEventListener("click", (event) => {
    event.preventDefault();
    region.replaceChildren();
    for (const child of others) (child as HTMLElement).hidden = false;
    native(form).classList.remove("cf-sent");
    restart(form);
    [...native(form).elements]
      .find(
        (one): one is HTMLElement =>
          one instanceof HTMLElement &&
          one.matches("input:not([type=hidden]),select,textarea") &&
          one.checkVisibility(),
      )
      ?.focus();
  });
  const shown = region.querySelector<HTMLElement>(".cf-ending");
  shown?.focus({ preventScroll: true });
  // The top of the ending must be visible, also when it is taller than the window.
  region.scrollIntoView({ block: region.getBoundingClientRect().top < 0 ? "start" : "nearest" });
}

function reject(form: HTMLFormElement, answer: SubmitAnswer): void {
  emit(form, "cf-error", answer);
  const text = answer.message?.text ?? "";
  const errors = answer.errors ?? [];
  showServerFaults(form, errors.length === 0 && answer.code === TOO_LARGE ? sizeFaults(form, text) : errors, text);
  if (native(form).querySelector(".cf-summary") === null) showMessage(form, "error", text);
}

/* ---- Starting ---- */

/** Updates the form after a change of an answer. */
function updateForm(form: HTMLFormElement): void {
  checkChoiceLimits(form);
  showExtras(form);
  if (!applyConditions(form)) return;
  removeHiddenFaults(form);
  refreshSteps(form);
}

/** Restores the initial state after a reset. */
function restart(form: HTMLFormElement): void {
  // The conditions of a form that its ending has replaced must not show fields again.
  if (native(form).classList.contains("cf-sent")) return;
  clearFaults(form);
  resetUnset(form);
  checkChoiceLimits(form);
  showExtras(form);
  applyConditions(form);
  refreshSteps(form, true);
}

/** File name of the part for long lists, inserted by scripts/visitor-assets.mjs. */
declare const LISTS_PART: string;

/** Selects with more options become searchable. */
const MAX_PLAIN_OPTIONS = 20;

/** Loads the search for long lists when the form has one. If loading fails, they stay plain selects. */
async function showLists(form: HTMLFormElement): Promise<void> {
  const found = native(form).querySelectorAll<HTMLSelectElement | HTMLInputElement>(
    "select:not([multiple],[size]),input[autocomplete~=country-name]",
  );
  const lists = [...found].filter((one) => !("options" in one) || one.options.length > MAX_PLAIN_OPTIONS);
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
  makeIdsUnique(form);
  // The page has `novalidate`, because without script conditional fields cannot be hidden.
  if (native(form).querySelector(CONDITIONAL) !== null) native(form).noValidate = false;
  const referrer = native(form).querySelector<HTMLInputElement>("input[name=_cf_referrer]");
  if (referrer !== null) referrer.value = page.referrer;
  const address = native(form).querySelector<HTMLInputElement>("input[name=_cf_page]");
  if (address !== null) address.value = location.href;
  // A form that is shown again keeps its key: its answers may be stored already under it.
  if (native(form).dataset["again"] === undefined) renewKey(form);
  emit(form, "cf-ready", null);
  completeAddresses(form);
  showCaptchas(form);
  restoreSteps(form);
  startUnset(form);
  checkChoiceLimits(form);
  showExtras(form);
  applyConditions(form);
  startSteps(form);
  // These listeners come before those of `watchFaults`: a ticked box may correct the fault of its group.
  native(form).addEventListener("input", () => updateForm(form));
  native(form).addEventListener("change", () => updateForm(form));
  watchFaults(form);
  showLostFiles(form, filesBeforeReload(form));
  void showLists(form);
  native(form).addEventListener("reset", () => setTimeout(() => restart(form)));
  native(form).addEventListener("submit", (event) => {
    event.preventDefault();
    if (!native(form).classList.contains("cf-loading")) void send(form, event.submitter);
  });
}

/** Reports the page's height and the form's events to the page around the frame. */
function notifyFrame(): void {
  if (window.parent === window || !new URLSearchParams(location.search).has("frame")) return;
  const notify = (message: object): void => window.parent.postMessage(message, "*");
  const main = page.querySelector<HTMLElement>(".cf-main");
  if (main === null) return;
  page.body.classList.add("cf-framed");
  new ResizeObserver(() => notify({ type: "cf:height", height: main.getBoundingClientRect().height })).observe(main);
  // A link opens in a new tab: its page would replace the form in the frame, and may forbid frames.
  page.addEventListener("click", ({ target }) => {
    const link = closest(target, "a[href]:not([href^='#'],[target],.cf-again)");
    if (link instanceof HTMLAnchorElement) link.target = "_blank";
  });
  for (const name of ["cf-submit", "cf-success", "cf-error", "cf-step"]) {
    page.addEventListener(name, (event) => notify({ type: "cf:event", name, detail: (event as CustomEvent).detail }));
  }
}

function enhanceAll(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form.cf-form")) enhance(form);
}

function begin(): void {
  enhanceAll(page);
  fillPlaces(enhanceAll);
  notifyFrame();
}

/** Interface for embed.ts and for pages that add a form later. When a page loads this file twice, the first one stays. */
const known = sharedForms();
if (known === undefined) {
  Object.defineProperty(window, "cfForms", {
    value: { enhance: enhanceAll },
    configurable: true,
    enumerable: true,
    writable: true,
  });
  if (page.readyState === "loading") page.addEventListener("DOMContentLoaded", begin);
  else begin();
} else {
  known.enhance(page);
}
