/**
 * Search in long lists: a select with many options, and the countries of an address. form.ts loads this file only when a
 * form has one. The select is still the control that is sent, validated and saved. Without this file it is a plain
 * select, and a country is a text.
 */
import { element, native, rootOf, textOf } from "./dom.ts";

interface Entry {
  readonly text: string;
  /** Normalized text that a search compares. */
  readonly search: string;
  readonly value: string;
  /** Code of a country, which finds it as well. */
  readonly code?: string;
}

const STYLE = `.cf-search{display:block;position:relative}
.cf-searched{position:absolute!important;inline-size:1px!important;block-size:1px;min-block-size:0!important;padding:0!important;margin:0!important;opacity:0;pointer-events:none}
.cf-form .cf-list{position:absolute;z-index:9;inset-inline:0;max-block-size:16rem;margin:.25rem 0 0;padding:.25rem;overflow:auto;list-style:none;text-align:start;font-weight:400;border:1px solid var(--cf-line);border-radius:var(--cf-radius);background:var(--cf-surface);color:var(--cf-text);box-shadow:0 12px 32px -12px rgb(0 0 0/.35)}
.cf-search>[aria-required]{padding-inline-end:2.25rem;background:linear-gradient(45deg,transparent 50%,currentcolor 50%) right 1.2rem center/.35rem .35rem no-repeat,linear-gradient(-45deg,transparent 50%,currentcolor 50%) right .875rem center/.35rem .35rem no-repeat var(--cf-control)}
.cf-search>[aria-required]:dir(rtl){background-position:left .875rem center,left 1.2rem center}
.cf-list>li{padding:.625rem .75rem;border-radius:calc(var(--cf-radius)*.7);cursor:pointer}
.cf-list>[aria-selected=true]{background:var(--cf-tint)}
@media (forced-colors:active){.cf-list>[aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}`;

/** Limit on the entries that show at once. */
const MAX_ENTRIES = 100;

/** Codes of regions that are not countries. */
const NO_COUNTRY = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" ");

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

const entry = (text: string, value: string): Entry => ({ text, value, search: plain(text) });

let count = 0;

/** Makes the list of a combobox, and names it in the input. */
function listOf(input: HTMLInputElement): HTMLElement {
  const list = element("ul", "cf-list");
  list.id = `cf-list-${(count += 1)}`;
  list.setAttribute("role", "listbox");
  list.hidden = true;
  for (const name of ["aria-label", "aria-labelledby"]) {
    const value = input.getAttribute(name);
    if (value !== null) list.setAttribute(name, value);
  }
  const attributes = {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
    "aria-expanded": "false",
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  return list;
}

function lineOf(id: string, text: string): HTMLElement {
  const line = element("li", "", text);
  line.id = id;
  line.setAttribute("role", "option");
  return line;
}

/** The entries that contain a text, or whose code it is; those that begin with it come first. */
function matching(entries: readonly Entry[], searchText: string): readonly Entry[] {
  const all = entries.filter((one) => one.code === searchText || one.search.includes(searchText));
  const rank = (one: Entry): number => (one.code === searchText ? 0 : one.search.startsWith(searchText) ? 1 : 2);
  return all.sort((one, other) => rank(one) - rank(other)).slice(0, MAX_ENTRIES);
}

/** Turns an input into a combobox whose list opens in a box below it. `none` is the text for an empty list. */
function combine(
  input: HTMLInputElement,
  box: HTMLElement,
  none: string,
  entries: () => readonly Entry[],
  pick: (entry: Entry) => void,
): void {
  const list = listOf(input);
  const status = element("p", "cf-hint");
  status.setAttribute("role", "status");
  box.append(list, status);
  let found: readonly Entry[] = [];
  let active = -1;

  function mark(index: number): void {
    active = index;
    for (const [at, line] of [...list.children].entries()) line.setAttribute("aria-selected", String(at === index));
    const line = list.children[index];
    if (line === undefined) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", line.id);
    line.scrollIntoView({ block: "nearest" });
  }
  function close(): void {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  }
  function show(text: string): void {
    const searchText = plain(text);
    found = matching(entries(), searchText);
    list.replaceChildren(...found.map(({ text }, index) => lineOf(`${list.id}-${index}`, text)));
    status.textContent = found.length === 0 ? none : "";
    if (found.length === 0) return close();
    list.hidden = false;
    list.style.insetBlockStart = `${input.getBoundingClientRect().bottom - box.getBoundingClientRect().top}px`;
    input.setAttribute("aria-expanded", "true");
    mark(searchText === "" ? -1 : 0);
  }
  function choose(index: number): void {
    const chosen = found[index];
    close();
    if (chosen !== undefined) pick(chosen);
  }
  input.addEventListener("input", ({ isTrusted }) => isTrusted && show(input.value));
  input.addEventListener("click", () => list.hidden && show(""));
  // When the focus leaves, the active entry is chosen if it matches the typed text.
  input.addEventListener("blur", () => {
    const [searchText, chosen] = [plain(input.value), found[active]];
    const isMeant = found.length === 1 || chosen?.search.startsWith(searchText) || chosen?.code === searchText;
    if (!list.hidden && searchText !== "" && chosen !== undefined && isMeant) choose(active);
    else close();
  });
  input.addEventListener("keydown", (event) => {
    const { key } = event;
    const isOpen = !list.hidden;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (!isOpen) show("");
      else mark((active + (key === "ArrowDown" ? 1 : active < 0 ? 0 : -1) + found.length) % found.length);
    } else if (key === "Enter" && isOpen && active >= 0) choose(active);
    else if (key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
  });
  // The default action would move the focus from the input and click a label around it.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    event.preventDefault();
    choose([...list.children].indexOf((event.target as Element).closest("li") ?? list));
  });
}

