/**
 * Shows one step of a multi-step form at a time. Without this script all steps are visible, one below the other. The
 * other steps are only hidden, so their answers are sent as well.
 *
 * The page names the kind of steps (src/pages/form_element.rs), and the markup names the steps.
 */
import { showFaults } from "./faults.ts";
import { saveAnswers } from "./saved-answers.ts";
import { SUBMITS } from "./fields.ts";
import { closest, element, native, page, rootOf, textOf } from "./dom.ts";
import { showReview } from "./review.ts";
import { AWAY, setWalk } from "./walks.ts";
import {
  CONTROLS,
  assignSteps,
  isShown,
  NOT_IN_STEPS,
  AUTHOR_BUTTONS,
  authorButtonText,
  type Places,
  SHOWN,
  TITLE,
  directionOf,
  within,
} from "./step-parts.ts";

interface Walk {
  readonly form: HTMLFormElement;
  readonly places: Places;
  readonly progress: HTMLElement;
  readonly bar: HTMLProgressElement;
  readonly buttons: HTMLElement;
  readonly back: HTMLButtonElement;
  readonly next: HTMLButtonElement;
  readonly textNext: string;
  /** The last step, which lists the answers. */
  readonly review: HTMLElement | null;
  current: number;
  /** Random number for each load of the page, renewed when the form is sent or reset. */
  visit: number;
  /** The steps that are not hidden as a whole by conditions. */
  live: readonly number[];
  /** Whether `history.back()` was called and the browser has not gone back yet. */
  isLeaving: boolean;
  /** The step that the visitor was at before a reload. */
  readonly saved: number;
}

/** State of a step in the browser's history, for the browser's back and forward buttons. */
interface Visited {
  readonly cfStep: number;
  /** The previous step in the history; -1 for none. */
  readonly cfFrom: number;
  /** The {@link Walk.visit} of the walk. The answers of another visit are gone, so its states are ignored. */
  readonly cfVisit: number;
}

/** Style of the step classes, for pages that embed a form without our stylesheet. Every step is printed. */
const AWAY_STYLE = `.${SHOWN} { display: block !important } @media not print { .${AWAY} { display: none !important } }`;

/** The first step that an element shows in; undefined when it always shows. */
function stepOf(walk: Walk, element: Element): number | undefined {
  const containers = [...walk.places].filter(([part, steps]) => steps.size === 1 && part.contains(element));
  return containers.map(([, [step = 0]]) => step)[0];
}

/** The steps with visible content: a control that no condition hides, or a text in a step without controls. */
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
const heading = (parts: readonly HTMLElement[]): HTMLElement | undefined =>
  parts.flatMap((part) => within(part, TITLE)).find(isShown);

const isLast = (walk: Walk): boolean => walk.current === walk.live.at(-1);

/** Shows the current step, or the one before it when conditions hide the current one. */
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
  const title =
    heading(parts) === undefined
      ? parts.map((part) => part.dataset["cfTitle"]).find((text) => text !== undefined)
      : undefined;
  const template = textOf(form, "step_progress");
  const text = template.replace("{step}", `${at}`).replace("{steps}", `${walk.live.length}`);
  const announcement = title === undefined ? text : `${text}: ${title}`;
  // A screen reader announces every write, even of the same text.
  if (progress.textContent !== announcement) progress.textContent = announcement;
  bar.max = walk.live.length;
  bar.value = at;
  const submits = isLast(walk) ? parts.flatMap((part) => within(part, SUBMITS)).filter(isShown) : [];
  if (walk.review !== null)
    for (const part of parts) for (const button of within(part, SUBMITS)) button.classList.toggle(AWAY, !isLast(walk));
  next.textContent = (isLast(walk) && native(form).querySelector(SUBMITS)?.textContent) || textNext;
  const authorButtons = parts.flatMap((part) => within(part, AUTHOR_BUTTONS));
  // The last step is submitted, so it has no Next button.
  for (const button of authorButtons) if (directionOf(button) === "on") button.classList.toggle(AWAY, isLast(walk));
  const ways = authorButtons.filter((button) => isShown(button) && !button.matches(`.${AWAY}`)).map(directionOf);
  next.classList.toggle(AWAY, submits.length > 0 || ways.includes("on"));
  back.classList.toggle(AWAY, at <= 1 || ways.includes("back"));
  // Back is before Submit, or else before Next. So the last button stays in place from step to step, and a double click
  // does not go back.
  const [submit] = submits;
  if (submit !== undefined) submit.before(back);
  else buttons.prepend(back);
}

