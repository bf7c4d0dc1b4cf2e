/**
 * Search in long lists: a select with many options, and the countries of an address. control-aids.ts loads this file
 * only when a form has such a list. The select remains the control that is sent, validated and saved. Without this file
 * the visitor sees the plain select, and a country is a text input.
 */
import { Combobox, type Entry, entry, plain } from "./combobox.ts";
import { element, native, rootOf, textOf } from "./dom.ts";

const STYLE = `.cf-search{display:block;position:relative}
.cf-searched{position:absolute!important;inline-size:1px!important;block-size:1px;min-block-size:0!important;padding:0!important;margin:0!important;opacity:0;pointer-events:none}
.cf-form .cf-list{position:absolute;z-index:9;inset-inline:0;max-block-size:16rem;margin:.25rem 0 0;padding:.25rem;overflow:auto;list-style:none;text-align:start;font-weight:400;border:1px solid var(--cf-line);border-radius:var(--cf-radius);background:var(--cf-surface);color:var(--cf-text);box-shadow:0 12px 32px -12px rgb(0 0 0/.35)}
.cf-search>[aria-required]{padding-inline-end:2.25rem;background:linear-gradient(45deg,transparent 50%,currentcolor 50%) right 1.2rem center/.35rem .35rem no-repeat,linear-gradient(-45deg,transparent 50%,currentcolor 50%) right .875rem center/.35rem .35rem no-repeat var(--cf-control)}
.cf-search>[aria-required]:dir(rtl){background-position:left .875rem center,left 1.2rem center}
.cf-list>li{padding:.625rem .75rem;border-radius:calc(var(--cf-radius)*.7);cursor:pointer}
.cf-list>[aria-selected=true]{background:var(--cf-tint)}
@media (forced-colors:active){.cf-list>[aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}`;

/** Codes of regions that are not countries. */
const NO_COUNTRY = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" ");

let labels = 0;

/** Returns a label's id, and sets one if it is missing. */
const idOf = (label: HTMLElement): string => (label.id ||= `cf-label-${(labels += 1)}`);

function emitChange(control: HTMLElement): void {
  for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
}

/** Labels the input with the select's label. */
function nameLike(select: HTMLSelectElement, input: HTMLInputElement, isInside: boolean): void {
  const label = select.labels[0];
  if (label !== undefined && !isInside) input.setAttribute("aria-labelledby", idOf(label));
  else {
    const copy = label?.cloneNode(true) as HTMLElement | undefined;
    copy?.querySelector("select")?.remove();
    input.setAttribute("aria-label", select.getAttribute("aria-label") ?? copy?.textContent.trim() ?? select.name);
  }
}

/** A select, and the input that searches it. `none` is the text for no matching option. */
interface Searched {
  readonly select: HTMLSelectElement;
  readonly input: HTMLInputElement;
  readonly none: string;
}

/** Covers the select with the input. Returns the box around the input. */
function coverSelect({ select, input }: Searched): HTMLElement {
  const box = element("span", "cf-search");
  const isInside = select.labels[0]?.contains(select) === true;
  nameLike(select, input, isInside);
  input.autocomplete = "off";
  box.append(input);
  // A label belongs to the first control inside it, and messages are inserted after the select.
  select[isInside ? "after" : "before"](box);
  select.classList.add("cf-searched");
  select.tabIndex = -1;
  select.setAttribute("aria-hidden", "true");
  return box;
}

/** Shows the chosen option in the input. */
function showChosen({ select, input }: Searched): void {
  select.setCustomValidity("");
  const chosen = select.selectedOptions[0];
  input.value = chosen === undefined || chosen.value === "" ? "" : chosen.label;
  input.placeholder = select.options[0]?.value === "" ? select.options[0].label : "";
}

/** Gives the input the state of the select. */
function mirrorState({ select, input }: Searched): void {
  input.disabled = select.disabled;
  input.ariaRequired = String(select.required);
  for (const name of ["aria-invalid", "aria-describedby"]) {
    const value = select.getAttribute(name);
    if (value === null) input.removeAttribute(name);
    else input.setAttribute(name, value);
  }
}

const choicesOf = (select: HTMLSelectElement): Entry[] =>
  [...select.options]
    .filter(({ value, disabled }) => value !== "" && !disabled)
    .map(({ label, value }) => entry(label, value));

