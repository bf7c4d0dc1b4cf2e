/** Texts of the preview that can be edited in place, and elements that only the visitor's script would add. */
import type { CSSProperties } from "react";
import type { Form } from "../../../client/index.ts";
import type { Command } from "../../shared/draft/commands.ts";
import type { Content, Field, FormSchema, Option } from "../../shared/draft/content.ts";
import type { Box } from "./model/drop-place.ts";
import { relabelOption } from "./model/options.ts";
import { stepsOf } from "../../shared/draft/tree.ts";

export interface EditableText {
  readonly id: string;
  /** Field that the text belongs to; null for texts of the form. */
  readonly field: string | null;
  readonly text: string;
  readonly box: Box;
  /** The area in which a double click opens the text: its box, or its whole button. */
  readonly target: Box;
  /** Whether the text may have several lines. */
  readonly isLong: boolean;
  /** Computed style of the text. */
  readonly style: CSSProperties;
  /** Replaces the text in the preview. */
  write(text: string): void;
  /** Returns the command that changes the text in `content`, which may be newer; null for an invalid text. */
  commandFor(text: string, content: Content): Command | null;
}

/** Value of the step select that shows the ending. */
export const ENDING = ":ending";

/** Parts of the content that the visitor's script shows outside the fields. */
type ScriptedContent = Pick<Content, "source" | "settings" | "messages">;

const messageOf = (content: ScriptedContent, form: Form, key: string): string =>
  content.messages[key] ?? form.messages[key] ?? "";
const settingOf = (content: ScriptedContent, form: Form, key: string): string =>
  String(content.settings[key] ?? form.settings[key] ?? "");

function createElement(page: Document, tag: string, name: string, text = ""): HTMLElement {
  const element = page.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

/** Class of the elements that reserve space for the dividers of steps. */
export const STEP_SPACE = "cf-canvas-step";

/** Removes the elements that the editor added, so that the page can be compared with the server's next rendering. */
export function removeScriptedElements(page: Document): void {
  for (const old of page.querySelectorAll(`.cf-step-buttons,.cf-ending,.${STEP_SPACE}`)) old.remove();
}

/** Adds elements that only the visitor's script creates: the buttons of steps, and the ending. */
export function addScriptedElements(page: Document, content: ScriptedContent, form: Form, shown: string): void {
  removeScriptedElements(page);
  const formElement = page.querySelector<HTMLElement>(".cf-form");
  if (formElement === null) return;
  const showsEnding = shown === ENDING;
  for (const child of formElement.querySelectorAll<HTMLElement>(":scope > [data-cf-hidden]")) {
    child.removeAttribute("data-cf-hidden");
    child.hidden = false;
  }
  if (showsEnding) {
    const ending = createElement(page, "div", "cf-ending");
    const title = settingOf(content, form, "success_title");
    ending.append(
      createElement(page, "div", "cf-tick"),
      ...(title === "" ? [] : [createElement(page, "h2", "cf-ending-title", title)]),
      createElement(page, "p", "cf-message-success", messageOf(content, form, "success")),
    );
    for (const child of formElement.querySelectorAll<HTMLElement>(":scope > :not([hidden],[type=hidden])")) {
      child.dataset["cfHidden"] = "";
      child.hidden = true;
    }
    formElement.append(ending);
    return;
  }
  if (content.source !== "schema") return;
  const steps = [...formElement.querySelectorAll("[data-step]")];
  steps.forEach((step, index) => {
    const buttons = createElement(page, "div", "cf-step-buttons");
    for (const [key, name, isThere] of [
      ["previous_step", "cf-back", index > 0],
      ["next_step", "cf-next", index < steps.length - 1],
    ] as const) {
      if (!isThere) continue;
      const button = createElement(page, "button", name, messageOf(content, form, key));
      button.setAttribute("type", "button");
      buttons.append(button);
    }
    if (steps.length > 1) step.append(buttons);
  });
}

/** Returns the first text node in the element with exactly this text. */
export function findText(element: Element, words: string): Text | null {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.nodeValue?.trim() === words) return node as Text;
  return null;
}

/** Returns the effective background color of an element. */
function backgroundOf(element: Element): string {
  const view = element.ownerDocument.defaultView;
  for (let ancestor: Element | null = element; ancestor !== null && view !== null; ancestor = ancestor.parentElement) {
    const colour = view.getComputedStyle(ancestor).backgroundColor;
    if (!/^(?:transparent|rgba\(.*, 0\))$/.test(colour)) return colour;
  }
  return "Canvas";
}

type Source = Pick<EditableText, "id" | "field" | "commandFor" | "isLong">;