/** The element that takes the focus in a step: the title, else the progress text. */
function landmark(walk: Walk): HTMLElement {
  const title = heading(partsOf(walk, walk.current)) ?? walk.progress;
  title.tabIndex = -1;
  return title;
}

function go(walk: Walk, step: number): void {
  walk.current = step;
  showCurrent(walk);
  saveAnswers(walk.form, walk.current);
  const detail = { step: walk.live.indexOf(walk.current) + 1, steps: walk.live.length };
  native(walk.form).dispatchEvent(new CustomEvent("cf-step", { bubbles: true, composed: true, detail }));
  landmark(walk).focus({ preventScroll: true });
  walk.bar.parentElement?.scrollIntoView({ block: "nearest" });
  followAddress(walk);
}

/* ---- Going from step to step ---- */

/** Whether the script may write the history: only on the engine's page, and not in a preview's frame. */
const canWriteHistory = (): boolean => origin !== "null" && page.querySelector("body.cf-page") !== null;

/** Returns the address of a step, so that a reload returns to the step. The first step has the page's address. */
const addressOf = (step: number): string =>
  location.pathname + location.search + (step > 0 ? `#step-${step + 1}` : location.hash.replace(/^#step-\d+$/, ""));

/** Resumes at the step in the address, else at the saved step, or at an earlier step with a missing answer. */
function resumeWalk(walk: Walk): void {
  const number = canWriteHistory() ? /^#step-(\d+)$/.exec(location.hash)?.[1] : undefined;
  const isPart = !canWriteHistory() || window.parent !== window;
  const wanted = number === undefined ? (isPart && walk.saved) || 0 : Number(number) - 1;
  const isValidStep = (step: number): boolean =>
    partsOf(walk, step)
      .flatMap((part) => within(part, CONTROLS) as HTMLInputElement[])
      .every((control) => !control.willValidate || control.validity.valid);
  walk.current = walk.live.find((step) => step >= wanted || !isValidStep(step)) ?? 0;
  const { cfVisit }: Partial<Visited> = (canWriteHistory() && history.state) || {};
  // Earlier states of the history refer to restored answers, so they stay valid.
  if (wanted > 0 && walk.current === wanted && cfVisit !== undefined) walk.visit = cfVisit;
  showCurrent(walk);
}

/** Sets the address to the current step, which a fault or a condition may have changed. */
function followAddress(walk: Walk): void {
  if (!canWriteHistory()) return;
  const { cfStep, cfVisit }: Partial<Visited> = history.state ?? {};
  if (cfVisit === walk.visit && cfStep !== walk.current) settle(walk);
}

/** Makes the current history entry the current step, with no known step before it. */
function settle({ current, visit }: Walk): void {
  const visited: Visited = { cfStep: current, cfFrom: -1, cfVisit: visit };
  if (canWriteHistory()) history.replaceState(visited, "", addressOf(current));
}

function advance(walk: Walk): void {
  if (
    showFaults(
      walk.form,
      partsOf(walk, walk.current).flatMap((part) => within(part, CONTROLS)),
    )
  )
    return;
  const next = walk.live[walk.live.indexOf(walk.current) + 1];
  if (next === undefined) {
    // The submit button may be in an earlier step, so Next submits in the last step.
    const form = native(walk.form);
    return form.requestSubmit(form.querySelector<HTMLElement>(SUBMITS));
  }
  const visited: Visited = { cfStep: next, cfFrom: walk.current, cfVisit: walk.visit };
  if (canWriteHistory()) history.pushState(visited, "", addressOf(next));
  go(walk, next);
}

function retreat(walk: Walk): void {
  const before = walk.live[walk.live.indexOf(walk.current) - 1];
  if (before === undefined || walk.isLeaving) return;
  const { cfStep, cfFrom }: Partial<Visited> = (canWriteHistory() && history.state) || {};
  if (cfStep !== walk.current || cfFrom !== before) return go(walk, before);
  // A second click before the browser has gone back would leave the page.
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

/** Assigns a form's elements to steps. A form without steps is one step. */
function stepsOf(form: HTMLFormElement): ReturnType<typeof assignSteps> {
  const assigned = native(form).dataset["steps"] === undefined ? undefined : assignSteps(form, false);
  if (assigned !== undefined && assigned.count > 1) return assigned;
  const whole = [...native(form).children]
    .filter((child): child is HTMLElement => child instanceof HTMLElement && !child.matches(NOT_IN_STEPS))
    .map((child): [HTMLElement, ReadonlySet<number>] => [child, new Set([0])]);
  return { places: new Map(whole), count: 1 };
}

/** Starts the walk through a form with steps, at the saved step. */
export function startSteps(form: HTMLFormElement, saved: number): void {
  const { places, count } = stepsOf(form);
  const isReviewed = native(form).dataset["review"] !== undefined;
  if (count < 2 && !isReviewed) return;
  const review = isReviewed ? element("section", "cf-review") : null;
  if (review !== null) {
    native(form).append(review);
    places.set(review, new Set([count]));
  }
  styleSteps(rootOf(form));
  const head = element("div", "cf-progress");
  const progress = element("p", "cf-progress-text");
  progress.setAttribute("role", "status");
  const bar = element("progress", "cf-progress-bar");
  bar.setAttribute("aria-hidden", "true");
  head.append(progress, bar);
  const buttons = element("div", "cf-step-buttons");
  const textNext = authorButtonText(form, "on") ?? textOf(form, "next_step");
  const textBack = authorButtonText(form, "back") ?? textOf(form, "previous_step");
  const [back, next] = [button("cf-back", textBack), button("cf-next", textNext)];
  buttons.append(back, next);
  const messages = native(form).querySelector(".cf-messages");
  if (messages === null) native(form).prepend(head);
  else messages.after(head);
  native(form).append(buttons);
  const walk: Walk = {
    form,
    places,
    progress,
    bar,
    buttons,
    back,
    next,
    textNext,
    review,
    current: 0,
    visit: Math.random(),
    live: [],
    isLeaving: false,
    saved,
  };
  setWalk(form, {
    get step() {
      return walk.current;
    },
    showStepOf: (element) => showStepOf(walk, element),
    refresh: (fromStart) => refresh(walk, fromStart),
  });
  const faulty = native(form).querySelector("[aria-invalid=true]");
  walk.current = (faulty === null ? undefined : stepOf(walk, faulty)) ?? 0;
  showCurrent(walk);
  if (faulty === null) resumeWalk(walk);
  listen(walk);
}

function listen(walk: Walk): void {
  const { form, back, next } = walk;
  back.addEventListener("click", () => retreat(walk));
  next.addEventListener("click", () => advance(walk));
  native(form).addEventListener("click", (event) => {
    const button = closest(event.target, AUTHOR_BUTTONS);
    const way = button === null || stepOf(walk, button) === undefined ? undefined : directionOf(button);
    if (way === "on") return advance(walk);
    if (way === "back") return retreat(walk);
    // Enter in a field clicks the form's first submit button, which may send only from the last step.
    const submit = closest(event.target, SUBMITS);
    if (submit === null || isLast(walk)) return;
    event.preventDefault();
    advance(walk);
  });
  if (!canWriteHistory()) return;
  settle(walk);
  window.addEventListener("popstate", ({ state }) => {
    walk.isLeaving = false;
    if (typeof state?.cfStep !== "number") {
      // The address may name a step; a link within the page does not.
      if (!/^#step-\d+$/.test(location.hash)) return;
      resumeWalk(walk);
      return settle(walk);
    }
    if (state.cfVisit === walk.visit) go(walk, state.cfStep);
    else settle(walk);
  });
}

/** Shows the step that an element of the form belongs to. */
function showStepOf(walk: Walk, element: Element): void {
  const step = stepOf(walk, element);
  if (step === undefined || step === walk.current) return;
  walk.current = step;
  showCurrent(walk);
  followAddress(walk);
}

/** Updates the steps after conditions have changed; `fromStart` returns to the first one. */
function refresh(walk: Walk, fromStart: boolean): void {
  if (fromStart) {
    walk.current = 0;
    walk.visit = Math.random();
  }
  showCurrent(walk);
  if (fromStart) settle(walk);
  else followAddress(walk);
}
