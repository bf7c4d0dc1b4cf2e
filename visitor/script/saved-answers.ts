/**
 * Saves the answers of a multi-step form in `sessionStorage`, so that they survive a reload until the form is sent.
 * Passwords, files, consents and hidden inputs are never saved. The names of files are, so that the visitor learns which
 * ones to choose again.
 */
import type { Control } from "./fields.ts";
import { type ChosenFiles, chosenFiles } from "./files.ts";
import { restoreKey, submissionKey } from "./submission-key.ts";
import { native } from "./dom.ts";
import { isUnset } from "./unset.ts";

const storageKey = (form: HTMLFormElement): string => `cf:${native(form).action}`;

function savedControls(form: HTMLFormElement): readonly Control[] {
  return [...native(form).querySelectorAll<Control>("input,select,textarea")].filter(
    (control) =>
      control.name !== "" &&
      !control.name.startsWith("_") &&
      !control.matches(
        "[aria-hidden=true] *,[type=password],[type=file],[type=hidden],[type=submit],[type=image],[data-cf-type=consent]",
      ),
  );
}

const isBox = (control: Control): control is HTMLInputElement => control.matches("[type=radio],[type=checkbox]");

const valueOf = (control: Control): string | boolean | readonly number[] => {
  if (isBox(control)) return control.checked;
  if (isUnset(control)) return "";
  return control instanceof HTMLSelectElement && control.multiple
    ? [...control.selectedOptions].map(({ index }) => index)
    : control.value;
};

/** The saved step and file names of a form. */
export interface SavedProgress {
  /** The step that the visitor was at. */
  readonly step: number;
  readonly files: ChosenFiles;
}

const NOTHING_SAVED: SavedProgress = { step: 0, files: [] };

/** Saves the answers, the current step, the submission key and the names of chosen files. */
export function saveAnswers(form: HTMLFormElement, step: number): void {
  try {
    const answers = savedControls(form).map((control) => [control.name, valueOf(control)]);
    sessionStorage.setItem(storageKey(form), JSON.stringify([step, answers, submissionKey(form), chosenFiles(form)]));
  } catch {
    // `sessionStorage` may be blocked or full; then a reload loses the answers.
  }
}

export function forgetAnswers(form: HTMLFormElement): void {
  try {
    sessionStorage.removeItem(storageKey(form));
  } catch {
    // `sessionStorage` may be blocked; then there is nothing to remove.
  }
}

/** Restores saved answers when the form has not changed since. */
export function restoreAnswers(form: HTMLFormElement): SavedProgress {
  try {
    const item = sessionStorage.getItem(storageKey(form));
    if (item === null) return NOTHING_SAVED;
    const [step, stored, key, files = []] = JSON.parse(item) as [
      number,
      [string, ReturnType<typeof valueOf>][],
      unknown,
      ChosenFiles?,
    ];
    const controls = savedControls(form);
    if (stored.length !== controls.length) return NOTHING_SAVED;
    // A submit after a reload must count as a repeat of the one before it.
    restoreKey(form, key);
    for (const [index, control] of controls.entries()) {
      const [name, value] = stored[index] ?? [];
      if (name !== control.name) continue;
      if (typeof value === "boolean") (control as HTMLInputElement).checked = value;
      else if (typeof value === "string") control.value = value;
      else
        for (const option of (control as HTMLSelectElement).options)
          option.selected = value?.includes(option.index) ?? false;
    }
    return { step, files };
  } catch {
    // `sessionStorage` may be blocked, or another version of the form wrote the item.
    return NOTHING_SAVED;
  }
}
