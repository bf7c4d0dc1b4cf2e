/**
 * A conversational form: one question fills the window, Enter or a choice goes to the next one, and a review precedes
 * sending. Without this part of the script the form is an ordinary form. Keys and pointers are in conversation-keys.ts.
 */
import { listenToKeys } from "./conversation-keys.ts";
import {
  choicesOf,
  conditionFields,
  controlsOf,
  isAnswered,
  isLive,
  isRequired,
  isSingle,
  hasMouse,
  isValid,
  landingOf,
  leadsOn,
  localizedAnswer,
  type Screen,
  screensOf,
  type Talk,
} from "./conversation-screens.ts";
import { element, native, page, textOf } from "./dom.ts";
import { clearFaults, showFaults } from "./faults.ts";
import { type Control, fieldName } from "./fields.ts";
import { saveAnswers } from "./saved-answers.ts";
import { isSending, showNote } from "./sending.ts";
import { AWAY, setWalk } from "./walks.ts";

/** Text keys of the button that goes to the next screen, by its purpose. */
const CAPTIONS = { start: "start", on: "go_on", ok: "ok", skip: "skip", check: "check_answers" } as const;

const canWriteHistory = (): boolean => origin !== "null" && page.querySelector("body.cf-page") !== null;

const words = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));

/* ---- The visible screens, in order ---- */

const wayOf = ({ screens }: Talk): readonly Screen[] => screens.filter(isLive);

const isQuestion = (screen: Screen): boolean => screen.kind === "question";

/** Whether a hidden question may still appear: a visible question that is not yet answered decides its conditions. */
function isPossible({ form, screens, seen }: Talk, screen: Screen): boolean {
  if (!isQuestion(screen) || isLive(screen)) return false;
  const fields = conditionFields(screen);
  const pending = screens.filter((one) => isQuestion(one) && isLive(one) && !seen.has(one));
  return pending.some((one) => controlsOf(one).some((control) => fields.includes(fieldName(form, control))));
}

const firstOpen = (talk: Talk): Screen | undefined =>
  wayOf(talk).find((screen) => screen.kind === "review" || !isValid(screen));

/* ---- Showing a screen ---- */

/** The bar shows the share of past questions in the longest path still possible, so an answer never moves it back. */
function showProgress(talk: Talk): void {
  const { form, screens, current, bar, count } = talk;
  const live = wayOf(talk).filter(isQuestion).length;
  const possible = screens.filter((screen) => isPossible(talk, screen)).length;
  const before = wayOf(talk).slice(0, wayOf(talk).indexOf(current)).filter(isQuestion).length;
  const total = live + possible;
  bar.max = Math.max(total, 1);
  bar.value = current.kind === "review" ? bar.max : Math.min(before, bar.max - 0.5);
  const key = `${current.kind === "start" ? "question_count" : "question_of"}${possible > 0 ? "_up_to" : ""}`;
  const isCounted = isQuestion(current) || current.kind === "start";
  const text = isCounted ? words(textOf(form, key), { n: before + 1, total }) : "";
  if (count.textContent !== text) count.textContent = text;
}

function captionOf(talk: Talk): keyof typeof CAPTIONS {
  const { form, current } = talk;
  if (current.kind === "start") return "start";
  if (current.kind === "statement") return "on";
  if (!isRequired(form, current) && !isAnswered(current)) return "skip";
  return wayOf(talk).at(-2) === current ? "check" : "ok";
}

/** Shows how to continue: by a choice, by Enter, or with a modifier key if Enter starts a new line. */
function showHint({ form, current, hint }: Talk, waits: boolean, byNumber: boolean): void {
  const spans = waits
    ? [
        element("span", "cf-keys", textOf(form, byNumber ? "choose_by_number" : "choose_by_letter")),
        element("span", "cf-touch", textOf(form, "choose_by_tap")),
      ]
    : [element("span", "cf-keys")];
  const controls = controlsOf(current);
  const hasEnter = !controls.some(({ type, value }) => type === "file" || (type === "select-one" && value === ""));
  if (!waits && hasEnter) {
    const [before = "", after = ""] = textOf(form, "press_key").split("{key}");
    const modifier = /Mac|iP/.test(navigator.platform) ? "⌘ + " : "Ctrl + ";
    const isLong = controls.some(({ type }) => type === "textarea");
    spans[0]?.append(before, element("kbd", "", `${isLong ? modifier : ""}Enter ↵`), after);
  }
  if (hint.textContent !== spans.map(({ textContent }) => textContent).join("")) hint.replaceChildren(...spans);
}

