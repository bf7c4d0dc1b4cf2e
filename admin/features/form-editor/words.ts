/** The words of the preview that can be changed where they stand, and those that only the visitor's script would show. */
import type { CSSProperties } from "react";
import type { Form } from "../../../client/index.ts";
import type { Command } from "./model/commands.ts";
import type { Content, Field, FormSchema, Option } from "./model/content.ts";
import type { Box } from "./model/drop-place.ts";
import { relabelled } from "./model/options.ts";
import { stepsOf } from "./model/tree.ts";

export interface Word {
  readonly id: string;
  /** The field that it is of. */
  readonly field: string | null;
  readonly text: string;
  readonly box: Box;
  /** May have several lines. */
  readonly isLong: boolean;
  /** As it stands there. */
  readonly style: CSSProperties;
  /** Writes other words over it, in the preview. */
  write(text: string): void;
  /** Changes them in `content`, which may have changed since they were found; null where they cannot be these. */
  commandFor(text: string, content: Content): Command | null;
}

/** What is shown in place of a step: what visitors see after sending. */
export const ENDING = ":ending";

const messageOf = (content: Content, form: Form, key: string): string =>
  content.messages[key] ?? form.messages[key] ?? "";
const settingOf = (content: Content, form: Form, key: string): string =>
  String(content.settings[key] ?? form.settings[key] ?? "");

function made(page: Document, tag: string, name: string, text = ""): HTMLElement {
  const element = page.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

/** Adds what visitors get from their script alone: the buttons between steps, and the ending (`visitor`). */
export function addScripted(page: Document, content: Content, form: Form, shown: string): void {
  for (const old of page.querySelectorAll(".cf-step-buttons,.cf-ending")) old.remove();
  const own = page.querySelector<HTMLElement>(".cf-form");
  if (own === null) return;
  const isOver = shown === ENDING;
  for (const child of own.querySelectorAll<HTMLElement>(":scope > [data-cf-hidden]")) {
    child.removeAttribute("data-cf-hidden");
    child.hidden = false;
  }
  if (isOver) {
    const ending = made(page, "div", "cf-ending");
    const title = settingOf(content, form, "success_title");
    ending.append(
      made(page, "div", "cf-tick"),
      ...(title === "" ? [] : [made(page, "h2", "cf-ending-title", title)]),
      made(page, "p", "cf-message-success", messageOf(content, form, "success")),
    );
    for (const child of own.querySelectorAll<HTMLElement>(":scope > :not([hidden],[type=hidden])")) {
      child.dataset["cfHidden"] = "";
      child.hidden = true;
    }
    own.append(ending);
    return;
  }
  if (content.source !== "schema") return;
  const steps = [...own.querySelectorAll("[data-step]")];
  steps.forEach((step, index) => {
    const buttons = made(page, "div", "cf-step-buttons");
    for (const [key, name, isThere] of [
      ["previous_step", "cf-back", index > 0],
      ["next_step", "cf-next", index < steps.length - 1],
    ] as const) {
      if (!isThere) continue;
      const button = made(page, "button", name, messageOf(content, form, key));
      button.setAttribute("type", "button");
      buttons.append(button);
    }
    if (steps.length > 1) step.append(buttons);
  });
}

/** The first text in the element that says exactly this. */
export function textIn(element: Element, words: string): Text | null {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.nodeValue?.trim() === words) return node as Text;
  return null;
}

/** What lies behind an element. */
function paperOf(element: Element): string {
  const view = element.ownerDocument.defaultView;
  for (let own: Element | null = element; own !== null && view !== null; own = own.parentElement) {
    const colour = view.getComputedStyle(own).backgroundColor;
    if (!/^(?:transparent|rgba\(.*, 0\))$/.test(colour)) return colour;
  }
  return "Canvas";
}

type Source = Pick<Word, "id" | "field" | "commandFor" | "isLong">;

