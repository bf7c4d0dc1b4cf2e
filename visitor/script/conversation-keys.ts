/**
 * The keys and pointers of a conversational form: Enter goes to the next screen, letters and digits choose, and a
 * choice by pointer or letter goes to the next screen after a pause. Arrow keys, Space and Tab stay with the browser
 * and never go to the next screen.
 */
import {
  choicesOf,
  controlsOf,
  hasMouse,
  isAnswered,
  isSingle,
  landingOf,
  leadsOn,
  type Talk,
} from "./conversation-screens.ts";
import { closest, native, page, textOf } from "./dom.ts";

/** Pause that shows the choice before the next screen appears. */
const PAUSE_MS = 400;
/** Time to type a second digit, because 1 may become 10. */
const SECOND_DIGIT_MS = 800;
/** Time after a change of screens in which Enter is ignored, because it was meant for the previous screen. */
const SETTLE_MS = 250;

const RATING = ".cf-stars,.cf-hearts,.cf-scale,.cf-numbers";

const labelOf = (choice: HTMLInputElement): HTMLElement | undefined => choice.labels?.[0];

/** Returns the key of each choice: the number of a rating's point, the first letter of yes or no, or else A, B, C …. */
function keysOf(form: HTMLFormElement, choices: readonly HTMLInputElement[]): readonly string[] {
  if (choices.some((choice) => choice.closest(RATING))) return choices.map(({ value }) => value);
  const texts = choices.map((choice) => labelOf(choice)?.textContent?.trim() ?? "");
  const isYesNo = texts.length === 2 && texts[0] === textOf(form, "yes") && texts[1] === textOf(form, "no");
  if (isYesNo && /^[a-z].*\n[a-z]/i.test(texts.join("\n"))) return texts.map((text) => text.charAt(0).toUpperCase());
  return choices.slice(0, 26).map((_, index) => String.fromCharCode(65 + index));
}

/**
 * Whether Enter goes to the next screen: only when the list has an answer and is closed. Otherwise the list handles
 * Enter.
 */
const mayLeave = (select: HTMLSelectElement): boolean =>
  select.value !== "" && CSS.supports("selector(:open)") && !select.matches(":open");

/** Goes to the next screen after a pause, if the answer is complete by then. */
interface Lead {
  soon(pause: number): void;
  stop(): void;
}

function leadOf(talk: Talk, advance: () => void): Lead {
  let timer = 0;
  const stop = (): void => clearTimeout(timer);
  return {
    stop,
    soon(pause) {
      stop();
      const screen = talk.current;
      if (!leadsOn(talk, screen)) return;
      timer = window.setTimeout(() => {
        // If the choice has opened another input, the screen waits for OK.
        if (talk.current === screen && leadsOn(talk, screen) && isAnswered(screen)) advance();
      }, pause);
    },
  };
}

/** Returns a function that chooses by a letter or digit, as a click would, and returns whether a choice has that key. */
function choiceByKey(talk: Talk, lead: Lead): (pressed: string) => boolean {
  let digits = "";
  let digitTimer = 0;
  return (pressed) => {
    const choices = choicesOf(talk.current);
    const keys = keysOf(talk.form, choices);
    const isDigit = /\d/.test(pressed);
    digits = isDigit && keys.includes(digits + pressed) ? digits + pressed : pressed;
    clearTimeout(digitTimer);
    digitTimer = window.setTimeout(() => (digits = ""), SECOND_DIGIT_MS);
    const choice = choices[keys.indexOf(digits)];
    if (choice === undefined) return false;
    choice.focus();
    if (choice.type === "checkbox" || !choice.checked) choice.click();
    const mayGrow = isDigit && keys.some((key) => key.length > digits.length && key.startsWith(digits));
    if (choice.type === "radio") lead.soon(mayGrow ? SECOND_DIGIT_MS : PAUSE_MS);
    return true;
  };
}

/**
 * Enter goes to the next part of a name or an address. From the last part, or from any other control, it goes to the
 * next screen.
 */
function pressEnter(talk: Talk, advance: () => void, event: KeyboardEvent, target: HTMLElement): void {
  if (target.matches("a,button:not(.cf-next),summary,[type=file]")) return;
  if (target instanceof HTMLSelectElement && !mayLeave(target)) return;
  if (target.localName === "textarea" && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  // A held key, or a key press meant for the previous screen, must not skip a question before it was read.
  if (event.repeat || performance.now() - talk.shownAt < SETTLE_MS) return;
  const controls = controlsOf(talk.current).map((one) => one as HTMLElement);
  const next = target.closest(".cf-part") === null ? undefined : controls[controls.indexOf(target) + 1];
  if (next === undefined) advance();
  else next.focus();
}

/** Shows each choice's key, also to screen readers. */
function showKeys({ form, screens }: Talk): void {
  for (const screen of screens) {
    const choices = choicesOf(screen);
    for (const [index, key] of keysOf(form, choices).entries()) {
      const choice = choices[index];
      const label = choice === undefined ? undefined : labelOf(choice);
      if (key.length === 1) choice?.setAttribute("aria-keyshortcuts", key);
      if (label && choice?.closest(RATING) === null) label.dataset["key"] = key;
    }
  }
}

/** Listens for keys and pointers; `advance` goes to the next screen. */
export function listenToKeys(talk: Talk, advance: () => void): void {
  const form = native(talk.form);
  const lead = leadOf(talk, advance);
  const chooseBy = choiceByKey(talk, lead);
  form.addEventListener("keydown", (event) => {
    const target = closest(event.target, "*");
    // Enter within an input method belongs to the input method.
    if (target === null || event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    if (event.key !== "Shift") lead.stop();
    if (event.key === "Enter") return pressEnter(talk, advance, event, target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (!target.matches("[type=radio],[type=checkbox]")) return;
    // In other alphabets, the position of the key decides.
    const isOther = /^Key[A-Z]$/.test(event.code) && event.key > "\x7f";
    const letter = /^[a-z\d]$/i.test(event.key) ? event.key : isOther ? event.code.charAt(3) : "";
    if (letter !== "" && chooseBy(letter.toUpperCase())) event.preventDefault();
  });
  // On the start screen nothing has the focus.
  page.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.target !== page.body || form.matches(".cf-sent")) return;
    event.preventDefault();
    advance();
  });
  form.addEventListener("input", () => (talk.shownAt = -SETTLE_MS));
  form.addEventListener("click", (event) => {
    const isOfPointer = event instanceof PointerEvent && event.pointerType !== "";
    if (isOfPointer && closest(event.target, ".cf-choice,label") !== null && isSingle(talk.current))
      lead.soon(PAUSE_MS);
    const isBlank = closest(event.target, "a,button,label,input,select,textarea,summary") === null;
    // A click on a blank area returns the focus to the screen, so that its keys keep working.
    if (isBlank && talk.current.kind === "question" && hasMouse() && getSelection()?.isCollapsed !== false)
      landingOf(talk.current).focus({ preventScroll: true });
  });
  showKeys(talk);
}
