/** The messages of a form: a region above the form that announces the outcome of a submit and holds the ending. */
import { element, native } from "./dom.ts";
import { showNote } from "./sending.ts";

/** Returns the region for messages, which is created if the markup has none. */
export function messages(form: HTMLFormElement): HTMLElement {
  const found = native(form).querySelector<HTMLElement>(".cf-messages");
  if (found !== null) return found;
  const region = element("div", "cf-messages");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  native(form).prepend(region);
  return region;
}

export function showSuccess(form: HTMLFormElement, text: string): void {
  const region = messages(form);
  region.replaceChildren(element("p", "cf-message cf-message-success", text));
  // The visitor may be at the end of a long form, far from the message.
  region.scrollIntoView({ block: "nearest" });
}

/** Shows a message above the form, and above its button, where the visitor is. Screen readers read it once. */
export function showError(form: HTMLFormElement, text: string): void {
  const region = messages(form);
  region.setAttribute("aria-live", "off");
  region.replaceChildren(element("p", "cf-message cf-message-error", text));
  showNote(form, text, "alert");
}

/** Removes the messages, and the note that answers were restored. */
export function forgetMessages(form: HTMLFormElement): void {
  native(form).querySelector(".cf-kept")?.remove();
  const region = messages(form);
  region.replaceChildren();
  region.setAttribute("aria-live", "polite");
}
