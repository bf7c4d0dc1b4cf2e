/** Checks the action types that plugins register. Each error names the action and the setting. */

import type { ActionSettingDescription, ActionType } from "./actions.ts";

/** The types that the engine runs itself, as `src/action_types` defines them, and its mail about saved progress. */
export const BUILT_IN_TYPES: ReadonlySet<string> = new Set([
  "activecampaign",
  "airtable",
  "autoresponder",
  "brevo",
  "convertkit",
  "discord",
  "email",
  "github_issue",
  "hubspot",
  "mailchimp",
  "mailerlite",
  "make",
  "mattermost",
  "microsoft_teams",
  "n8n",
  "notion",
  "resume_link",
  "slack",
  "telegram",
  "twilio_sms",
  "webhook",
  "zapier",
]);

/** Names that no setting may have: `COMMON_KEYS` of `src/action_types/setting_faults.rs`, and `idempotency_key`. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  "type",
  "conditions",
  "priority",
  "action_id",
  "action_name",
  "action_enabled",
  "idempotency_key",
]);

const TYPE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;
const KEY = /^[A-Za-z0-9_-]+$/;
const CONTROLS: readonly unknown[] = ["text", "textarea", "select", "checkbox", "password"];

/** Names of settings that the engine encrypts, as `src/action_types/secret_names.rs` does. */
const SECRET_NAME = /(?:secret|token|password|api[_-]?key)$/i;

const ACTION_MEMBERS: ReadonlySet<string> = new Set(["type", "label", "settings", "process"]);

const SETTING_MEMBERS: ReadonlySet<string> = new Set([
  "name",
  "label",
  "type",
  "help",
  "required",
  "default",
  "template",
  "options",
]);

const OPTION_MEMBERS: ReadonlySet<string> = new Set(["value", "label"]);

/** Names the members of an object that are not in a set; null when there are none. */
function unknownMembers(members: object, known: ReadonlySet<string>): string | null {
  const unknown = Object.keys(members).filter((name) => !known.has(name));
  if (unknown.length === 0) return null;
  return `has the unknown ${unknown.length === 1 ? "member" : "members"} ${unknown.map((name) => `\`${name}\``).join(", ")}; the members are ${[...known].join(", ")}`;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Throws a TypeError for the first fault of an action type. */
export function checkAction(action: ActionType): void {
  const { type, label, process, settings } = action;
  if (!isText(type) || !TYPE.test(type))
    throw new TypeError("an action's type is 1 to 50 letters, digits, _ and -, and begins with a letter or a digit");
  const reject = (fault: string): never => {
    throw new TypeError(`the action ${type} ${fault}`);
  };
  if (BUILT_IN_TYPES.has(type)) reject("has the type of a built-in action; choose another type");
  const unknown = unknownMembers(action, ACTION_MEMBERS);
  if (unknown !== null) reject(unknown);
  if (!isText(label) || label === "") reject("needs a label");
  if (typeof process !== "function") reject("needs a process step");
  if (settings === undefined || typeof settings === "function") return;
  if (!Array.isArray(settings)) reject("needs settings that are a list of descriptions, or a function");
  const names = new Set<string>();
  for (const setting of settings as readonly ActionSettingDescription[]) {
    const fault = settingFault(setting);
    const { name } = Object(setting) as ActionSettingDescription;
    if (fault !== null) reject(`has a setting ${JSON.stringify(name) ?? "without a name"} that ${fault}`);
    if (names.has(name)) reject(`has two settings with the name ${JSON.stringify(name)}`);
    names.add(name);
  }
}

/** Describes the first fault of a setting; null when there is none. */
function settingFault(setting: ActionSettingDescription): string | null {
  const {
    name,
    label,
    type = "text",
    options,
    default: preset,
    help,
    required,
    template,
  } = Object(setting) as ActionSettingDescription;
  if (!isText(name) || !KEY.test(name)) return "needs a name of letters, digits, _ and -";
  const unknown = unknownMembers(setting, SETTING_MEMBERS);
  if (unknown !== null) return unknown;
  if (RESERVED_KEYS.has(name)) return "has a reserved name; choose another name";
  if (!isText(label) || label === "") return "needs a label";
  if (!CONTROLS.includes(type)) return `has the type ${JSON.stringify(type)}; the types are ${CONTROLS.join(", ")}`;
  if (type === "password" && !SECRET_NAME.test(name))
    return "is a password, so its name must end with secret, token, password or api_key";
  for (const [member, value] of Object.entries({ default: preset, help })) {
    if (value !== undefined && !isText(value)) return `has a member \`${member}\` that is not a text`;
  }
  for (const [member, value] of Object.entries({ required, template })) {
    if (value !== undefined && typeof value !== "boolean")
      return `has a member \`${member}\` that is not true or false`;
  }
  if (type === "select") return optionsFault(options, preset);
  return options === undefined ? null : `has options, which only a select has; its type is ${type}`;
}

function optionsFault(options: ActionSettingDescription["options"], preset = ""): string | null {
  if (!Array.isArray(options) || options.length === 0) return "is a select, so it needs options";
  const areTexts = options.every((option) => isText(option?.value) && isText(option?.label));
  if (!areTexts) return "needs options of the form {value, label}, both texts";
  const unknown = options.map((option) => unknownMembers(option, OPTION_MEMBERS)).find((fault) => fault !== null);
  if (unknown !== undefined) return `has an option that ${unknown}`;
  const values = options.map(({ value }) => value);
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) return `has two options with the value ${JSON.stringify(repeated)}`;
  const isOffered = preset === "" || options.some(({ value }) => value === preset);
  return isOffered ? null : `has the default ${JSON.stringify(preset)}, which none of its options has as its value`;
}
