/** A text input with a list of entries that match its text (the combobox of the ARIA practices). */
import { element } from "./dom.ts";

/** An entry of a list. */
export interface Entry {
  readonly text: string;
  /** Normalized text that a search compares. */
  readonly search: string;
  readonly value: string;
  /** Code of a country, which a search finds too. */
  readonly code?: string;
}

/** Limit on the entries that show at once. */
const MAX_ENTRIES = 100;

/** Removes accents and case from a text, for comparisons. */
export const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

export const entry = (text: string, value: string): Entry => ({ text, value, search: plain(text) });

let count = 0;

/** Creates the list of a combobox, and refers the input to the list. */
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

/**
 * Returns the entries that contain the text or have it as their code. A code comes first, then entries that begin with
 * the text.
 */
function matching(entries: readonly Entry[], searchText: string): readonly Entry[] {
  const all = entries.filter((one) => one.code === searchText || one.search.includes(searchText));
  const rank = (one: Entry): number => (one.code === searchText ? 0 : one.search.startsWith(searchText) ? 1 : 2);
  return all.sort((one, other) => rank(one) - rank(other)).slice(0, MAX_ENTRIES);
}

/** Parts of a combobox. */
interface Parts {
  readonly input: HTMLInputElement;
  /** The element around the input, where the list opens. */
  readonly box: HTMLElement;
  /** Text that is shown if no entry matches. */
  readonly none: string;
  readonly entries: () => readonly Entry[];
  readonly pick: (entry: Entry) => void;
}

/** The list of an input, with its active entry. */
export class Combobox {
  readonly #parts: Parts;
  readonly #list: HTMLElement;
  readonly #status: HTMLElement;
  #found: readonly Entry[] = [];
  #active = -1;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#list = listOf(parts.input);
    this.#status = element("p", "cf-hint");
    this.#status.setAttribute("role", "status");
    parts.box.append(this.#list, this.#status);
  }

  /** Opens and closes the list as the visitor types, clicks and presses keys. */
  listen(): void {
    const { input } = this.#parts;
    const list = this.#list;
    input.addEventListener("input", ({ isTrusted }) => isTrusted && this.#show(input.value));
    input.addEventListener("click", () => list.hidden && this.#show(""));
    input.addEventListener("blur", () => this.#leave());
    input.addEventListener("keydown", (event) => {
      if (this.#press(event.key)) event.preventDefault();
    });
    // The default action would move the focus from the input and click a label around it.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      event.preventDefault();
      this.#choose([...list.children].indexOf((event.target as Element).closest("li") ?? list));
    });
  }

  #mark(index: number): void {
    const { input } = this.#parts;
    this.#active = index;
    const lines = [...this.#list.children];
    for (const [at, line] of lines.entries()) line.setAttribute("aria-selected", String(at === index));
    const line = lines[index];
    if (line === undefined) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", line.id);
    line.scrollIntoView({ block: "nearest" });
  }

  #close(): void {
    this.#list.hidden = true;
    this.#parts.input.setAttribute("aria-expanded", "false");
    this.#mark(-1);
  }

  /** Shows the entries that match a text. */
  #show(text: string): void {
    const { input, box, none, entries } = this.#parts;
    const list = this.#list;
    const searchText = plain(text);
    this.#found = matching(entries(), searchText);
    list.replaceChildren(...this.#found.map(({ text }, index) => lineOf(`${list.id}-${index}`, text)));
    this.#status.textContent = this.#found.length === 0 ? none : "";
    if (this.#found.length === 0) return this.#close();
    list.hidden = false;
    list.style.insetBlockStart = `${input.getBoundingClientRect().bottom - box.getBoundingClientRect().top}px`;
    input.setAttribute("aria-expanded", "true");
    this.#mark(searchText === "" ? -1 : 0);
  }

  #choose(index: number): void {
    const chosen = this.#found[index];
    this.#close();
    if (chosen !== undefined) this.#parts.pick(chosen);
  }

  /** When the focus leaves, chooses the active entry if it matches the typed text. */
  #leave(): void {
    const found = this.#found;
    const [searchText, chosen] = [plain(this.#parts.input.value), found[this.#active]];
    const isMeant = found.length === 1 || chosen?.search.startsWith(searchText) || chosen?.code === searchText;
    if (!this.#list.hidden && searchText !== "" && chosen !== undefined && isMeant) this.#choose(this.#active);
    else this.#close();
  }

  /** Handles a key; returns whether the list used the key. */
  #press(key: string): boolean {
    const isOpen = !this.#list.hidden;
    const [active, { length }] = [this.#active, this.#found];
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (!isOpen) this.#show("");
      else this.#mark((active + (key === "ArrowDown" ? 1 : active < 0 ? 0 : -1) + length) % length);
    } else if (key === "Enter" && isOpen && active >= 0) this.#choose(active);
    else if (key === "Escape" && isOpen) this.#close();
    else return false;
    return true;
  }
}
