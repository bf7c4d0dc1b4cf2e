/** `forms.registerAction`: the specification's contract for custom actions, built on the hooks of an action type. */

import type { ActionForm, ActionSettings, ActionSubmission } from "./action-values.ts";
import { checkAction } from "./action-check.ts";
import { describe } from "./hook-results.ts";
import type { Hooks } from "./hooks.ts";

/** Description of a setting, from which the admin builds its control. The process step gets its value as a text. */
export interface ActionSettingDescription {
  /**
   * Key in the action's settings: letters, digits, `_` and `-`. A password's ends with `secret`, `token`, `password` or
   * `api_key`. Reserved: `type`, `conditions`, `priority`, `action_id`, `action_name`, `action_enabled` and
   * `idempotency_key`.
   */
  readonly name: string;
  /** Label beside the control. */
  readonly label: string;
  /** Kind of control; default: a line of text. A ticked checkbox is `"1"`, any other `""` or its `default`. */
  readonly type?: "text" | "textarea" | "select" | "checkbox" | "password";
  readonly help?: string;
  /** Whether the action is skipped while the setting is empty. Saving such a form returns a warning that names it. */
  readonly required?: boolean;
  /** Value of an empty setting. Default: empty, or the value of a select's first option. */
  readonly default?: string;
  /** Whether variables such as `[name]` are replaced by answers before a `text` or `textarea` is used. Default: true. */
  readonly template?: boolean;
  /** The choices of a select, which needs at least one. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/** The settings that an action describes, as its process step gets them. */
export type DescribedSettings<Settings extends readonly ActionSettingDescription[]> = number extends Settings["length"]
  ? ActionSettings
  : { readonly [Name in Settings[number]["name"] | "idempotency_key"]: string };

/** An action type of a plugin. */
export interface ActionType<
  Settings extends readonly ActionSettingDescription[] = readonly ActionSettingDescription[],
> {
  /**
   * Unique name of 1 to 50 letters, digits, `_` and `-`. The first is a letter or a digit. The name of a built-in type is
   * rejected.
   */
  readonly type: string;
  /** Name in the list of action types. */
  readonly label: string;
  /**
   * Describes the settings, or renders their form as HTML. Name the form's inputs with {@link settingName}. The engine
   * adds the hidden input with the type if it is missing.
   */
  settings?: Settings | ((current: Readonly<Record<string, unknown>>, index: number) => string | Promise<string>);
  /**
   * Runs the action. `true` means done, and `false` skips it: there is nothing to do. If it throws, the queue retries
   * the action, unless the error is a `PermanentError`.
   */
  process(
    settings: DescribedSettings<Settings>,
    submission: ActionSubmission,
    form: ActionForm,
  ): boolean | Promise<boolean>;
}

/** Name of a setting's input in the settings form. */
export function settingName(index: number, key: string): string {
  return `form[settings][actions][${index}][${key}]`;
}

/**
 * Registers an action type through its hooks, instead of a former registration of the type. Returns a function that
 * unregisters it. `warn` gets a message when a registration is replaced, and when the process step returns neither `true`
 * nor `false`.
 */
export function registerAction(hooks: Hooks, action: ActionType, warn: (message: string) => void): () => void {
  checkAction(action);
  const { type, label } = action;
  const described = Array.isArray(action.settings) ? (action.settings as readonly ActionSettingDescription[]) : null;

  const namespace = `cf-forms/register-action/${type}`;
  const settingsHook = `cf_output_form_action_${type}_settings`;
  const processHook = `cf_process_form_action_${type}`;
  const unregister = (): void => {
    hooks.removeFilter("cf_available_form_actions", namespace);
    hooks.removeFilter("cf_form_action_settings", namespace);
    hooks.removeAction(settingsHook, namespace);
    hooks.removeAction(processHook, namespace);
  };
  if (hooks.hasAction(processHook, namespace)) {
    warn(`the action ${type} was registered again, which replaces its former registration`);
    unregister();
  }
  hooks.addFilter("cf_available_form_actions", namespace, (types: Record<string, string>) => ({
    ...types,
    [type]: label,
  }));
  if (described !== null)
    hooks.addFilter("cf_form_action_settings", namespace, (types) => ({ ...types, [type]: described }));
  hooks.addAction(settingsHook, namespace, async (current: Record<string, unknown>, index: number) => {
    const { settings = [] } = action;
    if (typeof settings !== "function") return describedForm(settings, current, index);
    const html = await settings(current, index);
    checkNames(type, html, index);
    return html;
  });
  hooks.addAction(
    processHook,
    namespace,
    async (settings: ActionSettings, submission: ActionSubmission, form: ActionForm) => {
      const isDone: unknown = await action.process(settings, submission, form);
      if (typeof isDone !== "boolean")
        warn(
          `the process step of the action ${type} returned ${describe(isDone)} instead of true or false; it counts as true`,
        );
      return isDone !== false;
    },
  );
  return unregister;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Renders the described settings as a form. `data-cf-described` tells the admin that the form has no other inputs. */
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

/** Rejects inputs whose names are not {@link settingName}s: a save would lose their values. */
function checkNames(type: string, html: unknown, index: number): void {
  if (typeof html !== "string") throw new TypeError(`the settings form of ${type} is not text`);
  const beginning = settingName(index, "").slice(0, -1);
  for (const [, name = ""] of html.matchAll(/\sname=["']?([^"'\s>]*)/g)) {
    if (!name.startsWith(beginning)) throw new Error(`the input "${name}" of ${type} must be named ${beginning}…]`);
  }
}
