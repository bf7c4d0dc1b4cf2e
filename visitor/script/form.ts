/**
 * The visitor's script. The form works without it. With it, conditional fields follow the visitor's answers at once, a
 * submit does not leave the page, and other pages can embed a form with `<div
 * data-cf-embed="https://example.org/forms/contact/embed"></div>`.
 *
 * Events on the form, as the reference implementation emits them: `cf-submit` (cancelable), `cf-submitted`,
 * `cf-success` and `cf-error`. The last three have the response as `detail`; `cf-error` has null if there is none.
 * `cf-ready` comes before all of them.
 *
 * The server checks all answers again (crates/model/src/logic), so the script's checks only save the visitor time.
 * scripts/visitor-assets.mjs bundles the files of this folder into one, except the parts that load when needed
 * (parts.ts).
 */
import { completeAddresses } from "./addresses.ts";
import { checkChoiceLimits } from "./choice-limits.ts";
import { applyConditions, CONDITIONAL } from "./conditions.ts";
import { aidControls } from "./control-aids.ts";
import { element, native, page, sharedForms, textOf } from "./dom.ts";
import { fillPlaces } from "./embed-places.ts";
import { showEnding } from "./ending.ts";
import { clearFaults, removeHiddenFaults, type ServerFault, showServerFaults, watchFaults } from "./faults.ts";
import { type ChosenFiles, isTooLarge, sizeFaults, showLostFiles } from "./files.ts";
import { notifyFrame } from "./framed.ts";
import { forgetMessages, messages, showError, showSuccess } from "./messages.ts";
import { loadPart } from "./parts.ts";
import { showExtras } from "./range-and-other.ts";
import { forgetAnswers, restoreAnswers, saveAnswers, type SavedProgress } from "./saved-answers.ts";
import { clearNote, isSending, offerRetry, showNote, watchConnection, whileSending } from "./sending.ts";
import { renewKey } from "./submission-key.ts";
import { makeIdsUnique } from "./unique-ids.ts";
import { resetUnset, startUnset } from "./unset.ts";
import { walkOf } from "./walks.ts";

interface SubmitAnswer {
  readonly message?: { readonly type?: string; readonly text?: string };
  readonly hide_form?: boolean;
  /** The ending that replaces the form, as HTML from the server. */
  readonly ending?: string;
  readonly redirect_url?: string;
  readonly code?: string;
  readonly errors?: readonly ServerFault[];
  readonly data?: { readonly request_id?: string };
}

/** Error code of a submit that is too large. */
const TOO_LARGE = "rest_payload_too_large";

const enhanced = new WeakSet<HTMLFormElement>();

/** The part of the script for captchas, by the forms that have any. */
const captchas = new WeakMap<HTMLFormElement, ReturnType<typeof loadPart<"captcha">>>();

/** The part of the script for uploads, by the forms with file fields. */
const uploads = new WeakMap<HTMLFormElement, ReturnType<typeof loadPart<"uploads">>>();

/** The message to show instead of sending a form with captchas; null when every service has given its token. */
const captchaFault = async (form: HTMLFormElement): Promise<string | null | undefined> =>
  (await captchas.get(form))?.captchaFault(form);

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
  forgetMessages(form);
  keepAnswers(form);
  let hasWaited = false;
  const uploaded = async (): Promise<void> => {
    const settled = (await uploads.get(form))?.uploadsSettled(form);
    if (settled === undefined) return;
    hasWaited = true;
    showNote(form, textOf(form, "upload_form_waits"));
    await settled;
    clearNote(form);
  };
  const posted = async (signal: AbortSignal): Promise<() => void> => {
    // An upload failed during the wait.
    if (hasWaited && !isValid(form)) return () => void native(form).checkValidity();
    const fault = await captchaFault(form);
    if (fault == null) return post(form, submitter, signal);
    return () => {
      showError(form, fault);
      emit(form, "cf-error", null);
    };
  };
  const outcome = await whileSending(form, submitter, posted, uploaded);
  if (typeof outcome === "function") return outcome();
  fail(form, textOf(form, outcome));
}

/** Shows why the form could not be sent, and offers a retry. */
function fail(form: HTMLFormElement, text: string): void {
  showError(form, text);
  offerRetry(form);
  emit(form, "cf-error", null);
}

/** Returns the request id of an error, which the site's log contains, in parentheses; empty for a proxy's response. */
const requestIdOf = (response: Response): Promise<string> =>
  response.json().then(
    (answer: SubmitAnswer) => (answer.data?.request_id === undefined ? "" : ` (${answer.data.request_id})`),
    () => "",
  );

const isValid = (form: HTMLFormElement): boolean =>
  [...native(form).elements].every((one) => !(one instanceof HTMLInputElement) || one.validity.valid);

/** Forms whose answers cannot be saved. The visitor gets a note about that only once. */
const unkept = new WeakSet<HTMLFormElement>();

function keepAnswers(form: HTMLFormElement): void {
  if (saveAnswers(form, walkOf(form)?.step ?? 0) || unkept.has(form)) return;
  unkept.add(form);
  showNote(form, textOf(form, "keeps_nothing"));
}

/** Shows a note that answers were restored, with a button to start again. */
function showRestored(form: HTMLFormElement): void {
  const line = element("p", "cf-message", `${textOf(form, "answers_restored")} `);
  const again = element("button", "cf-inline", textOf(form, "start_again"));
  again.type = "button";
  again.addEventListener("click", () => {
    native(form).reset();
    startAnew(form);
    focusFirst(form);
  });
  line.append(again);
  // On a form with steps, the note appears together with the steps. On other forms, which are visible already, the note
  // is at the end, where it shifts no content.
  if (walkOf(form) !== undefined) return messages(form).replaceChildren(line);
  line.classList.add("cf-kept");
  line.setAttribute("role", "status");
  native(form).append(line);
}

