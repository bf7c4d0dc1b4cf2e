/** The screens of a conversational form: its start, questions and statements, and the review of the answers. */
import { element, native, page, textOf } from "./dom.ts";
import { CHOICE, type Control, fieldName, fieldOf, SUBMITS } from "./fields.ts";
import { assignSteps, isShown, within } from "./step-parts.ts";
import { isUnset } from "./unset.ts";

export { localizedAnswer } from "./answers.ts";

export interface Screen {
  readonly kind: "start" | "question" | "statement" | "review";
  readonly parts: readonly HTMLElement[];
  /** Name of the screen in the address. */
  readonly name: string;
  /** The heading of the screen; for a question, the text of its label. */
  readonly heading: HTMLElement;
}

export interface Talk {
  readonly form: HTMLFormElement;
  readonly screens: readonly Screen[];
  readonly containers: readonly HTMLElement[];
  readonly bar: HTMLProgressElement;
  readonly count: HTMLElement;
  readonly next: HTMLButtonElement;
  readonly clear: HTMLButtonElement;
  readonly back: HTMLButtonElement;
  readonly hint: HTMLElement;
  current: Screen;
  /** The screens that the visitor has passed. */
  readonly seen: Set<Screen>;
  /** Whether “Change” or a rejection opened the question, so that OK returns to the review. */
  isReturning: boolean;
  /** Whether `history.back()` was called and the browser has not gone back yet. */
  isLeaving: boolean;
  shownAt: number;
  /** Random number of this load of the page, which identifies its history entries. */
  visit: number;
}

/** Selector of the texts between questions. */
const STATEMENT = ".cf-heading,.cf-paragraph,hgroup";
const INPUTS = "input:not([type=hidden]),select,textarea";

export const isBox = (control: Control): control is HTMLInputElement => control.matches(CHOICE);

/** The controls of a screen that can be answered now. The country of a telephone number is not a separate answer. */
export const controlsOf = ({ parts }: Screen): readonly Control[] =>
  parts
    .flatMap((part) => within(part, INPUTS) as Control[])
    .filter((one) => isShown(one) && !one.matches(":disabled,[aria-hidden=true] *,[role=combobox],.cf-country"));

export const choicesOf = (screen: Screen): readonly HTMLInputElement[] => controlsOf(screen).filter(isBox);

export const isRequired = (form: HTMLFormElement, screen: Screen): boolean =>
  controlsOf(screen).some((control) => control.required || fieldOf(form, control)?.required === true);

export const isAnswered = (screen: Screen): boolean =>
  controlsOf(screen).some((control) => {
    if (isBox(control)) return control.checked;
    return !isUnset(control) && control.value.trim() !== "";
  });

export const isValid = (screen: Screen): boolean =>
  controlsOf(screen).every((control) => !control.willValidate || control.validity.valid);

/** Whether no conditions hide the screen. */
export const isLive = ({ kind, parts }: Screen): boolean =>
  kind === "start" || kind === "review" || parts.some(isShown);

/** Whether the screen has only radio buttons. */
export function isSingle(screen: Screen): boolean {
  const controls = controlsOf(screen);
  return controls.length > 0 && controls.every(({ type }) => type === "radio");
}

/** Returns the fields that a hidden screen's conditions read. */
export function conditionFields({ parts }: Screen): readonly string[] {
  const conditional = parts.map((part) => part.closest("[data-cf-conditions]")?.getAttribute("data-cf-conditions"));
  return [...conditional.join(" ").matchAll(/"field":"((?:[^"\\]|\\.)*)"/g)].map(([, name = ""]) => name);
}

/** Wraps the label's text in a heading, so that each screen has one main heading. */
function headingIn(parts: readonly HTMLElement[]): HTMLElement {
  const label = parts.flatMap((part) => within(part, "legend,label"))[0] ?? parts[0];
  const heading = element("span", "cf-question");
  heading.setAttribute("role", "heading");
  heading.setAttribute("aria-level", "1");
  const isOther = (node: Node): boolean =>
    node instanceof Element &&
    (node.matches(`${INPUTS},.cf-required,.cf-optional,.cf-error`) || node.querySelector(INPUTS) !== null);
  const texts = [...(label?.childNodes ?? [])];
  const end = texts.findIndex(isOther);
  heading.append(...(end < 0 ? texts : texts.slice(0, end)));
  label?.prepend(heading);
  return heading;
}

