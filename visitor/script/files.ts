/**
 * Checks of chosen files: files that are too large are reported before they are sent, and files that a reload has lost
 * are named beside their fields.
 */
import { labelOf } from "./fields.ts";
import { type ServerFault, faultTexts } from "./faults.ts";
import { element, native, textOf } from "./dom.ts";
import { showStepOf } from "./walks.ts";

/** The names of the files that were chosen, by the names of their inputs. */
export type ChosenFiles = readonly (readonly [input: string, files: readonly string[]])[];

/** Bytes that a multipart body needs for each value in addition to the value itself. */
const VALUE_OVERHEAD_BYTES = 300;

/** The files that a reload has lost, until others are chosen. */
const lostOf = new WeakMap<HTMLInputElement, readonly string[]>();

const fileInputs = (form: HTMLFormElement): readonly HTMLInputElement[] =>
  [...native(form).querySelectorAll<HTMLInputElement>("input[type=file]")].filter(({ name }) => name !== "");

const sizeOf = (input: HTMLInputElement): number => [...(input.files ?? [])].reduce((sum, { size }) => sum + size, 0);

/** Returns a fault for the input with the most bytes; empty when no file is chosen. */
export function sizeFaults(form: HTMLFormElement, message: string): readonly ServerFault[] {
  const inputs = fileInputs(form).filter((input) => sizeOf(input) > 0);
  const [largest] = inputs.sort((one, other) => sizeOf(other) - sizeOf(one));
  if (largest === undefined) return [];
  return [
    { field: largest.name.replace(/\[\]$/, ""), message: `${labelOf(form, largest)}: ${message}`, short: message },
  ];
}

/** Whether the server would reject these values for their size. */
export function isTooLarge(form: HTMLFormElement, data: FormData): boolean {
  const maxBytes = Number(native(form).dataset["maxBytes"] ?? 0);
  const bytes = [...data.values()].reduce(
    (sum, value) => sum + VALUE_OVERHEAD_BYTES + (typeof value === "string" ? value.length : value.size),
    0,
  );
  return maxBytes > 0 && bytes > maxBytes;
}

/** Returns the files that a reload will lose, and the files that the last reload lost. */
export function chosenFiles(form: HTMLFormElement): ChosenFiles {
  // Uploads keep their files themselves (uploads.ts).
  const inputs = fileInputs(form).filter((input) => !("cfUploads" in input.dataset));
  return inputs.flatMap((input) => {
    const chosen = [...(input.files ?? [])].map(({ name }) => name);
    const names = chosen.length > 0 ? chosen : (lostOf.get(input) ?? []);
    return names.length > 0 ? [[input.name, names] as const] : [];
  });
}

/** Shows the names of lost files beside their inputs, and focuses the first input. */
export function showLostFiles(form: HTMLFormElement, chosen: ChosenFiles): void {
  const lost = chosen.flatMap(([name, files]) => {
    const input = fileInputs(form).find((one) => one.name === name);
    // Some browsers keep chosen files across a reload.
    return input === undefined || input.matches(":disabled") || sizeOf(input) > 0 ? [] : [{ input, files }];
  });
  for (const { input, files } of lost) {
    lostOf.set(input, files);
    const { short } = faultTexts(form, textOf(form, "choose_files_again"), input);
    const line = element(
      "p",
      "cf-error",
      short.replace("{files}", () => files.join(", ")),
    );
    line.id = `cf-lost-${native(form).dataset["id"] ?? "form"}-${input.name}`;
    (input.closest("label") ?? input.closest(".cf-drop") ?? input).after(line);
    const describedBy = input.getAttribute("aria-describedby");
    input.setAttribute("aria-describedby", `${describedBy ?? ""} ${line.id}`.trim());
    input.addEventListener(
      "change",
      () => {
        lostOf.delete(input);
        line.remove();
        if (describedBy === null) input.removeAttribute("aria-describedby");
        else input.setAttribute("aria-describedby", describedBy);
      },
      { once: true },
    );
  }
  const [first] = lost;
  if (first === undefined) return;
  showStepOf(form, first.input);
  first.input.focus();
}
