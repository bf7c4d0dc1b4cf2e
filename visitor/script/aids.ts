/**
 * Small aids beside a control: a button that shows a password, the number of characters left near a limit, a hint
 * about a misspelt email address, the comparison with a second input, and the check of a date's parts. control-aids.ts
 * loads this module when a form has such a control.
 */
import { setFault } from "./choice-limits.ts";
import { dateOf } from "./conditions.ts";
import { element, native, page, textOf } from "./dom.ts";
import { afterPointerUp } from "./faults.ts";
import { AIDED, type Control } from "./fields.ts";

/**
 * Domains of common email providers. A hint suggests only domains with a long name, because short names resemble many
 * others.
 */
const DOMAINS =
  "gmail.com googlemail.com yahoo.com hotmail.com outlook.com icloud.com protonmail.com mail.com gmx.de gmx.net gmx.at web.de t-online.de freenet.de yahoo.de hotmail.de outlook.de orange.fr laposte.net wanadoo.fr yahoo.fr hotmail.fr libero.it yahoo.it hotmail.it hotmail.es yahoo.es hotmail.co.uk yahoo.co.uk btinternet.com comcast.net verizon.net interia.pl yandex.com yandex.ru ymail.com rocketmail.com".split(
    " ",
  );
const MIN_NAME_LENGTH = 5;

/** Share of a limit; a longer text shows the remaining characters. */
const NEAR_LIMIT = 0.8;

/** Pause after a letter before a hint about the answer is shown or read aloud, in milliseconds. */
const PAUSE_MS = 800;

/** Whether two texts differ by one letter that is wrong, missing, added, or exchanged with its neighbour. */
function differsByOne(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}

/**
 * Returns the address with a common provider's domain that differs by one letter; undefined if there is no such
 * provider.
 */
export function meantAddress(address: string): string | undefined {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1 || domain === "" || DOMAINS.includes(domain)) return undefined;
  const meant = DOMAINS.find(
    (one) => one.indexOf(".") >= MIN_NAME_LENGTH && one !== domain && differsByOne(one, domain),
  );
  return meant === undefined ? undefined : `${address.slice(0, at + 1)}${meant}`;
}