function statement(texts: readonly HTMLElement[], number: number): Screen {
  const heading = texts.flatMap((text) => within(text, "h1,h2,h3,h4,h5,h6,p"))[0] ?? (texts[0] as HTMLElement);
  if (/^h/.test(heading.localName)) heading.setAttribute("aria-level", "1");
  return { kind: "statement", parts: texts, name: `text-${number}`, heading };
}

/** Creates the screen before the first question: the form's title and its first texts. */
function startScreen(form: HTMLFormElement, texts: readonly HTMLElement[]): Screen {
  const intro = element("header", "cf-intro");
  const main = page.querySelector("body.cf-page .cf-main");
  const title = main?.querySelector<HTMLElement>(":scope > .cf-title") ?? element("h2", "cf-title");
  if (main === null) title.textContent = native(form).dataset["title"] ?? "";
  intro.append(...(main?.querySelectorAll(":scope > :is(.cf-logo,.cf-cover)") ?? []), title);
  return { kind: "start", parts: [intro, ...texts], name: "", heading: title };
}

/** Creates the screen that lists the answers and has the submit button. */
function reviewScreen(form: HTMLFormElement): Screen {
  const review = element("section", "cf-review");
  const heading = element("h1", "cf-question", textOf(form, "review_title"));
  const send = element("div", "cf-send");
  const buttons = [...native(form).querySelectorAll<HTMLElement>(SUBMITS)];
  send.append(...new Set(buttons.map((button) => button.closest<HTMLElement>(".cf-field") ?? button)));
  review.append(heading, element("dl", "cf-answers"), send);
  return { kind: "review", parts: [review], name: "review", heading };
}

/** Divides a form into screens. `containers` are the elements that hold parts of several screens. */
export function screensOf(form: HTMLFormElement): {
  readonly screens: readonly Screen[];
  readonly containers: readonly HTMLElement[];
} {
  const review = reviewScreen(form);
  const { places, count } = assignSteps(form, true);
  const screens: Screen[] = [];
  for (let question = 0; question < count; question += 1) {
    const parts = [...places].flatMap(([part, steps]) => (steps.size === 1 && steps.has(question) ? [part] : []));
    const questionParts = parts.filter((part) => !part.matches(STATEMENT));
    const before = parts.filter((part) => part.matches(STATEMENT) && isBefore(part, questionParts[0]));
    if (question === 0) screens.push(startScreen(form, before));
    else if (before.length > 0) screens.push(statement(before, question));
    const answerParts = parts.filter((part) => !before.includes(part));
    const [control] = answerParts.flatMap((part) => within(part, INPUTS) as Control[]);
    const name = control === undefined ? "" : fieldName(form, control);
    screens.push({
      kind: "question",
      parts: answerParts,
      name: name || `question-${question + 1}`,
      heading: headingIn(answerParts),
    });
  }
  const containers = [...places].flatMap(([part, steps]) => (steps.size > 1 ? [part] : []));
  return { screens: [...screens, review], containers };
}

const isBefore = (one: HTMLElement, other: HTMLElement | undefined): boolean =>
  other === undefined || (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Whether a choice goes to the next screen: the screen has only radio buttons and is shown for the first time. */
export const leadsOn = ({ form, seen, isReturning }: Talk, screen: Screen): boolean =>
  native(form).dataset["stay"] === undefined && isSingle(screen) && !seen.has(screen) && !isReturning;

/** Returns the element to focus: the chosen option, else the first control, else the heading. */
export function landingOf(screen: Screen): HTMLElement {
  const controls = controlsOf(screen);
  const chosen = controls.find((control) => control instanceof HTMLInputElement && control.checked);
  return chosen ?? controls[0] ?? screen.heading;
}

export const hasMouse = (): boolean => matchMedia("(hover: hover) and (pointer: fine)").matches;
