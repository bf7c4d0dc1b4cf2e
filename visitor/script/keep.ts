/**
 * Keeps what was written in a form of several steps over a reload: in this tab alone, and until the
 * form is sent. Passwords, files, consents and hidden inputs are never kept; of files only their names, so that the
 * visitor is told which to choose again.
 */
import type { Control } from "./fields.ts";
import { type ChosenFiles, chosenFiles } from "./files.ts";
import { restoreKey, submissionKey } from "./keys.ts";
import { own } from "./own.ts";
import { isUnset } from "./unset.ts";

const storageKey = (form: HTMLFormElement): string => `cf:${own(form).action}`;

function kept(form: HTMLFormElement): readonly Control[] {
  return [...own(form).querySelectorAll<Control>("input,select,textarea")].filter((control) =>
    control.name !== "" && !control.name.startsWith("_")
    && !control.matches("[aria-hidden=true] *,[type=password],[type=file],[type=hidden],[type=submit],[type=image],[data-cf-type=consent]"));
}

const isBox = (control: Control): control is HTMLInputElement => control.matches("[type=radio],[type=checkbox]");

const valueOf = (control: Control): string | boolean | readonly number[] => {
  if (isBox(control)) return control.checked;
  if (isUnset(control)) return "";
  return control instanceof HTMLSelectElement && control.multiple ? [...control.selectedOptions].map(({ index }) => index) : control.value;
};

/** What was kept of a form. */
export interface Kept {
  /** The step that the visitor was in. */
  readonly step: number;
  readonly files: ChosenFiles;
}

const NOTHING_KEPT: Kept = { step: 0, files: [] };

/** Keeps the answers, the step that they were given in, the key that they are sent with, and the names of chosen files. */
export function keepAnswers(form: HTMLFormElement, step: number): void {
  try {
    const answers = kept(form).map((control) => [control.name, valueOf(control)]);
    sessionStorage.setItem(storageKey(form), JSON.stringify([step, answers, submissionKey(form), chosenFiles(form)]));
  } catch {
    // Where nothing may be stored, nothing is kept.
  }
}

export function forgetAnswers(form: HTMLFormElement): void {
  try {
    sessionStorage.removeItem(storageKey(form));
  } catch {
    // As above.
  }
}

/** Fills in what was kept, where the form is still the same. */
export function restoreAnswers(form: HTMLFormElement): Kept {
  try {
    const item = sessionStorage.getItem(storageKey(form));
    if (item === null) return NOTHING_KEPT;
    const [step, stored, key, files = []] = JSON.parse(item) as [number, [string, ReturnType<typeof valueOf>][], unknown, ChosenFiles?];
    const controls = kept(form);
    if (stored.length !== controls.length) return NOTHING_KEPT;
    // What is sent again after a reload is a repeat.
    restoreKey(form, key);
    for (const [index, control] of controls.entries()) {
      const [name, value] = stored[index] ?? [];
      if (name !== control.name) continue;
      if (typeof value === "boolean") (control as HTMLInputElement).checked = value;
      else if (typeof value === "string") control.value = value;
      else for (const option of (control as HTMLSelectElement).options) option.selected = value?.includes(option.index) ?? false;
    }
    return { step, files };
  } catch {
    // Nothing may be stored here, or another version of the form stored it.
    return NOTHING_KEPT;
  }
}