/** A word at the place of its text; none where it is not to be seen. */
function wordAt(scopes: readonly (Element | null)[], words: string, source: Source): readonly Word[] {
  const text = words.trim();
  const node =
    text === ""
      ? null
      : scopes.reduce<Text | null>((found, scope) => found ?? (scope === null ? null : textIn(scope, text)), null);
  const holder = node?.parentElement ?? null;
  const view = holder?.ownerDocument.defaultView ?? null;
  if (node === null || holder === null || view === null) return [];
  const range = holder.ownerDocument.createRange();
  range.selectNodeContents(node);
  const { left, top, width, height } = range.getBoundingClientRect();
  if (width === 0) return [];
  const { font, letterSpacing, color } = view.getComputedStyle(holder);
  return [
    {
      ...source,
      text,
      box: { left, top, width, height },
      style: { font, letterSpacing, color, background: paperOf(holder) },
      write: (next) => {
        node.nodeValue = node.data.replace(node.data.trim(), () => next);
      },
    },
  ];
}

/** The words of one field, where its element is known. */
function fieldWords(element: Element, field: Field, published: readonly Option[]): readonly Word[] {
  const { name, type } = field;
  const control = element.querySelector("input,select,textarea") ?? element;
  const page = element.ownerDocument;
  const label = control.id === "" ? null : page.querySelector(`label[for="${CSS.escape(control.id)}"]`);
  // In an author's HTML the help may stand anywhere.
  const described = (control.getAttribute("aria-describedby") ?? "")
    .split(/\s+/)
    .filter((id) => id !== "")
    .map((id) => page.querySelector(`#${CSS.escape(id)}`));
  const scopes = [element, label, ...described, element.closest("fieldset")];
  const of = (key: "label" | "description", isLong: boolean) =>
    wordAt(scopes, field[key], {
      id: `${name} ${key}`,
      field: name,
      isLong,
      commandFor: (text) => ({ kind: "update", name, change: { [key]: text } }),
    });
  const options =
    type === "select"
      ? []
      : field.options.flatMap((option, at) =>
          wordAt(scopes, option.label, {
            id: `${name} option ${at}`,
            field: name,
            isLong: false,
            commandFor: (text, content) => {
              const now = content.schema.fields.find((own) => own.name === name)?.options ?? [];
              const changed = relabelled(now, at, text, published);
              return changed === null ? null : { kind: "update", name, change: { options: changed } };
            },
          }),
        );
  return [...of("label", type === "paragraph"), ...of("description", false), ...options];
}

/** All words of the page that can be changed, in the order in which they stand. */
export function wordsOf(
  page: Document,
  content: Content,
  form: Form,
  published: FormSchema,
  elements: ReadonlyMap<string, Element>,
): readonly Word[] {
  const message = (selector: string, key: string): readonly Word[] =>
    [...page.querySelectorAll(selector)].flatMap((element, at) =>
      wordAt([element], messageOf(content, form, key), {
        id: `message ${key} ${at}`,
        field: null,
        isLong: key === "success",
        commandFor: (text) => ({ kind: "messages", change: { [key]: text } }),
      }),
    );
  const words = [
    ...wordAt([page.querySelector(".cf-title")], content.title, {
      id: "title",
      field: null,
      isLong: false,
      commandFor: (title) => ({ kind: "title", title }),
    }),
    ...stepsOf(content.schema).flatMap(({ id, title = "" }) =>
      wordAt([page.querySelector(`[data-step="${CSS.escape(id)}"]`)], title, {
        id: `step ${id}`,
        field: null,
        isLong: false,
        commandFor: (text) => ({ kind: "update_step", id, title: text }),
      }),
    ),
    ...content.schema.fields.flatMap((field) => {
      const element = elements.get(field.name);
      return element === undefined
        ? []
        : fieldWords(element, field, published.fields.find(({ name }) => name === field.name)?.options ?? []);
    }),
    ...message(".cf-back", "previous_step"),
    ...message(".cf-next", "next_step"),
    ...message(".cf-message-success", "success"),
    ...message(".cf-submit:not([data-cf-name])", "send"),
    ...wordAt([page.querySelector(".cf-ending-title")], settingOf(content, form, "success_title"), {
      id: "success_title",
      field: null,
      isLong: false,
      commandFor: (text) => ({ kind: "settings", change: { success_title: text } }),
    }),
  ];
  return words.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left);
}

/** The word at a place of the page. */
export const wordAtPoint = (words: readonly Word[], x: number, y: number): Word | undefined =>
  words.find(
    ({ box }) =>
      x >= box.left - 4 && x <= box.left + box.width + 4 && y >= box.top - 3 && y <= box.top + box.height + 3,
  );
