/**
 * The rows of repeating groups. control-aids.ts loads this file when a form has such a group. Without it the buttons
 * send the form, and the server responds with one row more or fewer (src/pages/rows.rs).
 */
import { applyConditions } from "./conditions.ts";
import { element, native, textOf } from "./dom.ts";
import { removeHiddenFaults } from "./faults.ts";
import { fieldName, fieldsOf } from "./fields.ts";
import { restoreAnswers } from "./saved-answers.ts";

const CONTROLS = "input:not([type=hidden]),select,textarea";

class Group {
  readonly #form: HTMLFormElement;
  readonly #element: HTMLElement;
  readonly #name: string;
  readonly #template: HTMLTemplateElement;
  readonly #add: HTMLButtonElement;
  readonly #note = element("p", "cf-note");
  readonly #first: readonly HTMLElement[];
  readonly #changed: () => void;

  constructor(form: HTMLFormElement, group: HTMLElement, template: HTMLTemplateElement, changed: () => void) {
    this.#form = form;
    this.#element = group;
    this.#name = group.dataset["cfRows"] ?? "";
    this.#template = template;
    this.#changed = changed;
    const known = group.querySelector<HTMLButtonElement>(":scope > [name=_cf_add]");
    this.#add = known ?? element("button", "cf-add", group.dataset["repeat"] || textOf(form, "row_add"));
    this.#add.type = "button";
    if (known === null) template.before(this.#add);
    this.#note.setAttribute("role", "status");
    template.before(this.#note);
    this.#add.addEventListener("click", () => {
      const row = this.add(this.#next());
      this.refresh();
      row.querySelector<HTMLElement>(CONTROLS)?.focus();
    });
    for (const row of this.#rows) this.#prepare(row);
    this.#first = this.#rows;
    native(form).addEventListener("reset", () => {
      for (const row of this.#rows) if (!this.#first.includes(row)) row.remove();
      this.#note.replaceChildren();
      this.refresh();
    });
  }

  get #rows(): readonly HTMLElement[] {
    return [...this.#element.querySelectorAll<HTMLElement>(":scope > [data-cf-row]")];
  }

  get numbers(): readonly string[] {
    return this.#rows.map((row) => row.dataset["cfRow"] ?? "");
  }

  #next(): string {
    return String(Math.max(-1, ...this.numbers.map(Number)) + 1);
  }

  /** Adds a row with this number, which is part of its controls' names. */
  add(number: string): HTMLElement {
    const holder = element("div", "");
    // The template is the engine's; only its placeholder is replaced.
    const copy = this.#template.content.cloneNode(true) as DocumentFragment;
    for (const one of copy.querySelectorAll("*"))
      for (const { name, value } of [...one.attributes])
        if (value.includes("{row}")) one.setAttribute(name, value.replaceAll("{row}", number));
    holder.append(copy);
    const row = holder.firstElementChild as HTMLElement;
    this.#add.before(row);
    this.#prepare(row);
    this.#note.replaceChildren();
    return row;
  }

  /** Lets the row's button remove the row without a request. */
  #prepare(row: HTMLElement): void {
    let button = row.querySelector<HTMLButtonElement>(":scope > [name=_cf_remove]");
    if (button === null) {
      const copy = this.#template.content.querySelector("[name=_cf_remove]")?.cloneNode(true);
      if (!(copy instanceof HTMLButtonElement)) return;
      copy.value = copy.value.replace("{row}", row.dataset["cfRow"] ?? "");
      row.append((button = copy));
    }
    button.type = "button";
    button.addEventListener("click", () => {
      const before = row.nextElementSibling;
      const undo = element("button", "cf-inline", textOf(this.#form, "row_undo"));
      undo.type = "button";
      undo.addEventListener("click", () => {
        (before?.isConnected === true ? before : this.#add).before(row);
        this.#note.replaceChildren();
        this.refresh();
        row.querySelector<HTMLElement>(CONTROLS)?.focus();
      });
      const title = row.querySelector("legend")?.textContent ?? "";
      row.remove();
      this.#note.replaceChildren(`${textOf(this.#form, "row_removed").replace("{row}", title)} `, undo);
      this.refresh();
      this.#add.focus();
    });
  }

  /** Renumbers the rows, and shows the buttons that have an effect. */
  refresh(): void {
    const { cfMin = "0", cfMax = "1" } = this.#element.dataset;
    const rows = this.#rows;
    const written = this.#template.content.querySelector("legend")?.textContent ?? "";
    for (const [index, row] of rows.entries()) {
      const title = written.replace("{row}", `${index + 1}`);
      const legend = row.querySelector("legend");
      if (legend) legend.textContent = title;
      const remove = row.querySelector<HTMLElement>(":scope > [name=_cf_remove]");
      if (remove) remove.hidden = rows.length <= Math.max(Number(cfMin), 1);
      const unseen = remove?.querySelector("span");
      if (unseen) unseen.textContent = ` ${title}`;
      // The label contains the row, because faults show it.
      for (const control of row.querySelectorAll<HTMLInputElement>("input[name],select[name],textarea[name]")) {
        const field = fieldsOf(this.#form).get(fieldName(this.#form, control));
        const column = fieldsOf(this.#form).get(field?.column ?? "");
        if (field !== undefined && column !== undefined) field.label = `${column.label} (${title})`;
      }
    }
    this.#add.hidden = rows.length >= Number(cfMax);
    const form = native(this.#form);
    for (const name of ["cf-rows", "input"]) form.dispatchEvent(new CustomEvent(name));
    applyConditions(this.#form);
    removeHiddenFaults(this.#form);
    this.#changed();
  }

  get name(): string {
    return this.#name;
  }
}

/** Starts the repeating groups of a form, with the rows that this tab had. */
export function startRows(form: HTMLFormElement): void {
  const key = `cf-rows:${native(form).action}`;
  const groups: Group[] = [];
  let isReady = false;
  const keep = (): void => {
    if (!isReady) return;
    try {
      sessionStorage.setItem(key, JSON.stringify(groups.map(({ name, numbers }) => [name, numbers])));
    } catch {
      // `sessionStorage` may be blocked or full; then a reload loses the rows.
    }
  };
  // Without script, Enter presses this button.
  native(form).querySelector(".cf-enter")?.remove();
  for (const group of native(form).querySelectorAll<HTMLElement>("[data-cf-rows]")) {
    const template = group.querySelector<HTMLTemplateElement>(":scope > template");
    if (template !== null) groups.push(new Group(form, group, template, keep));
  }
  if (native(form).dataset["again"] === undefined) {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? "[]") as readonly (readonly [string, readonly string[]])[];
      for (const [name, numbers] of kept) {
        const group = groups.find((one) => one.name === name);
        for (const number of numbers.slice(0, 100))
          if (group?.numbers.includes(number) === false && /^\d{1,4}$/.test(number)) group.add(number);
      }
      if (kept.length > 0) restoreAnswers(form);
    } catch {
      // `sessionStorage` may be blocked.
    }
  }
  isReady = true;
  native(form).addEventListener("cf-success", () => {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // `sessionStorage` may be blocked.
    }
  });
  for (const group of groups) group.refresh();
}