function boxOf(shape: Element | Range): Box {
  const { left, top, width, height } = shape.getBoundingClientRect();
  return { left, top, width, height };
}

/** Finds a text in the scopes; empty if it is not visible. */
function findEditableText(scopes: readonly (Element | null)[], words: string, source: Source): readonly EditableText[] {
  const text = words.trim();
  const node =
    text === ""
      ? null
      : scopes.reduce<Text | null>((found, scope) => found ?? (scope === null ? null : findText(scope, text)), null);
  const holder = node?.parentElement ?? null;
  const view = holder?.ownerDocument.defaultView ?? null;
  if (node === null || holder === null || view === null) return [];
  const range = holder.ownerDocument.createRange();
  range.selectNodeContents(node);
  const box = boxOf(range);
  if (box.width === 0) return [];
  const { font, letterSpacing, color } = view.getComputedStyle(holder);
  return [
    {
      ...source,
      text,
      box,
      target: boxOf(holder.closest("button,.cf-submit,.cf-next,.cf-back") ?? range),
      style: { font, letterSpacing, color, background: backgroundOf(holder) },
      write: (next) => {
        node.nodeValue = node.data.replace(node.data.trim(), () => next);
      },
    },
  ];
}

/** Returns the editable texts of one field. */
function textsOfField(element: Element, field: Field, published: readonly Option[]): readonly EditableText[] {
  const { name, type } = field;
  const control = element.querySelector("input,select,textarea") ?? element;
  const page = element.ownerDocument;
  const label = control.id === "" ? null : page.querySelector(`label[for="${CSS.escape(control.id)}"]`);
  // In an author's HTML, the description may be anywhere.
  const described = (control.getAttribute("aria-describedby") ?? "")
    .split(/\s+/)
    .filter((id) => id !== "")
    .map((id) => page.querySelector(`#${CSS.escape(id)}`));
  const scopes = [element, label, ...described, element.closest("fieldset")];
  const textOf = (key: "label" | "description", isLong: boolean) =>
    findEditableText(scopes, field[key], {
      id: `${name} ${key}`,
      field: name,
      isLong,
      commandFor: (text) => ({ kind: "update", name, change: { [key]: text } }),
    });
  const options =
    type === "select"
      ? []
      : field.options.flatMap((option, at) =>
          findEditableText(scopes, option.label, {
            id: `${name} option ${at}`,
            field: name,
            isLong: false,
            commandFor: (text, content) => {
              const now = content.schema.fields.find((candidate) => candidate.name === name)?.options ?? [];
              const changed = relabelOption(now, at, text, published);
              return changed === null ? null : { kind: "update", name, change: { options: changed } };
            },
          }),
        );
  return [...textOf("label", type === "paragraph"), ...textOf("description", false), ...options];
}

/** Returns all editable texts of the page, in reading order. */
export function editableTextsOf(
  page: Document,
  content: Content,
  form: Form,
  published: FormSchema,
  elements: ReadonlyMap<string, Element>,
): readonly EditableText[] {
  const message = (selector: string, key: string): readonly EditableText[] =>
    [...page.querySelectorAll(selector)].flatMap((element, at) =>
      findEditableText([element], messageOf(content, form, key), {
        id: `message ${key} ${at}`,
        field: null,
        isLong: key === "success",
        commandFor: (text) => ({ kind: "messages", change: { [key]: text } }),
      }),
    );
  const texts = [
    ...findEditableText([page.querySelector(".cf-title")], content.title, {
      id: "title",
      field: null,
      isLong: false,
      commandFor: (title) => ({ kind: "title", title }),
    }),
    ...stepsOf(content.schema).flatMap(({ id, title = "" }) =>
      findEditableText([page.querySelector(`[data-step="${CSS.escape(id)}"]`)], title, {
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
        : textsOfField(element, field, published.fields.find(({ name }) => name === field.name)?.options ?? []);
    }),
    ...message(".cf-back", "previous_step"),
    ...message(".cf-next", "next_step"),
    ...message(".cf-message-success", "success"),
    ...message(".cf-submit:not([data-cf-name])", "send"),
    ...findEditableText([page.querySelector(".cf-ending-title")], settingOf(content, form, "success_title"), {
      id: "success_title",
      field: null,
      isLong: false,
      commandFor: (text) => ({ kind: "settings", change: { success_title: text } }),
    }),
  ];
  return texts.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left);
}

/** Returns the text at a point of the page. */
export const textAtPoint = (texts: readonly EditableText[], x: number, y: number): EditableText | undefined =>
  texts.find(
    ({ target: { left, top, width, height } }) =>
      x >= left - 4 && x <= left + width + 4 && y >= top - 3 && y <= top + height + 3,
  );
