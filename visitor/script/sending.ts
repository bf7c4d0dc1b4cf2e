/**
 * The sending state of a form: the button shows that the form is being sent, a message explains a long wait, and a
 * failure offers a retry. The message is above the button, where the visitor looks; an error is also above the form.
 *
 * A retry sends the same submission key, so nothing is stored twice (submission-key.ts).
 */
import { element, native, textOf } from "./dom.ts";
import { SUBMITS } from "./fields.ts";
import { AWAY } from "./walks.ts";

/** Time after which a message explains the wait, and timeout of the submit. */
const SLOW_MS = 8_000;
const TIMEOUT_MS = 30_000;

/**
 * Minimum speed of a connection, in bytes per millisecond. A form with files has a longer timeout, according to this
 * speed.
 */
const MIN_BYTES_PER_MS = 10;

/** The kind of a failure, which is the key of its message. */
export type SendFailure = "no_answer" | "offline" | "network_error";

/** A button that looks busy, and the elements that are inert meanwhile. */
interface Busy {
  readonly button: HTMLElement;
  readonly inert: readonly HTMLElement[];
}

const busy = new WeakMap<HTMLFormElement, Busy>();

/** Original captions of buttons that show “Sending…” or “Try again”. */
const captions = new WeakMap<HTMLElement, readonly Node[] | string>();

/**
 * Returns the visible button that sends the form: the submitter, or the first visible button of the form or its steps.
 */
export function sendButton(form: HTMLFormElement, submitter: HTMLElement | null = null): HTMLElement | null {
  const buttons = [submitter, ...native(form).querySelectorAll<HTMLElement>(`${SUBMITS},.cf-next:not(.${AWAY})`)];
  return buttons.find((one) => one?.checkVisibility()) ?? submitter;
}

function setCaption(button: HTMLElement, text: string): void {
  const isInput = button instanceof HTMLInputElement;
  if (!captions.has(button)) captions.set(button, isInput ? button.value : [...button.childNodes]);
  if (isInput) button.value = text;
  else button.replaceChildren(text);
}

/** Restores the previous caption of a button. */
function restoreCaption(button: HTMLElement): void {
  const caption = captions.get(button);
  if (typeof caption === "string") (button as HTMLInputElement).value = caption;
  else if (caption !== undefined) button.replaceChildren(...caption);
  captions.delete(button);
}

/** The note above the button, created on demand. */
function noteOf(form: HTMLFormElement): HTMLElement {
  const note = native(form).querySelector<HTMLElement>(".cf-note") ?? element("div", "cf-note");
  const button = sendButton(form);
  if (button === null) native(form).append(note);
  else (button.closest(".cf-field,.cf-step-buttons,.cf-go") ?? button).before(note);
  return note;
}

/** Shows a text above the button; an alert is read at once. */
export function showNote(form: HTMLFormElement, text: string, role: "alert" | "status" | "" = "status"): void {
  const line = element("p", role === "status" ? "cf-message" : "cf-message cf-message-error", text);
  const note = noteOf(form);
  if (role !== "") line.setAttribute("role", role);
  note.replaceChildren(line);
  // The message must not push the button out of view.
  if (role === "alert") sendButton(form)?.scrollIntoView({ block: "nearest" });
}

export const clearNote = (form: HTMLFormElement): void => native(form).querySelector(".cf-note")?.remove();

/** The elements beside an element of the form and beside its ancestors, without messages. */
export function elementsBeside(form: HTMLFormElement, element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let at: Element | null = element; at !== null && at !== form; at = at.parentElement) {
    const siblings: HTMLCollection | readonly Element[] =
      at.parentElement === form ? native(form).children : (at.parentElement?.children ?? []);
    for (const one of siblings)
      if (one !== at && one instanceof HTMLElement && !one.matches(".cf-messages,.cf-note")) found.push(one);
  }
  return found;
}

