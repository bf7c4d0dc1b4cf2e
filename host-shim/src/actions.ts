/** `forms.registerAction`: the specification's contract for custom actions, built on the three hooks of an action type. */

import type { ActionForm, ActionSettings, ActionSubmission } from "./action-values.ts";
import type { Hooks } from "./hooks.ts";

/** Description of a setting, from which the admin builds its control. */
export interface ActionSettingDescription {
  /** Key in the action's settings. */
  readonly name: string;
  /** Label beside the control. */
  readonly label: string;
  /** Kind of control; default: a line of text. */
  readonly type?: "text" | "textarea" | "select" | "checkbox" | "password";
  readonly help?: string;
  readonly required?: boolean;
  /** The choices of a select. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/** An action type of a plugin. */
export interface ActionType {
  /** Unique: letters, digits, `_` and `-`, at most 50. */
  readonly type: string;
  /** Name in the list of action types. */
  readonly label: string;
  /**
   * Describes the settings, or renders their form as HTML. The form's inputs are named with {@link settingName}. The
   * hidden input with the type is added when it is missing.
   */
  settings?:
    | readonly ActionSettingDescription[]
    | ((current: Readonly<Record<string, unknown>>, index: number) => string | Promise<string>);
  /** Runs the action. True: done. False: not configured, nothing to do. A throw: failed; the queue retries. */
  process(settings: ActionSettings, submission: ActionSubmission, form: ActionForm): boolean | Promise<boolean>;
}

const TYPE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;

/** The name of the input of a setting. */
export function settingName(index: number, key: string): string {
  return `form[settings][actions][${index}][${key}]`;
}

/** Registers an action type by its three hooks. Returns a function that unregisters it. */
export function registerAction(hooks: Hooks, action: ActionType): () => void {
  const { type, label } = action;
  if (typeof type !== "string" || !TYPE.test(type))
    throw new TypeError("an action's type is 1 to 50 letters, digits, _ and -");
  if (typeof label !== "string" || label === "") throw new TypeError(`the action ${type} needs a label`);
  if (typeof action.process !== "function") throw new TypeError(`the action ${type} needs a process step`);

  const namespace = `cf-forms/register-action/${type}`;
  const settingsHook = `cf_output_form_action_${type}_settings`;
  const processHook = `cf_process_form_action_${type}`;
  hooks.addFilter("cf_available_form_actions", namespace, (types: Record<string, string>) => ({
    ...types,
    [type]: label,
  }));
  hooks.addAction(settingsHook, namespace, async (current: Record<string, unknown>, index: number) => {
    const { settings = [] } = action;
    if (typeof settings !== "function") return describedForm(settings, current, index);
    const html = await settings(current, index);
    checkNames(type, html, index);
    return html;
  });
  hooks.addAction(processHook, namespace, (settings: ActionSettings, submission: ActionSubmission, form: ActionForm) =>
    action.process(settings, submission, form),
  );
  return () => {
    hooks.removeFilter("cf_available_form_actions", namespace);
    hooks.removeAction(settingsHook, namespace);
    hooks.removeAction(processHook, namespace);
  };
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The form of described settings. `data-cf-described` tells the admin that it holds only described settings. */
function describedForm(
  settings: readonly ActionSettingDescription[],
  current: Readonly<Record<string, unknown>>,
  index: number,
): string {
  const rows = settings.map(({ name, label, type = "text", help = "", required = false, options = [] }) => {
    const value = String(current[name] ?? "");
    const id = escaped(`action-${index}-${name}-help`);
    const attributes = `name="${escaped(settingName(index, name))}"${required ? " required" : ""}${help === "" ? "" : ` aria-describedby="${id}"`}`;
    const control = {
      text: () => `<input ${attributes} value="${escaped(value)}">`,
      password: () => `<input type="password" ${attributes} value="${escaped(value)}">`,
      checkbox: () => `<input type="checkbox" ${attributes} value="1"${value === "1" ? " checked" : ""}>`,
      textarea: () => `<textarea ${attributes}>${escaped(value)}</textarea>`,
      select: () =>
        `<select ${attributes}>${options.map((option) => `<option value="${escaped(option.value)}"${option.value === value ? " selected" : ""}>${escaped(option.label)}</option>`).join("")}</select>`,
    }[type]();
    return `<p><label>${escaped(label)} ${control}</label>${help === "" ? "" : `<small id="${id}">${escaped(help)}</small>`}</p>`;
  });
  return `<div data-cf-described>${rows.join("")}</div>`;
}

/** Rejects inputs with other names, which would be lost when the form is saved. */
function checkNames(type: string, html: unknown, index: number): void {
  if (typeof html !== "string") throw new TypeError(`the settings form of ${type} is not text`);
  const beginning = settingName(index, "").slice(0, -1);
  for (const [, name = ""] of html.matchAll(/\sname=["']?([^"'\s>]*)/g)) {
    if (!name.startsWith(beginning)) throw new Error(`the input "${name}" of ${type} must be named ${beginning}…]`);
  }
}
