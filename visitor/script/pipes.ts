/**
 * Shows answers in later texts. The engine writes the elements and attributes (crates/markup/src/render/pipes.rs); this
 * file updates them while the visitor answers. An answer becomes text, never markup.
 */
import { answerOf } from "./answers.ts";
import { ANSWERS, type Control, fieldName, fieldsOf } from "./fields.ts";
import { native } from "./dom.ts";
import { finderOf, replacePipes } from "./pipe-texts.ts";

const MAX_PIPED_CHARS = 200;

/** The attributes whose texts show answers; each has its text with pipes in `data-cf-text-…`. */
const ATTRIBUTES = ["placeholder", "aria-label"];

function onOneLine(text: string): string {
  const line = [...text.replace(/[^\S\u00a0\u202f]+/g, " ").trim()];
  return line.length > MAX_PIPED_CHARS ? `${line.slice(0, MAX_PIPED_CHARS - 1).join("")}…` : line.join("");
}

/** Returns the pipe's name of a field's part, such as `name.first`, from the name of its input. */
const partName = (field: string, input: string): string => `${field}.${input.slice(field.length + 1, -1)}`;

/** The answers that texts show, by the names of their pipes. Fields that conditions hide are disabled and have none. */
function answers(form: HTMLFormElement): ReadonlyMap<string, string> {
  const texts = new Map<string, string[]>();
  const add = (name: string, text: string): void => {
    if (text !== "") texts.set(name, [...(texts.get(name) ?? []), text]);
  };
  const controls = [...native(form).querySelectorAll<Control>(ANSWERS)];
  // A hidden control counts only when no visible control has an answer.
  for (const isHidden of [false, true]) {
    const known = new Set(texts.keys());
    for (const control of controls) {
      const name = fieldName(form, control);
      const { piped, parts, calc, unit, column } = fieldsOf(form).get(name) ?? {};
      if (
        piped === undefined ||
        calc !== undefined ||
        control.matches(":disabled") ||
        (control.type === "hidden") !== isHidden
      )
        continue;
      if (isHidden && known.has(name)) continue;
      const text = answerOf(form, control).trim();
      const shown = unit === undefined || text === "" ? text : `${text}\u00a0${unit}`;
      add(name, shown);
      // Outside of rows, a name means all rows.
      if (column !== undefined) add(column, shown);
      if (parts?.[control.name] !== undefined) add(partName(name, control.name), text);
    }
  }
  for (const [name, { piped, shown }] of fieldsOf(form)) if (piped !== undefined) add(name, shown ?? "");
  const joined = [...texts].map(([name, list]): [string, string] => [
    name,
    onOneLine(list.join(fieldsOf(form).get(name)?.piped || ", ")),
  ]);
  return new Map(joined.filter(([, text]) => text !== ""));
}

/** Returns a function that finds the fields and parts that the form's pipes may name. */
function finder(form: HTMLFormElement): (written: string) => string | undefined {
  const piped = [...fieldsOf(form)].filter(([, field]) => field.piped !== undefined);
  return finderOf(
    piped.flatMap(([name, { parts }]) => [name, ...Object.keys(parts ?? {}).map((input) => partName(name, input))]),
  );
}

function show(form: HTMLFormElement, find: (written: string) => string | undefined): void {
  const known = answers(form);
  const filled = (text: string): string => replacePipes(text, find, ({ name, words }) => known.get(name) ?? words);
  const all = (selector: string): Iterable<HTMLElement> => native(form).querySelectorAll<HTMLElement>(selector);
  const write = (element: HTMLElement, text: string): void => {
    if (element.textContent !== text) element.textContent = text;
  };
  for (const element of all("[data-cf-pipe]")) {
    const { cfPipe = "", cfElse = "" } = element.dataset;
    write(element, known.get(cfPipe) ?? cfElse);
  }
  for (const element of all("[data-cf-text]")) write(element, filled(element.dataset["cfText"] ?? ""));
  for (const name of ATTRIBUTES)
    for (const element of all(`[data-cf-text-${name}]`))
      element.setAttribute(name, filled(element.getAttribute(`data-cf-text-${name}`) ?? ""));
  // Faults and the review name a field as the visitor sees it.
  for (const field of fieldsOf(form).values()) if (field.text !== undefined) field.label = filled(field.text);
}

/** Starts to show answers in the texts of a form. */
export function startPipes(form: HTMLFormElement): void {
  const update = (): void => {
    // The fields of rows are known once their answers are read.
    answers(form);
    show(form, finder(form));
  };
  for (const name of ["input", "change", "cf-calculated", "cf-rows"]) native(form).addEventListener(name, update);
  native(form).addEventListener("reset", () => setTimeout(update));
  update();
}
