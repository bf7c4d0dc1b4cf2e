/**
 * One step of the form at a time: the steps of a multi-step form, the questions of a conversational
 * one. Without this script all of them show, one below the other, and it is the same form: what
 * belongs to another step is only out of sight, so that its answers stay and are sent with the rest.
 *
 * The page says what kind of steps there are (src/front/form_element.rs), and the markup which.
 */
import { tellFaults } from "./faults.ts";
import { type ChosenFiles } from "./files.ts";
import { keepAnswers, type Kept, restoreAnswers } from "./keep.ts";
import { around, element, own, page, rootOf, textOf } from "./own.ts";
import { showReview } from "./review.ts";
import { CONTROLS, deal, isShown, NO_PART, OWN_BUTTONS, ownWords, type Places, SHOWN, SUBMITS, TITLE, wayOf, within } from "./step-parts.ts";

interface Walk {
  readonly form: HTMLFormElement;
  readonly places: Places;
  /** Conversational: a step is a question, and its control takes the focus. */
  readonly asks: boolean;
  readonly progress: HTMLElement;
  readonly bar: HTMLProgressElement;
  readonly buttons: HTMLElement;
  readonly back: HTMLButtonElement;
  readonly next: HTMLButtonElement;
  readonly textNext: string;
  /** The last step, which lists the answers. */
  readonly review: HTMLElement | null;
  current: number;
  /** Another number after each load of the page, and after the form was sent or reset. */
  visit: number;
  /** The steps that are not hidden as a whole by conditions. */
  live: readonly number[];
  /** Whether the browser was asked to go back and has not yet. */
  isLeaving: boolean;
}

/** What the browser's history knows of a step: the browser's own buttons lead to it. */
interface Visited {
  readonly cfStep: number;
  /** The step before it in the history; -1 for none. */
  readonly cfFrom: number;
  /** The walk's {@link Walk.visit}: the states of another one lead to steps whose answers are gone. */
  readonly cfVisit: number;
}

/** The class of what is out of sight. Not the attribute `hidden`: that is what conditions say. */
const AWAY = "cf-away";

/** Their style, which pages have that embed a form without our stylesheet. On paper every step shows. */
const AWAY_STYLE = `.${SHOWN} { display: block !important } @media not print { .${AWAY} { display: none !important } }`;

const walks = new WeakMap<HTMLFormElement, Walk>();

/** The first step that an element shows in; none for what always shows. */
function stepOf(walk: Walk, element: Element): number | undefined {
  const around = [...walk.places].filter(([part, steps]) => steps.size === 1 && part.contains(element));
  return around.map(([, [step = 0]]) => step)[0];
}

/** The steps with something to see: a control that no condition hides, or a text in a step of texts. */
function liveSteps({ places }: Walk): readonly number[] {
  const known = new Map<number, boolean>();
  const texts = new Set<number>();
  for (const [element, [step = 0, ...others]] of places) {
    if (others.length > 0) continue;
    const controls = within(element, CONTROLS);
    if (controls.length > 0) known.set(step, known.get(step) === true || controls.some(isShown));
    else if (isShown(element)) texts.add(step);
  }
  for (const step of texts) if (!known.has(step)) known.set(step, true);
  return [...known].flatMap(([step, isLive]) => (isLive ? [step] : [])).sort((a, b) => a - b);
}

/* ---- Showing a step ---- */

const partsOf = (walk: Walk, step: number): readonly HTMLElement[] =>
  [...walk.places].flatMap(([element, steps]) => (steps.size === 1 && steps.has(step) ? [element] : []));

/** The heading or legend that shows a step's title. */
const heading = (parts: readonly HTMLElement[]): HTMLElement | undefined => parts.flatMap((part) => within(part, TITLE)).find(isShown);

const isLast = (walk: Walk): boolean => walk.current === walk.live.at(-1);