/** Focuses the first visible control. */
function focusFirst(form: HTMLFormElement): void {
  [...native(form).elements]
    .find(
      (one): one is HTMLElement =>
        one instanceof HTMLElement && one.matches("input:not([type=hidden]),select,textarea") && one.checkVisibility(),
    )
    ?.focus();
}

/** Prepares a reset form for another submission. */
function startAnew(form: HTMLFormElement): void {
  forgetAnswers(form);
  forgetMessages(form);
  renewKey(form);
  restart(form);
}

/** Sends the answers, and returns a function that handles the response. */
async function post(form: HTMLFormElement, submitter: HTMLElement | null, signal: AbortSignal): Promise<() => void> {
  const hasFiles = native(form).enctype === "multipart/form-data";
  const data = new FormData(
    form,
    submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement ? submitter : null,
  );
  data.append("_cf_script", "1");
  if (hasFiles && isTooLarge(form, data))
    return () => reject(form, { code: TOO_LARGE, message: { text: textOf(form, "body_too_large") } });
  const pairs = [...data].map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : value.name,
  ]);
  try {
    const response = await fetch(native(form).action, {
      method: "POST",
      headers: { accept: "application/json" },
      body: hasFiles ? data : new URLSearchParams(pairs),
      signal,
    });
    if (response.status >= 500) {
      const text = textOf(form, "server_error") + (await requestIdOf(response));
      return () => fail(form, text);
    }
    const answer: SubmitAnswer = await response.json();
    return () => {
      emit(form, "cf-submitted", answer);
      if (response.ok) succeed(form, answer);
      else reject(form, answer);
    };
  } finally {
    // A captcha token is valid for one submit.
    void captchas.get(form)?.then((part) => part?.resetCaptchas(form));
  }
}

function succeed(form: HTMLFormElement, answer: SubmitAnswer): void {
  emit(form, "cf-success", answer);
  forgetAnswers(form);
  if (answer.redirect_url !== undefined && isSafeAddress(answer.redirect_url)) {
    // A path is relative to the forms' site, wherever the form is embedded.
    location.assign(new URL(answer.redirect_url, native(form).action));
    return;
  }
  native(form).reset();
  startAnew(form);
  const text = answer.message?.text ?? "";
  if (answer.hide_form !== true) return showSuccess(form, text);
  showEnding(form, answer.ending, text, () => {
    restart(form);
    focusFirst(form);
  });
}

function reject(form: HTMLFormElement, answer: SubmitAnswer): void {
  emit(form, "cf-error", answer);
  const text = answer.message?.text ?? "";
  const errors = answer.errors ?? [];
  showServerFaults(form, errors.length === 0 && answer.code === TOO_LARGE ? sizeFaults(form, text) : errors, text);
  if (native(form).querySelector(".cf-summary") === null) showError(form, text);
}

/* ---- Starting ---- */

/** Updates the form after a change of an answer. */
function updateForm(form: HTMLFormElement): void {
  checkChoiceLimits(form);
  showExtras(form);
  if (!applyConditions(form)) return;
  removeHiddenFaults(form);
  walkOf(form)?.refresh(false);
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
  walkOf(form)?.refresh(true);
}

/** Loads the captchas of a form that has any. */
function showCaptchas(form: HTMLFormElement): void {
  if (native(form).dataset["captchas"] === undefined) return;
  const loading = loadPart("captcha");
  captchas.set(form, loading);
  void loading.then((part) => part?.showCaptchas(form));
}

/**
 * Loads the uploads of a form with file fields, before its steps, because a list of files belongs to its field's step.
 */
async function showUploads(form: HTMLFormElement): Promise<ChosenFiles> {
  if (native(form).querySelector("input[type=file][name]") === null) return [];
  const loading = loadPart("uploads");
  uploads.set(form, loading);
  return (await loading)?.startUploads(form) ?? [];
}

/** Starts the walk through a form with steps or a review, then shows the form, which the style hides until then. */
async function showSteps(form: HTMLFormElement, saved: SavedProgress): Promise<void> {
  const lost = await showUploads(form);
  const { steps, review } = native(form).dataset;
  if (steps === "conversational") (await loadPart("conversation"))?.startConversation(form, saved.step);
  else if (steps !== undefined || review !== undefined) (await loadPart("steps"))?.startSteps(form, saved.step);
  native(form).classList.add("cf-started");
  if (saved.hasAnswers) showRestored(form);
  showLostFiles(form, [...saved.files, ...lost]);
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
  const saved = restoreAnswers(form);
  startUnset(form);
  checkChoiceLimits(form);
  showExtras(form);
  applyConditions(form);
  // Until now the style has hidden a form with conditions, so that no field visibly disappears.
  native(form).classList.add("cf-settled");
  // `watchFaults` comes after these listeners, because a ticked box may correct its group's fault.
  native(form).addEventListener("input", () => updateForm(form));
  native(form).addEventListener("change", () => updateForm(form));
  watchFaults(form);
  for (const type of ["input", "change"]) native(form).addEventListener(type, () => keepAnswers(form));
  watchConnection(form);
  if (native(form).dataset["save"] !== undefined) void loadPart("resume").then((part) => part?.startSaving(form));
  void showSteps(form, saved);
  aidControls(form);
  native(form).addEventListener("reset", () => setTimeout(() => restart(form)));
  native(form).addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isSending(form)) void send(form, event.submitter);
  });
}

function enhanceAll(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form.cf-form")) enhance(form);
}

function begin(): void {
  enhanceAll(page);
  fillPlaces(enhanceAll);
  notifyFrame();
}

/**
 * Interface for embed.ts and for pages that add a form later. If a page loads this file twice, the first interface
 * stays.
 */
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
