/** The ending of a form, which replaces it after a submit until the visitor opens the form again. */
import { native, page } from "./dom.ts";
import { messages, showSuccess } from "./messages.ts";
import { elementsBeside } from "./sending.ts";
import { parseHtml } from "./trusted.ts";

/** Makes the paths in an embedded form's ending absolute, because they belong to the forms' site. */
function makePathsAbsolute(region: HTMLElement, site: string): void {
  if (site === location.origin) return;
  for (const name of ["href", "src"]) {
    for (const one of region.querySelectorAll(`[${name}^="/"]:not([${name}^="//"])`))
      one.setAttribute(name, site + one.getAttribute(name));
  }
}

/**
 * Replaces the form by its ending, which is HTML from the server, or else by a text. A link in the ending brings the
 * form back and calls `again`.
 */
export function showEnding(form: HTMLFormElement, ending: string | undefined, text: string, again: () => void): void {
  const region = messages(form);
  const others = elementsBeside(form, region).filter(({ hidden }) => !hidden);
  native(form).classList.add("cf-sent");
  for (const other of others) other.hidden = true;
  if (ending === undefined) return showSuccess(form, text);
  region.replaceChildren(...parseHtml(ending).body.childNodes);
  makePathsAbsolute(region, new URL(native(form).action).origin);
  const print = region.querySelector<HTMLElement>(".cf-print");
  if (print !== null) print.hidden = false;
  print?.addEventListener("click", () => window.print());
  // An embedded or framed form needs no link to the site's home page.
  if (page.querySelector("body.cf-page:not(.cf-framed)") === null) region.querySelector(".cf-home")?.remove();
  region.querySelector(".cf-again")?.addEventListener("click", (event) => {
    event.preventDefault();
    region.replaceChildren();
    for (const other of others) other.hidden = false;
    native(form).classList.remove("cf-sent");
    again();
  });
  const shown = region.querySelector<HTMLElement>(".cf-ending");
  shown?.focus({ preventScroll: true });
  // The top of the ending must be visible, also when it is taller than the window.
  region.scrollIntoView({ block: region.getBoundingClientRect().top < 0 ? "start" : "nearest" });
}