function showButtons(talk: Talk): void {
  const { form, current, next, clear } = talk;
  const caption = textOf(form, CAPTIONS[captionOf(talk)]);
  if (next.textContent !== caption) next.textContent = caption;
  next.classList.toggle(AWAY, current.kind === "review");
  const canClear = isSingle(current) && !isRequired(form, current) && isAnswered(current);
  clear.classList.toggle(AWAY, !canClear);
  const byNumber = choicesOf(current).some((choice) => choice.closest(".cf-stars,.cf-hearts,.cf-scale,.cf-numbers"));
  talk.hint.classList.toggle(AWAY, current.kind === "review");
  showHint(talk, leadsOn(talk, current) && !isAnswered(current), byNumber);
}

/** Updates the parts that depend on the answers. */
function refresh(talk: Talk): void {
  showProgress(talk);
  showButtons(talk);
}

/** Adds the count and the hint to the question's `aria-describedby`. */
function describe({ current, count, hint }: Talk): void {
  const [first] = controlsOf(current);
  const group = current.parts.find((part) => part.matches("fieldset")) ?? first;
  const known = (group?.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== "");
  group?.setAttribute("aria-describedby", [...new Set([...known, count.id, hint.id])].join(" "));
}

function show(talk: Talk, screen: Screen, isBack = false, focus = true): void {
  const { form, screens, containers, back } = talk;
  talk.current = screen;
  talk.shownAt = performance.now();
  talk.isLeaving = false;
  if (screen.kind === "review") talk.isReturning = false;
  if (screen.kind === "start") screen.parts[0]?.append(screen.heading);
  native(form).dataset["way"] = isBack ? "back" : "on";
  native(form).dataset["screen"] = screen.kind;
  for (const one of screens) for (const part of one.parts) part.classList.toggle(AWAY, one !== screen);
  for (const one of containers) one.classList.toggle(AWAY, !screen.parts.some((part) => one.contains(part)));
  back.classList.toggle(AWAY, screen.kind === "start");
  native(form).querySelector(".cf-note")?.remove();
  if (screen.kind === "review") listAnswers(talk);
  refresh(talk);
  if (isQuestion(screen)) describe(talk);
  if (canWriteHistory()) {
    const title = native(form).dataset["title"] ?? "";
    page.title = screen.kind === "start" ? title : `${screen.heading.textContent?.trim()} – ${title}`;
  }
  saveAnswers(form, screens.indexOf(screen));
  const detail = { step: wayOf(talk).indexOf(screen) + 1, steps: wayOf(talk).length };
  native(form).dispatchEvent(new CustomEvent("cf-step", { bubbles: true, composed: true, detail }));
  if (canWriteHistory()) window.scrollTo(0, 0);
  const target = landingOf(screen);
  if (target === screen.heading) target.tabIndex = -1;
  // Phones open the keyboard only for a focus within the visitor's action, so the focus is set synchronously.
  if (focus) target.focus({ preventScroll: true });
}

/* ---- Addresses: each screen has a fragment, which is not an element's id ---- */

const hashOf = ({ name }: Screen): string => (name === "" ? "" : `#/${encodeURIComponent(name)}`);

const addressOf = (screen: Screen): string => location.pathname + location.search + hashOf(screen);

function goTo(talk: Talk, screen: Screen, isBack = false): void {
  if (canWriteHistory())
    history.pushState({ cfVisit: talk.visit, cfFrom: talk.current.name, cfAt: screen.name }, "", addressOf(screen));
  show(talk, screen, isBack);
}

/** Stores the screen in the current history entry. */
function settle({ visit, current }: Talk): void {
  if (canWriteHistory())
    history.replaceState({ ...history.state, cfVisit: visit, cfAt: current.name }, "", addressOf(current));
}

/** Returns the wanted screen, or the nearest one before it that is neither hidden nor after a missing answer. */
function allowedScreen(talk: Talk, wanted: number): Screen {
  const { screens } = talk;
  const open = firstOpen(talk);
  const limit = Math.min(wanted, open === undefined ? 0 : screens.indexOf(open));
  return wayOf(talk).findLast((screen) => screens.indexOf(screen) <= limit) ?? (screens[0] as Screen);
}

