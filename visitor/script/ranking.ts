/**
 * Rankings: a list whose options move up and down. The page has a select for each place, and the selects remain the
 * controls that are sent and saved. Nothing is ranked before the first move.
 */
import { element, native, textOf } from "./dom.ts";
import { fieldOf } from "./fields.ts";

/** An option of a ranking with its element in the list. */
interface Row {
  readonly value: string;
  readonly label: string;
  readonly item: HTMLLIElement;
  readonly place: HTMLElement;
  readonly buttons: readonly HTMLButtonElement[];
}

class Ranking {
  readonly #form: HTMLFormElement;
  readonly #selects: readonly HTMLSelectElement[];
  readonly #list = element("ol", "cf-rank");
  readonly #status = element("p", "cf-unseen");
  readonly #clear: HTMLButtonElement;
  #rows: Row[];
  #dragged: Row | undefined;

  constructor(form: HTMLFormElement, places: HTMLElement) {
    this.#form = form;
    this.#selects = [...places.querySelectorAll("select")];
    const options = [...(this.#selects[0]?.options ?? [])].filter(({ value }) => value !== "");
    this.#rows = options.map(({ value, label }) => this.#row(value, label));
    this.#clear = this.#button("cf-clear", textOf(form, "clear_answer"), () => this.#write([]));
    this.#list.setAttribute("role", "list");
    this.#status.setAttribute("role", "status");
    for (const control of places.querySelectorAll("select,label")) control.setAttribute("aria-hidden", "true");
    for (const select of this.#selects) {
      select.tabIndex = -1;
      select.addEventListener("focus", () => this.#rows[0]?.buttons[1]?.focus());
      select.addEventListener("change", () => this.#show());
    }
    native(form).addEventListener("reset", () => setTimeout(() => this.#show()));
    places.classList.add("cf-ranked");
    places.after(element("p", "cf-hint", textOf(form, "rank_hint")), this.#list, this.#clear, this.#status);
    this.#show();
  }

  #button(className: string, text: string, act: () => void): HTMLButtonElement {
    const button = element("button", className, text);
    button.type = "button";
    button.addEventListener("click", act);
    return button;
  }

  #row(value: string, label: string): Row {
    const item = element("li", "");
    const place = element("b", "");
    const move = (key: string, sign: string, by: number): HTMLButtonElement => {
      const button = this.#button("", sign, () => {
        this.#move(row, this.#rows.indexOf(row) + by);
        (button.disabled ? row.buttons[by > 0 ? 0 : 1] : button)?.focus();
      });
      button.setAttribute("aria-label", textOf(this.#form, key).replace("{option}", label));
      return button;
    };
    const row: Row = {
      value,
      label,
      item,
      place,
      buttons: [move("rank_up", "↑", -1), move("rank_down", "↓", 1)],
    };
    item.append(place, element("span", "", label), ...row.buttons);
    item.draggable = true;
    item.addEventListener("dragstart", () => (this.#dragged = row));
    item.addEventListener("dragend", () => (this.#dragged = undefined));
    item.addEventListener("dragover", (event) => {
      if (this.#dragged === undefined) return;
      event.preventDefault();
      if (this.#dragged !== row) this.#move(this.#dragged, this.#rows.indexOf(row));
    });
    item.addEventListener("drop", (event) => event.preventDefault());
    return row;
  }

  /** Returns the options of the selects, from the first place to the last. */
  #ranked(): string[] {
    return this.#selects.map(({ value }) => value).filter((value) => value !== "");
  }

  #move(row: Row, to: number): void {
    if (row.item.closest("fieldset:disabled") !== null || to < 0 || to >= this.#rows.length) return;
    const rows = this.#rows.filter((one) => one !== row);
    rows.splice(to, 0, row);
    this.#rows = rows;
    this.#write(rows.map(({ value }) => value));
    this.#status.textContent = textOf(this.#form, "rank_moved")
      .replace("{option}", row.label)
      .replace("{place}", `${to + 1}`)
      .replace("{count}", `${rows.length}`);
  }

  #write(values: readonly string[]): void {
    for (const [index, select] of this.#selects.entries()) select.value = values[index] ?? "";
    for (const name of ["input", "change"]) this.#selects[0]?.dispatchEvent(new Event(name, { bubbles: true }));
    this.#show();
  }

  /** Shows the order of the selects; options without a place follow in their previous order. */
  #show(): void {
    const ranked = this.#ranked();
    const of = ({ value }: Row): number => (ranked.includes(value) ? ranked.indexOf(value) : ranked.length);
    this.#rows = this.#rows.toSorted((one, other) => of(one) - of(other));
    for (const [index, { item, place, buttons }] of this.#rows.entries()) {
      if (this.#list.children[index] !== item) this.#list.insertBefore(item, this.#list.children[index] ?? null);
      place.textContent = index < ranked.length ? `${index + 1}` : "–";
      const ends = [index === 0, index === this.#rows.length - 1];
      for (const [at, button] of buttons.entries()) button.disabled = ends[at] === true;
    }
    const [first] = this.#selects;
    const isRequired = first !== undefined && fieldOf(this.#form, first)?.required === true;
    this.#clear.hidden = ranked.length === 0 || isRequired;
  }
}

/** Turns the rankings of a form into lists, also in rows that are added later. */
export function startRankings(form: HTMLFormElement): void {
  const start = (): void => {
    for (const places of native(form).querySelectorAll<HTMLElement>("[data-cf-rank]:not(.cf-ranked)"))
      new Ranking(form, places);
  };
  native(form).addEventListener("cf-rows", start);
  start();
}