/** Shows that the form is being sent. */
function begin(form: HTMLFormElement, button: HTMLElement | null): void {
  native(form).classList.add("cf-loading");
  native(form).setAttribute("aria-busy", "true");
  if (button === null) return;
  // The button takes the focus before the fields become inert, because an inert field loses the focus.
  button.focus({ preventScroll: true });
  button.style.minInlineSize = `${button.getBoundingClientRect().width}px`;
  button.setAttribute("aria-disabled", "true");
  setCaption(button, textOf(form, "sending"));
  const inert = elementsBeside(form, button).filter((one) => !one.inert);
  for (const one of inert) one.inert = true;
  busy.set(form, { button, inert });
}

function end(form: HTMLFormElement): void {
  native(form).classList.remove("cf-loading");
  native(form).removeAttribute("aria-busy");
  const { button, inert = [] } = busy.get(form) ?? {};
  busy.delete(form);
  for (const one of inert) one.inert = false;
  button?.removeAttribute("aria-disabled");
  if (button !== undefined) restoreCaption(button);
}

/** The bytes of the files that are sent with the form. */
const fileBytes = (form: HTMLFormElement): number =>
  [...native(form).elements]
    .flatMap((one) => (one instanceof HTMLInputElement && one.name !== "" ? [...(one.files ?? [])] : []))
    .reduce((sum, { size }) => sum + size, 0);

/** Whether the form is being sent. */
export const isSending = (form: HTMLFormElement): boolean => native(form).classList.contains("cf-loading");

/**
 * Shows the sending state, waits for `ready` and runs `post`, with a signal that aborts it when no response arrives.
 * Returns the function of `post` to run after the form is enabled again, or the failure.
 */
export async function whileSending(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  post: (signal: AbortSignal) => Promise<() => void>,
  ready: () => Promise<void>,
): Promise<SendFailure | (() => void)> {
  const stop = new AbortController();
  clearNote(form);
  withdrawRetry(form);
  begin(form, sendButton(form, submitter));
  const timers: ReturnType<typeof setTimeout>[] = [];
  try {
    if (!navigator.onLine) throw new Error("offline");
    await ready();
    timers.push(
      setTimeout(() => showNote(form, textOf(form, "sending_slow")), SLOW_MS),
      setTimeout(() => stop.abort(), TIMEOUT_MS + fileBytes(form) / MIN_BYTES_PER_MS),
    );
    return await post(stop.signal);
  } catch {
    return stop.signal.aborted ? "no_answer" : navigator.onLine ? "network_error" : "offline";
  } finally {
    for (const timer of timers) clearTimeout(timer);
    end(form);
  }
}

/** Offers a retry. */
export function offerRetry(form: HTMLFormElement): void {
  withdrawRetry(form);
  const button = sendButton(form);
  if (button !== null) setCaption(button, textOf(form, "try_again"));
}

/** Withdraws the offer of {@link offerRetry}. */
function withdrawRetry(form: HTMLFormElement): void {
  for (const button of native(form).querySelectorAll<HTMLElement>("button,input[type=submit]")) restoreCaption(button);
}

/**
 * Tells the visitor when the connection is lost and when it is back. Asks before the page is left while the form is
 * being sent or has chosen files.
 */
export function watchConnection(form: HTMLFormElement): void {
  const isShown = (): boolean => native(form).isConnected && !native(form).classList.contains("cf-sent");
  window.addEventListener("offline", () => {
    if (isShown() && !isSending(form)) showNote(form, textOf(form, "offline_now"));
  });
  // The visitor decides whether to send; nothing is sent automatically.
  window.addEventListener("online", () => {
    if (isShown() && native(form).querySelector(".cf-note")) showNote(form, textOf(form, "online_again"));
  });
  window.addEventListener("beforeunload", (event) => {
    // A reload loses chosen files.
    if (isShown() && (isSending(form) || fileBytes(form) > 0)) event.preventDefault();
  });
}