function goBack(talk: Talk): void {
  if (talk.isLeaving || isSending(talk.form)) return;
  const before = wayOf(talk)[wayOf(talk).indexOf(talk.current) - 1];
  if (before === undefined) return;
  const { cfVisit, cfFrom, cfAt } = (canWriteHistory() && history.state) || {};
  if (cfVisit === talk.visit && cfAt === talk.current.name && cfFrom === before.name) {
    // A second click before the browser has gone back would leave the page.
    talk.isLeaving = true;
    return history.back();
  }
  show(talk, before, true);
  settle(talk);
}

/** Goes to the next screen, if the answer is valid. */
function advance(talk: Talk): void {
  const { form, current, seen } = talk;
  if (talk.isLeaving || isSending(form)) return;
  if (current.kind === "review") {
    const open = firstOpen(talk);
    if (open !== undefined && open !== current) return goTo(talk, open, true);
    return native(form).requestSubmit(current.parts[0]?.querySelector<HTMLElement>(".cf-send button,.cf-send input"));
  }
  if (!isValid(current)) return tellFaults(talk);
  seen.add(current);
  const later = wayOf(talk).slice(wayOf(talk).indexOf(current) + 1);
  const isRefused = (screen: Screen): boolean => controlsOf(screen).some((one) => one.matches("[aria-invalid=true]"));
  // After “Change”, only questions that the change has opened come before the review.
  const next = talk.isReturning
    ? later.find((one) => one.kind === "review" || isRefused(one) || (isQuestion(one) && !seen.has(one)))
    : later[0];
  if (next !== undefined) goTo(talk, next);
}

function tellFaults(talk: Talk): void {
  const { form, current } = talk;
  const focused = page.activeElement;
  showFaults(form, controlsOf(current));
  describe(talk);
  const [line] = current.parts.flatMap((part) => [...part.querySelectorAll<HTMLElement>(".cf-error")]);
  // Screen readers read the message with a control that gets the focus. If the control already had the focus, an alert
  // reads it.
  if (focused !== null && focused === page.activeElement) line?.setAttribute("role", "alert");
  if (canWriteHistory() && !page.title.startsWith(textOf(form, "error_title").split("{")[0] || " "))
    page.title = words(textOf(form, "error_title"), { title: page.title });
}

/* ---- The review ---- */

function listAnswers(talk: Talk): void {
  const { form, screens } = talk;
  const list = screens.at(-1)?.parts[0]?.querySelector("dl");
  const rows = wayOf(talk)
    .filter(isQuestion)
    .map((screen) => {
      const [row, change, question] = [
        element("div", ""),
        element("a", "", textOf(form, "review_change")),
        screen.heading.textContent?.trim() ?? "",
      ];
      change.href = hashOf(screen);
      change.append(element("span", "cf-unseen", `: ${question}`));
      change.addEventListener("click", (event) => {
        event.preventDefault();
        talk.isReturning = true;
        goTo(talk, screen, true);
      });
      const answer = localizedAnswer(form, controlsOf(screen)) || textOf(form, "not_answered");
      const cell = element("dd", "");
      cell.append(change);
      row.append(element("dt", "", question), element("dd", "", answer), cell);
      return row;
    });
  list?.replaceChildren(...rows);
}

/* ---- Starting ---- */

function textButton(className: string, text: string): HTMLButtonElement {
  const button = element("button", className, text);
  button.type = "button";
  return button;
}

/** Puts the form's content on a stage between the bar and the foot. */
function build(form: HTMLFormElement): Talk {
  const { screens, containers } = screensOf(form);
  const id = native(form).dataset["id"] ?? "";
  const [stage, go, foot] = [element("div", "cf-stage"), element("div", "cf-go"), element("div", "cf-foot")];
  const start = screens[0] as Screen;
  const talk: Talk = {
    form,
    screens,
    containers,
    bar: element("progress", "cf-bar"),
    count: element("p", "cf-count"),
    next: textButton("cf-next", ""),
    clear: textButton("cf-inline", textOf(form, "clear_answer")),
    back: textButton("cf-back", textOf(form, "previous_step")),
    hint: element("span", "cf-go-hint"),
    current: start,
    seen: new Set(),
    isReturning: false,
    isLeaving: false,
    shownAt: 0,
    visit: Math.random(),
  };
  talk.bar.setAttribute("aria-hidden", "true");
  talk.count.id = `cf-count-${id}`;
  talk.hint.id = `cf-hint-${id}`;
  stage.append(
    ...[...native(form).children].filter((child) => !child.matches("input[type=hidden],noscript,[aria-hidden=true]")),
  );
  stage.querySelector(".cf-fields")?.before(start.parts[0] ?? "", talk.count);
  if (!talk.count.isConnected) stage.prepend(start.parts[0] ?? "", talk.count);
  go.append(talk.next, talk.clear, talk.hint);
  stage.append(screens.at(-1)?.parts[0] ?? "", go);
  const isKept = saveAnswers(form, 0);
  foot.append(talk.back, element("span", "cf-keep", textOf(form, isKept ? "answers_kept" : "keeps_nothing")));
  native(form).append(talk.bar, element("p", "cf-name", native(form).dataset["title"] ?? ""), stage, foot);
  return talk;
}

