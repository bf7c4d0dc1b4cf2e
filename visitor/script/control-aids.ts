/**
 * The aids of a form's controls. Most are parts of the script, loaded for a form that needs them; if loading fails, the
 * form works without them.
 */
import { native } from "./dom.ts";
import { AIDED, SIGNATURES } from "./fields.ts";
import { loadPart } from "./parts.ts";

/** Selects with more options become searchable. */
const MAX_PLAIN_OPTIONS = 20;

/** Loads the search for long lists when the form has one. If loading fails, they stay plain selects. */
async function showLists(form: HTMLFormElement): Promise<void> {
  const found = native(form).querySelectorAll<HTMLSelectElement | HTMLInputElement>(
    "select:not([multiple],[size]),input[autocomplete~=country-name]",
  );
  // On phones the native list works better with touch.
  const isTouch = matchMedia("(hover: none) and (pointer: coarse)").matches;
  const lists = [...found].filter((one) => !("options" in one) || (one.options.length > MAX_PLAIN_OPTIONS && !isTouch));
  if (lists.length > 0) (await loadPart("lists"))?.searchLists(form, lists);
}

/** Loads the small aids of a form that has controls for them. */
async function showAids(form: HTMLFormElement): Promise<void> {
  if (native(form).querySelector(AIDED) !== null) (await loadPart("aids"))?.addAids(form);
}

/** Loads the part that shows answers in texts and clears answers, if the form needs it. */
async function showAnswers(form: HTMLFormElement): Promise<void> {
  if (native(form).dataset["answers"] !== undefined) (await loadPart("piped-answers"))?.startAnswers(form);
}

/** Loads the calculations of a form that has any. */
async function showCalculations(form: HTMLFormElement): Promise<void> {
  if (native(form).dataset["calculations"] !== undefined) (await loadPart("calculations"))?.startCalculations(form);
}

/** Loads the part for repeating groups. Without it, the server adds and removes rows. */
async function showRows(form: HTMLFormElement): Promise<void> {
  if (native(form).querySelector("[data-cf-rows]") !== null) (await loadPart("rows"))?.startRows(form);
}

/** Loads the pads of a form with signatures. Without the pad, a visitor uploads a picture. */
async function showSignatures(form: HTMLFormElement): Promise<void> {
  if (native(form).querySelector(SIGNATURES) !== null) (await loadPart("signature"))?.startSignatures(form);
}

/** Loads the part for telephone numbers with a country. */
async function showPhones(form: HTMLFormElement): Promise<void> {
  if (native(form).querySelector("input[data-phone]") !== null) (await loadPart("phones"))?.startPhones(form);
}

/** Loads the part that turns rankings into lists. */
async function showRankings(form: HTMLFormElement): Promise<void> {
  if (native(form).querySelector("[data-cf-rank]") !== null) (await loadPart("ranking"))?.startRankings(form);
}

/** Labels the Enter key of on-screen keyboards. */
function hintEnter(form: HTMLFormElement): void {
  const isWalk = native(form).dataset["steps"] !== undefined;
  for (const control of native(form).querySelectorAll<HTMLElement>("input,textarea"))
    if (!control.hasAttribute("enterkeyhint"))
      control.enterKeyHint = control.localName === "textarea" ? "enter" : isWalk ? "next" : "send";
}

/** Starts the aids of a form's controls. */
export function aidControls(form: HTMLFormElement): void {
  void showLists(form);
  void showAids(form);
  void showAnswers(form);
  void showCalculations(form);
  void showSignatures(form);
  void showPhones(form);
  void showRankings(form);
  void showRows(form);
  hintEnter(form);
}