function textButton(text: string, act: () => void): HTMLButtonElement {
  const button = element("button", "cf-inline", text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/** Inserts a line below a control, or below the label around it. */
function placeBelow(control: Element, line: HTMLElement): void {
  (control.closest("label,.cf-secret") ?? control).after(line);
}

/** Offers the corrected address below the input. */
function hintTypos(form: HTMLFormElement, input: HTMLInputElement): void {
  const line = element("p", "cf-hint");
  line.setAttribute("role", "status");
  let timer = 0;
  const hint = (): void => {
    clearTimeout(timer);
    const meant = input.multiple ? undefined : meantAddress(input.value.trim());
    if (meant === undefined) return line.replaceChildren();
    const [before = "", after = ""] = textOf(form, "typo_hint").split("{address}");
    const accept = textButton(meant, () => {
      input.value = meant;
      for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
      input.focus();
    });
    if (!line.isConnected) placeBelow(input, line);
    line.replaceChildren(before, accept, after);
  };
  input.addEventListener("input", () => {
    line.replaceChildren();
    clearTimeout(timer);
    timer = window.setTimeout(hint, PAUSE_MS);
  });
  input.addEventListener("change", () => afterPointerUp(hint));
}

/** Shows the number of characters left when a text comes near its limit. */
function countCharacters(form: HTMLFormElement, control: HTMLInputElement | HTMLTextAreaElement): void {
  const [shown, read] = [element("p", "cf-hint"), element("p", "cf-unseen")];
  shown.setAttribute("aria-hidden", "true");
  read.setAttribute("role", "status");
  let timer = 0;
  const update = (): void => {
    const { length } = control.value;
    const isNear = length >= control.maxLength * NEAR_LIMIT;
    const text = isNear ? textOf(form, "characters_left").replace("{count}", `${control.maxLength - length}`) : "";
    if (isNear && !shown.isConnected) {
      placeBelow(control, read);
      placeBelow(control, shown);
    }
    shown.textContent = text;
    clearTimeout(timer);
    timer = window.setTimeout(() => (read.textContent = text), PAUSE_MS);
  };
  control.addEventListener("input", update);
}

/**
 * Beginning of the names of inputs that repeat an answer, such as `_cf_again[email]`
 * (crates/markup/src/render/control.rs).
 */
const REPEATED = "_cf_again[";

/** Compares an answer with its repetition while the visitor types. The server does the same. */
function compare(form: HTMLFormElement, again: HTMLInputElement): void {
  const name = CSS.escape(again.name.slice(REPEATED.length, -1));
  const first = native(form).querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const update = (): void =>
    setFault(form, again, first?.value.trim() === again.value.trim() ? undefined : { key: "not_repeated" });
  for (const input of [first, again]) input?.addEventListener("input", update);
}

/** Marks the last part of a date if the parts together are not a day. */
function checkDate(form: HTMLFormElement, parts: readonly HTMLInputElement[], last: HTMLInputElement): void {
  const check = ({ target }: Event): void => {
    const isWrong = dateOf(parts) === "" && parts.some(({ value }) => value.trim() !== "");
    setFault(form, last, isWrong ? { key: "invalid_date" } : undefined);
    // The event makes a correction of another part remove the message at the last part.
    if (target !== last) last.dispatchEvent(new Event("input", { bubbles: true }));
  };
  for (const part of parts) part.addEventListener("input", check);
}

const SVG = "http://www.w3.org/2000/svg";

/** An eye, which is crossed out while the password shows. */
function eye(): SVGElement {
  const icon = page.createElementNS(SVG, "svg");
  for (const [name, value] of [
    ["viewBox", "0 0 24 24"],
    ["width", "24"],
    ["height", "24"],
    ["aria-hidden", "true"],
  ] as const)
    icon.setAttribute(name, value);
  for (const d of ["M2 12q10-14 20 0-10 14-20 0z", "M12 9a3 3 0 1 0 .01 0z", "M4 4l16 16"]) {
    const path = page.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    icon.append(path);
  }
  return icon;
}

/** Adds a button that shows the password. */
function showSecret(form: HTMLFormElement, input: HTMLInputElement): void {
  const box = element("span", "cf-secret");
  const button = element("button", "cf-eye");
  button.type = "button";
  button.append(eye());
  // While the password is visible, the input's type does not mark it as a secret.
  input.dataset["cfSecret"] = "";
  const show = (isShown: boolean): void => {
    input.type = isShown ? "text" : "password";
    button.setAttribute("aria-label", textOf(form, isShown ? "hide_password" : "show_password"));
    button.classList.toggle("cf-shows", isShown);
  };
  button.addEventListener("click", () => show(input.type === "password"));
  for (const type of ["submit", "reset"]) native(form).addEventListener(type, () => show(false));
  const hadFocus = input.matches(":focus");
  input.before(box);
  box.append(input, button);
  if (hadFocus) input.focus();
  button.style.insetBlockStart = `${input.offsetTop}px`;
  button.style.blockSize = `${input.offsetHeight}px`;
  show(false);
}

/** Adds the aids to a form. */
export function addAids(form: HTMLFormElement): void {
  for (const box of native(form).querySelectorAll(".cf-date")) {
    const parts = [...box.querySelectorAll("input")];
    const last = parts.at(-1);
    if (last !== undefined) checkDate(form, parts, last);
  }
  for (const control of native(form).querySelectorAll<Exclude<Control, HTMLSelectElement>>(AIDED)) {
    if (control.closest("[aria-hidden=true],.cf-other") !== null) continue;
    const isRepeated = control.name.startsWith(REPEATED);
    if (isRepeated) compare(form, control as HTMLInputElement);
    if (control instanceof HTMLInputElement && control.type === "password") showSecret(form, control);
    else if (control.maxLength > 0) countCharacters(form, control);
    if (control instanceof HTMLInputElement && control.type === "email" && !isRepeated) hintTypos(form, control);
  }
}