function emitChange(control: HTMLElement): void {
  for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
}

/** Names the input by the label of the select. */
function nameLike(select: HTMLSelectElement, input: HTMLInputElement, isInside: boolean): void {
  const label = select.labels[0];
  if (label !== undefined && !isInside)
    input.setAttribute("aria-labelledby", (label.id ||= `cf-label-${(count += 1)}`));
  else {
    const copy = label?.cloneNode(true) as HTMLElement | undefined;
    copy?.querySelector("select")?.remove();
    input.setAttribute("aria-label", select.getAttribute("aria-label") ?? copy?.textContent.trim() ?? select.name);
  }
}

function searchSelect(form: HTMLFormElement, select: HTMLSelectElement): void {
  const [box, input] = [element("span", "cf-search"), element("input", "cf-control")];
  const isInside = select.labels[0]?.contains(select) === true;
  nameLike(select, input, isInside);
  input.autocomplete = "off";
  box.append(input);
  // A label belongs to the first control inside it, and messages are inserted after the select.
  select[isInside ? "after" : "before"](box);
  select.classList.add("cf-searched");
  select.tabIndex = -1;
  select.setAttribute("aria-hidden", "true");
  const showChosen = (): void => {
    select.setCustomValidity("");
    const chosen = select.selectedOptions[0];
    input.value = chosen === undefined || chosen.value === "" ? "" : chosen.label;
    input.placeholder = select.options[0]?.value === "" ? select.options[0].label : "";
  };
  const mirror = (): void => {
    input.disabled = select.disabled;
    input.ariaRequired = String(select.required);
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = select.getAttribute(name);
      if (value === null) input.removeAttribute(name);
      else input.setAttribute(name, value);
    }
  };
  const choices = (): Entry[] =>
    [...select.options]
      .filter(({ value, disabled }) => value !== "" && !disabled)
      .map(({ label, value }) => entry(label, value));
  const choose = (value: string): void => {
    // Clears the fault of a text that matched no option.
    select.setCustomValidity("");
    if (select.value !== value) {
      select.value = value;
      emitChange(select);
    }
    showChosen();
  };
  const none = textOf(form, "no_results");
  combine(input, box, none, choices, ({ value }) => choose(value));
  input.addEventListener("change", (event) => {
    // Only the underlying select may emit `change`.
    event.stopPropagation();
  });
  input.addEventListener("blur", () => {
    const searchText = plain(input.value);
    const chosen = select.selectedOptions[0];
    if (chosen !== undefined && plain(chosen.label) === searchText) return showChosen();
    const found = choices().find((one) => one.search === searchText);
    if (found !== undefined) choose(found.value);
    else if (searchText === "" && select.options[0]?.value === "") choose("");
    else refuse();
  });
  /** Keeps a text that matches no option, and marks it as a fault, so that the form is not sent without it. */
  function refuse(): void {
    if (select.options[0]?.value === "" && select.value !== "") {
      const text = input.value;
      select.value = "";
      emitChange(select);
      input.value = text;
    }
    select.setCustomValidity(input.value === "" ? "" : none);
  }
  input.addEventListener("focus", () => input.select());
  select.addEventListener("focus", () => input.focus());
  select.addEventListener("change", showChosen);
  native(form).addEventListener("reset", () => setTimeout(showChosen));
  new MutationObserver(mirror).observe(select, {
    attributeFilter: ["aria-invalid", "aria-describedby", "disabled", "required"],
  });
  showChosen();
  mirror();
}

/** The countries in the visitor's language, as the browser knows them. The code finds its country too. */
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
  if (label !== undefined) input.setAttribute("aria-labelledby", (label.id ||= `cf-label-${(count += 1)}`));
  const box = element("span", "cf-search");
  input.before(box);
  combine(
    input,
    box,
    "",
    () => (known ??= countries(form)),
    ({ value }) => {
      input.value = value;
      emitChange(input);
    },
  );
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