/** Shows the current step, or where conditions hide it the one before. */
function showCurrent(walk: Walk): void {
  const { form, places, progress, bar, buttons, back, next, textNext } = walk;
  walk.live = liveSteps(walk);
  const before = walk.live.filter((step) => step <= walk.current);
  walk.current = before.at(-1) ?? walk.live[0] ?? 0;
  for (const [element, steps] of places) element.classList.toggle(AWAY, !steps.has(walk.current));
  if (walk.review !== null && places.get(walk.review)?.has(walk.current) === true) {
    showReview(form, walk.review, (control) => {
      const step = stepOf(walk, control);
      if (step !== undefined) go(walk, step);
      control.focus();
    });
  }
  const at = walk.live.indexOf(walk.current) + 1;
  const parts = partsOf(walk, walk.current);
  const title = heading(parts) === undefined ? parts.map((part) => part.dataset["cfTitle"]).find((text) => text !== undefined) : undefined;
  const template = textOf(form, "step_progress");
  const text = template.replace("{step}", `${at}`).replace("{steps}", `${walk.live.length}`);
  const told = title === undefined ? text : `${text}: ${title}`;
  // Readers are told again of whatever is written.
  if (progress.textContent !== told) progress.textContent = told;
  bar.max = walk.live.length;
  bar.value = at;
  const submits = isLast(walk) ? parts.flatMap((part) => within(part, SUBMITS)).filter(isShown) : [];
  if (walk.review !== null) for (const part of parts) for (const button of within(part, SUBMITS)) button.classList.toggle(AWAY, !isLast(walk));
  next.textContent = (isLast(walk) && own(form).querySelector(SUBMITS)?.textContent) || textNext;
  const ownButtons = parts.flatMap((part) => within(part, OWN_BUTTONS));
  // From the last step none leads on: it is sent.
  for (const button of ownButtons) if (wayOf(button) === "on") button.classList.toggle(AWAY, isLast(walk));
  const ways = ownButtons.filter((button) => isShown(button) && !button.matches(`.${AWAY}`)).map(wayOf);
  next.classList.toggle(AWAY, submits.length > 0 || ways.includes("on"));
  back.classList.toggle(AWAY, at <= 1 || ways.includes("back"));
  // Before the button that sends the form, else before the one that leads on: that stays at the end
  // from step to step, so that a second click does not lead back.
  const [submit] = submits;
  if (submit !== undefined) submit.before(back);
  else buttons.prepend(back);
}

/** What takes the focus in a step: the question, else the title, else the words on how far it is. */
function landmark(walk: Walk): HTMLElement {
  const parts = partsOf(walk, walk.current);
  const control = walk.asks ? parts.flatMap((part) => within(part, CONTROLS)).find(isShown) : undefined;
  if (control !== undefined) return control;
  const title = heading(parts) ?? walk.progress;
  title.tabIndex = -1;
  return title;
}

function go(walk: Walk, step: number): void {
  walk.current = step;
  showCurrent(walk);
  keepAnswers(walk.form, walk.current);
  const detail = { step: walk.live.indexOf(walk.current) + 1, steps: walk.live.length };
  own(walk.form).dispatchEvent(new CustomEvent("cf-step", { bubbles: true, composed: true, detail }));
  landmark(walk).focus({ preventScroll: true });
  walk.bar.parentElement?.scrollIntoView({ block: "nearest" });
}

/* ---- Going from step to step ---- */

/** The history is the page's own to write only where the page is nothing but the form; a preview's frame has none. */
const keepsHistory = (): boolean => origin !== "null" && page.querySelector("body.cf-page") !== null;