/** Starts the conversation at the saved screen. */
export function startConversation(form: HTMLFormElement, saved: number): void {
  const talk = build(form);
  const { screens, seen, next, back, clear } = talk;
  // Each question is checked when it is left, and all of them before sending.
  native(form).noValidate = true;
  native(form).classList.add("cf-talk");
  setWalk(form, {
    get step() {
      return screens.indexOf(talk.current);
    },
    showStepOf: (target) => {
      const screen = screens.find(({ parts }) => parts.some((part) => part.contains(target)));
      if (screen === undefined || screen === talk.current) return;
      talk.isReturning = true;
      goTo(talk, screen, true);
    },
    refresh: (fromStart) => {
      if (!fromStart) return refresh(talk);
      seen.clear();
      talk.visit = Math.random();
      talk.isReturning = false;
      show(talk, screens[0] as Screen, true, false);
      settle(talk);
    },
  });
  next.addEventListener("click", ({ detail }) => detail > 1 || advance(talk));
  back.addEventListener("click", () => goBack(talk));
  clear.addEventListener("click", () => clearAnswer(talk));
  native(form).addEventListener("input", () => refresh(talk));
  native(form).addEventListener("change", () => refresh(talk));
  listenToKeys(talk, () => advance(talk));
  watchHistory(talk);
  begin(talk, saved);
}

function begin(talk: Talk, saved: number): void {
  const { form, screens, seen } = talk;
  const faulty = native(form).querySelector<Control>("[aria-invalid=true]");
  const named = screens.findIndex((screen) => screen.name !== "" && hashOf(screen) === location.hash);
  for (const screen of screens.slice(0, Math.max(saved, named))) seen.add(screen);
  const refused = screens.findIndex(({ parts }) => parts.some((part) => part.contains(faulty)));
  const first = faulty === null ? allowedScreen(talk, named < 0 ? saved : named) : screens[refused];
  const { cfVisit } = (canWriteHistory() && history.state) || {};
  // Earlier history entries stay valid, because the answers are kept.
  if (cfVisit !== undefined) talk.visit = cfVisit;
  if (canWriteHistory()) history.scrollRestoration = "manual";
  show(talk, first ?? (screens[0] as Screen), false, first?.kind !== "start" && canWriteHistory() && hasMouse());
  settle(talk);
}

function watchHistory(talk: Talk): void {
  const { form, screens } = talk;
  if (!canWriteHistory()) return;
  // After the timeout, the ending has replaced the form.
  native(form).addEventListener("cf-success", () => setTimeout(() => showSent(talk)));
  window.addEventListener("popstate", () => {
    if (native(form).classList.contains("cf-sent")) return showNote(form, textOf(form, "sent_before"));
    if (location.hash !== "" && !location.hash.startsWith("#/")) return;
    const wanted = allowedScreen(
      talk,
      Math.max(
        0,
        screens.findIndex((screen) => hashOf(screen) === location.hash),
      ),
    );
    show(talk, wanted, screens.indexOf(wanted) < screens.indexOf(talk.current));
    settle(talk);
  });
}

/** Gives the ending an address, and restores the page's title for screen readers. */
function showSent({ form, screens }: Talk): void {
  if (!native(form).classList.contains("cf-sent")) return;
  history.replaceState({ cfSent: true }, "", `${location.pathname}${location.search}#/sent`);
  const title = screens[0]?.heading;
  if (title !== undefined) native(form).before(title);
}

/** Clears the answer of the current question, and focuses the question. */
function clearAnswer(talk: Talk): void {
  for (const choice of choicesOf(talk.current)) choice.checked = false;
  clearFaults(talk.form);
  const target = landingOf(talk.current);
  for (const type of ["input", "change"]) target.dispatchEvent(new Event(type, { bubbles: true }));
  target.focus();
}
