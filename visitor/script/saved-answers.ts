/**
 * Saves the answers of a form in `sessionStorage`, so that they survive a reload until the form is sent. Passwords,
 * files, consents and hidden inputs are never saved. The names of files are saved, so that the visitor learns which
 * files to choose again.
 */
import type { Control } from "./fields.ts";
import { type ChosenFiles, chosenFiles } from "./files.ts";
import { restoreKey, submissionKey } from "./submission-key.ts";
import { native } from "./dom.ts";
import { isUnset } from "./unset.ts";

/**
 * Answers are stored separately for each query that fills in fields, so that links with different queries do not share
 * answers.
 */
const storageKey = (form: HTMLFormElement): string =>
  `cf:${native(form).action}${native(form).querySelector("[data-cf-prefilled]") === null ? "" : location.search}`;

function savedControls(form: HTMLFormElement): readonly Control[] {
  return [...native(form).querySelectorAll<Control>("input,select,textarea")].filter(
    (control) =>
      control.name !== "" &&
      // An input that repeats an answer is saved too, because a reload empties it.
      !/^_(?!cf_again\[)/.test(control.name) &&
      !control.matches(
        "[aria-hidden=true] *,[type=password],[data-cf-secret],[type=file],[type=hidden],[type=submit],[type=image],[data-cf-type=consent]",
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
  /** Whether an answer was restored. */
  readonly hasAnswers: boolean;
}

const NOTHING_SAVED: SavedProgress = { step: 0, files: [], hasAnswers: false };

/**
 * Saves the answers, the current step, the submission key and the names of chosen files; returns whether that
 * succeeded.
 */
export function saveAnswers(form: HTMLFormElement, step: number): boolean {
  try {
    const answers = savedControls(form).map((control) => [control.name, valueOf(control)]);
    sessionStorage.setItem(storageKey(form), JSON.stringify([step, answers, submissionKey(form), chosenFiles(form)]));
    return true;
  } catch {
    // `sessionStorage` may be blocked or full; then a reload loses the answers.
    return false;
  }
}

export function forgetAnswers(form: HTMLFormElement): void {
  try {
    sessionStorage.removeItem(storageKey(form));
  } catch {
    // `sessionStorage` may be blocked; then there is nothing to remove.
  }
}

/** Sets a control to a saved answer; returns whether the control changed. */
function restoreAnswer(control: Control, saved: ReturnType<typeof valueOf> | undefined): boolean {
  const before = String(valueOf(control));
  if (typeof saved === "boolean") (control as HTMLInputElement).checked = saved;
  else if (typeof saved === "string") control.value = saved;
  else
    for (const option of (control as HTMLSelectElement).options)
      option.selected = saved?.includes(option.index) ?? false;
  return String(valueOf(control)) !== before;
}

/**
 * Restores saved progress if the form has not changed since. A form that the server shows again has its answers
 * already.
 */
export function restoreAnswers(form: HTMLFormElement): SavedProgress {
  const { again, at = 0 } = native(form).dataset;
  if (again !== undefined) return { ...NOTHING_SAVED, step: Number(at) };
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
    // A submit after a reload must count as a retry of the submit before the reload.
    restoreKey(form, key);
    const restored = controls.filter((control, index) => {
      const [name, value] = stored[index] ?? [];
      return name === control.name && restoreAnswer(control, value);
    });
    return { step, files, hasAnswers: restored.length > 0 };
  } catch {
    // `sessionStorage` may be blocked, or another version of the form wrote the item.
    return NOTHING_SAVED;
  }
}