function choose(searched: Searched, value: string): void {
  const { select } = searched;
  // Clears the fault of a text that matched no option.
  select.setCustomValidity("");
  if (select.value !== value) {
    select.value = value;
    emitChange(select);
  }
  showChosen(searched);
}

/** Keeps a text that matches no option, and marks it as a fault, so that the form is not sent without the answer. */
function refuse({ select, input, none }: Searched): void {
  if (select.options[0]?.value === "" && select.value !== "") {
    const text = input.value;
    select.value = "";
    emitChange(select);
    input.value = text;
  }
  select.setCustomValidity(input.value === "" ? "" : none);
}

/** Chooses the option that the text names, when the visitor leaves the input. */
function chooseByText(searched: Searched): void {
  const { select, input } = searched;
  const searchText = plain(input.value);
  const chosen = select.selectedOptions[0];
  if (chosen !== undefined && plain(chosen.label) === searchText) return showChosen(searched);
  const found = choicesOf(select).find((one) => one.search === searchText);
  if (found !== undefined) choose(searched, found.value);
  else if (searchText === "" && select.options[0]?.value === "") choose(searched, "");
  else refuse(searched);
}

function searchSelect(form: HTMLFormElement, select: HTMLSelectElement): void {
  const searched: Searched = { select, input: element("input", "cf-control"), none: textOf(form, "no_results") };
  const { input, none } = searched;
  const box = coverSelect(searched);
  const pick = ({ value }: Entry): void => choose(searched, value);
  new Combobox({ input, box, none, entries: () => choicesOf(select), pick }).listen();
  input.addEventListener("change", (event) => {
    // Only the underlying select may emit `change`.
    event.stopPropagation();
  });
  input.addEventListener("blur", () => chooseByText(searched));
  input.addEventListener("focus", () => input.select());
  select.addEventListener("focus", () => input.focus());
  select.addEventListener("change", () => showChosen(searched));
  native(form).addEventListener("reset", () => setTimeout(() => showChosen(searched)));
  new MutationObserver(() => mirrorState(searched)).observe(select, {
    attributeFilter: ["aria-invalid", "aria-describedby", "disabled", "required"],
  });
  showChosen(searched);
  mirrorState(searched);
}

/** Returns the countries with the browser's names in the visitor's language. A search finds their codes too. */
function countries(form: HTMLFormElement): readonly Entry[] {
  const ofPage = native(form).closest("[lang]")?.getAttribute("lang") || "en";
  // The page of a form without a language has `lang="en"`, even when its texts are in another language.
  const language = ofPage === "en" ? navigator.language : ofPage;
  const names = new Intl.DisplayNames([language, "en"], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NO_COUNTRY.includes(code));
  // Former codes have the names of current countries, so the map keeps one of them.
  const all = new Map(
    codes.toReversed().flatMap((code): [string, string][] => {
      const name = names.of(code);
      return name === undefined ? [] : [[name, code]];
    }),
  );
  const { compare } = new Intl.Collator(language);
  const sorted = [...all].sort(([one], [other]) => compare(one, other));
  return sorted.map(([name, code]) => ({ ...entry(name, name), code: code.toLowerCase() }));
}

function searchCountries(form: HTMLFormElement, input: HTMLInputElement): void {
  let known: readonly Entry[] | undefined;
  const label = input.labels?.[0];
  if (label !== undefined) input.setAttribute("aria-labelledby", idOf(label));
  const box = element("span", "cf-search");
  input.before(box);
  const pick = ({ value }: Entry): void => {
    input.value = value;
    emitChange(input);
  };
  new Combobox({ input, box, none: "", entries: () => (known ??= countries(form)), pick }).listen();
}

const styled = new WeakSet<Document | ShadowRoot>();

/** Makes long lists of a form searchable. */
export function searchLists(form: HTMLFormElement, lists: readonly (HTMLSelectElement | HTMLInputElement)[]): void {
  const root = rootOf(form);
  if (!styled.has(root)) {
    styled.add(root);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets.push(sheet);
  }
  for (const list of lists) {
    if (list instanceof HTMLSelectElement) searchSelect(form, list);
    else searchCountries(form, list);
  }
}
