/**
 * Files that a form cannot take or keep: those that are too large are told before they are sent, and those that a
 * reload has lost are named beside their fields.
 */
import { labelOf } from "./fields.ts";
import { type ServerFault, wordsOf } from "./faults.ts";
import { element, own, textOf } from "./own.ts";
import { showStepOf } from "./steps.ts";

/** The names of the files that were chosen, by the names of their inputs. */
export type ChosenFiles = readonly (readonly [input: string, files: readonly string[]])[];

/** What the body of a request takes for each value beside it. */
const BYTES_BESIDE_VALUE = 300;

/** The files that a reload has lost, until others are chosen. */
const lostOf = new WeakMap<HTMLInputElement, readonly string[]>();

const fileInputs = (form: HTMLFormElement): readonly HTMLInputElement[] =>
  [...own(form).querySelectorAll<HTMLInputElement>("input[type=file]")].filter(({ name }) => name !== "");

const sizeOf = (input: HTMLInputElement): number => [...(input.files ?? [])].reduce((sum, { size }) => sum + size, 0);

/** The fault of the input with the most bytes; none where no file is chosen. */
export function sizeFaults(form: HTMLFormElement, message: string): readonly ServerFault[] {
  const inputs = fileInputs(form).filter((input) => sizeOf(input) > 0);
  const [largest] = inputs.sort((one, other) => sizeOf(other) - sizeOf(one));
  if (largest === undefined) return [];
  return [{ field: largest.name.replace(/\[\]$/, ""), message: `${labelOf(form, largest)}: ${message}`, short: message }];
}

/** Whether a form's server would refuse these values for their size. */
export function isTooLarge(form: HTMLFormElement, data: FormData): boolean {
  const most = Number(own(form).dataset["maxBytes"] ?? 0);
  const bytes = [...data.values()].reduce((sum, value) => sum + BYTES_BESIDE_VALUE + (typeof value === "string" ? value.length : value.size), 0);
  return most > 0 && bytes > most;
}

/** What a reload will lose, and what the last one has. */
export function chosenFiles(form: HTMLFormElement): ChosenFiles {
  return fileInputs(form).flatMap((input) => {
    const chosen = [...(input.files ?? [])].map(({ name }) => name);
    const names = chosen.length > 0 ? chosen : (lostOf.get(input) ?? []);
    return names.length > 0 ? [[input.name, names] as const] : [];
  });
}

/** Names the files that were lost beside their inputs, and leads to the first. */
export function tellLostFiles(form: HTMLFormElement, chosen: ChosenFiles): void {
  const lost = chosen.flatMap(([name, files]) => {
    const input = fileInputs(form).find((one) => one.name === name);
    // Some browsers keep them.
    return input === undefined || input.matches(":disabled") || sizeOf(input) > 0 ? [] : [{ input, files }];
  });
  for (const { input, files } of lost) {
    lostOf.set(input, files);
    const { short } = wordsOf(form, textOf(form, "choose_files_again"), input);
    const line = element("p", "cf-error", short.replace("{files}", () => files.join(", ")));
    line.id = `cf-lost-${own(form).dataset["id"] ?? "form"}-${input.name}`;
    (input.closest("label") ?? input).after(line);
    const describedBy = input.getAttribute("aria-describedby");
    input.setAttribute("aria-describedby", `${describedBy ?? ""} ${line.id}`.trim());
    input.addEventListener("change", () => {
      lostOf.delete(input);
      line.remove();
      if (describedBy === null) input.removeAttribute("aria-describedby");
      else input.setAttribute("aria-describedby", describedBy);
    }, { once: true });
  }
  const [first] = lost;
  if (first === undefined) return;
  showStepOf(form, first.input);
  first.input.focus();
}