/** Each step but the first has an address of its own, which a reload leads back to. */
const addressOf = (step: number): string =>
  location.pathname + location.search + (step > 0 ? `#step-${step + 1}` : location.hash.replace(/^#step-\d+$/, ""));

/** Goes on at the step of the address, else where the visitor was, or before it where an answer is missing. */
function goOn(walk: Walk): void {
  const said = keepsHistory() ? /^#step-(\d+)$/.exec(location.hash)?.[1] : undefined;
  const isPart = !keepsHistory() || window.parent !== window;
  const wanted = said === undefined ? (isPart && resumed.get(walk.form)?.step) || 0 : Number(said) - 1;
  const isRight = (step: number): boolean =>
    partsOf(walk, step).flatMap((part) => within(part, CONTROLS) as HTMLInputElement[]).every((control) => !control.willValidate || control.validity.valid);
  walk.current = walk.live.find((step) => step >= wanted || !isRight(step)) ?? 0;
  const { cfVisit }: Partial<Visited> = (keepsHistory() && history.state) || {};
  // The states before it lead to what was kept.
  if (wanted > 0 && walk.current === wanted && cfVisit !== undefined) walk.visit = cfVisit;
  showCurrent(walk);
}

/** Makes the browser's place in the history the current step, with nothing known of what was before. */
function settle({ current, visit }: Walk): void {
  const visited: Visited = { cfStep: current, cfFrom: -1, cfVisit: visit };
  if (keepsHistory()) history.replaceState(visited, "", addressOf(current));
}

function advance(walk: Walk): void {
  if (tellFaults(walk.form, partsOf(walk, walk.current).flatMap((part) => within(part, CONTROLS)))) return;
  const next = walk.live[walk.live.indexOf(walk.current) + 1];
  if (next === undefined) {
    // A form whose own button stands in an earlier step is sent from its last one all the same.
    const form = own(walk.form);
    return form.requestSubmit(form.querySelector<HTMLElement>(SUBMITS));
  }
  const visited: Visited = { cfStep: next, cfFrom: walk.current, cfVisit: walk.visit };
  if (keepsHistory()) history.pushState(visited, "", addressOf(next));
  go(walk, next);
}

function retreat(walk: Walk): void {
  const before = walk.live[walk.live.indexOf(walk.current) - 1];
  if (before === undefined || walk.isLeaving) return;
  const { cfStep, cfFrom }: Partial<Visited> = (keepsHistory() && history.state) || {};
  if (cfStep !== walk.current || cfFrom !== before) return go(walk, before);
  // A second click before the browser is there would leave the page.
  walk.isLeaving = true;
  history.back();
}

function button(className: string, text: string): HTMLButtonElement {
  const made = element("button", className, text);
  made.type = "button";
  return made;
}

const styled = new WeakSet<Document | ShadowRoot>();

function styleSteps(root: Document | ShadowRoot): void {
  if (styled.has(root)) return;
  styled.add(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(AWAY_STYLE);
  root.adoptedStyleSheets.push(sheet);
}

/** What was kept of the forms when visitors left them. */
const resumed = new WeakMap<HTMLFormElement, Kept>();

/** The files that were chosen when the visitor left the form. */
export const filesBefore = (form: HTMLFormElement): ChosenFiles => resumed.get(form)?.files ?? [];

/** Fills in what was kept of a form that has steps, before anything follows its answers. */
export function resumeSteps(form: HTMLFormElement): void {
  const { steps, review } = own(form).dataset;
  const isShownAgain = own(form).querySelector("[aria-invalid=true]") !== null;
  if ((steps !== undefined || review !== undefined) && !isShownAgain) resumed.set(form, restoreAnswers(form));
}

/** Shows a form that has steps one step at a time. */
export function startSteps(form: HTMLFormElement): void {
  const { steps } = own(form).dataset;
  const asks = steps === "conversational";
  const dealt = steps === undefined ? null : deal(form, asks);
  const isReviewed = own(form).dataset["review"] !== undefined;
  const isWhole = (dealt?.count ?? 0) < 2;
  if (isWhole && !isReviewed) return;
  const places: Places = isWhole || dealt === null
    ? new Map([...own(form).children].filter((child): child is HTMLElement => child instanceof HTMLElement && !child.matches(NO_PART)).map((child) => [child, new Set([0])]))
    : dealt.places;
  const review = isReviewed ? element("section", "cf-review") : null;
  if (review !== null) {
    own(form).append(review);
    places.set(review, new Set([isWhole || dealt === null ? 1 : dealt.count]));
  }
  styleSteps(rootOf(form));
  const head = element("div", "cf-progress");
  const progress = element("p", "cf-progress-text");
  progress.setAttribute("role", "status");
  const bar = element("progress", "cf-progress-bar");
  bar.setAttribute("aria-hidden", "true");
  head.append(progress, bar);
  const buttons = element("div", "cf-step-buttons");
  const textNext = ownWords(form, "on") ?? textOf(form, "next_step");
  const textBack = ownWords(form, "back") ?? textOf(form, "previous_step");
  const [back, next] = [button("cf-back", textBack), button("cf-next", textNext)];
  buttons.append(back, next);
  const messages = own(form).querySelector(".cf-messages");
  if (messages === null) own(form).prepend(head);
  else messages.after(head);
  own(form).append(buttons);
  const walk: Walk = { form, places, asks, progress, bar, buttons, back, next, textNext, review, current: 0, visit: Math.random(), live: [], isLeaving: false };
  walks.set(form, walk);
  const faulty = own(form).querySelector("[aria-invalid=true]");
  walk.current = (faulty === null ? undefined : stepOf(walk, faulty)) ?? 0;
  showCurrent(walk);
  if (faulty === null) goOn(walk);
  listen(walk);
  own(form).addEventListener("input", () => keepAnswers(form, walk.current));
}

function listen(walk: Walk): void {
  const { form, back, next } = walk;
  back.addEventListener("click", () => retreat(walk));
  next.addEventListener("click", () => advance(walk));
  own(form).addEventListener("click", (event) => {
    const button = around(event.target, OWN_BUTTONS);
    const way = button === null || stepOf(walk, button) === undefined ? undefined : wayOf(button);
    if (way === "on") return advance(walk);
    if (way === "back") return retreat(walk);
    // Enter in a field is a click on the form's first submit: it sends only from the last step.
    const submit = around(event.target, SUBMITS);
    if (submit === null || isLast(walk)) return;
    event.preventDefault();
    advance(walk);
  });
  if (!keepsHistory()) return;
  settle(walk);
  window.addEventListener("popstate", ({ state }) => {
    walk.isLeaving = false;
    // Without a state it is a link within the page.
    if (typeof state?.cfStep !== "number") return;
    if (state.cfVisit === walk.visit) go(walk, state.cfStep);
    else settle(walk);
  });
}

/** Shows the step that an element of the form belongs to. */
export function showStepOf(form: HTMLFormElement, element: Element): void {
  const walk = walks.get(form);
  const step = walk === undefined ? undefined : stepOf(walk, element);
  if (walk === undefined || step === undefined || step === walk.current) return;
  walk.current = step;
  showCurrent(walk);
}

/** Looks again which steps there are, after conditions have changed; from the first one where told. */
export function refreshSteps(form: HTMLFormElement, fromStart = false): void {
  const walk = walks.get(form);
  if (walk === undefined) return;
  if (fromStart) {
    walk.current = 0;
    walk.visit = Math.random();
  }
  showCurrent(walk);
  if (fromStart) settle(walk);
}
