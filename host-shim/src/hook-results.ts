/**
 * Checks the results of plugins' callbacks in runs of the engine. A filter's result of a wrong type is logged, and the
 * value stays as before. Errors of `cf_validate_form` that belong to no field become the form's general error.
 */

import type { HookFault } from "./hook-types.ts";

/** A call of a callback by the engine. */
export interface HookCall {
  readonly hook: string;
  readonly namespace: string;
  readonly arguments: readonly unknown[];
}

export interface ResultServices {
  /** Reads the names of the fields of a form, which is an argument of a callback. */
  readonly fieldNames: (form: Readonly<Record<string, unknown>>) => Promise<ReadonlySet<string>>;
  readonly hasFilter: (hookName: string) => boolean;
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

type Holds = (result: unknown) => boolean;

/** The expected result of a filter, in words and as a test. */
type Expected = readonly [words: string, holds: Holds];

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every(holds);
const objectOf =
  (holds: Holds): Holds =>
  (value) =>
    isObject(value) && Object.values(value).every(holds);

/** Whether the named members are absent or hold. */
function membersHold(value: unknown, members: Readonly<Record<string, Holds>>): boolean {
  return isObject(value) && Object.entries(members).every(([name, holds]) => !(name in value) || holds(value[name]));
}

const isFault = (value: unknown): value is HookFault =>
  isObject(value) && isText(value["field"]) && isText(value["message"]) && membersHold(value, { code: isText });

const TEXT: Expected = ["a text", isText];
const TEXTS: Expected = ["a list of texts", listOf(isText)];
const TEXTS_BY_KEY: Expected = ["an object with texts", isObject];
const OBJECTS: Expected = ["a list of objects", listOf(isObject)];

const VALIDATE_FORM = "cf_validate_form";
const VALIDATE_UPLOAD = "cf_validate_upload";

/** The expected results by filter. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  cf_available_form_actions: TEXTS_BY_KEY,
  cf_form_action_settings: ["an object with lists of settings", objectOf(Array.isArray)],
  cf_editor_field_types: OBJECTS,
  cf_editor_panels: OBJECTS,
  cf_schema_markup: TEXT,
  cf_form_markup: TEXT,
  cf_form_html: TEXT,
  cf_form_default_settings: ["an object with settings", isObject],
  cf_form_default_messages: TEXTS_BY_KEY,
  cf_ignored_field_names: TEXTS,
  [VALIDATE_FORM]: [
    "a text or a list of {field, code, message}",
    (result) => isText(result) || listOf(isFault)(result),
  ],
  [VALIDATE_UPLOAD]: TEXT,
  cf_spam_check: ["true, false or {is_spam, score, reasons}", isSpamVerdict],
  cf_form_redirect_url: TEXT,
  cf_submission_statuses: TEXTS,
  cf_can_view_form_analytics: ["true or false", (result) => typeof result === "boolean"],
  cf_webhook_request: [
    "{method, url, headers, body} with texts",
    (result) => membersHold(result, { method: isText, url: isText, headers: objectOf(isText), body: isText }),
  ],
};

function isSpamVerdict(result: unknown): boolean {
  if (typeof result === "boolean") return true;
  return membersHold(result, {
    is_spam: (value) => typeof value === "boolean",
    score: (value) => typeof value === "number",
    reasons: Array.isArray,
  });
}

function expectedOf(hook: string): Expected | undefined {
  return hook.startsWith("cf_form_message_") ? TEXT : EXPECTED[hook];
}

/** Returns the check of results: it returns the value with which the engine continues. */
export function resultCheck(services: ResultServices): (call: HookCall, result: unknown) => Promise<unknown> {
  return async (call, result) => {
    const expected = expectedOf(call.hook);
    if (expected === undefined) return result;
    const [words, holds] = expected;
    if (!holds(result)) {
      warn(services, call, `returned ${describe(result)} instead of ${words}; the value stays as before`);
      return call.arguments[0];
    }
    if (expected === TEXTS_BY_KEY) warnOfMembers(services, call, Object.entries(Object(result)));
    if (call.hook === VALIDATE_FORM) return checkedVerdict(services, call, result as string | readonly HookFault[]);
    if (call.hook === VALIDATE_UPLOAD && !isMessageKey(services, call, String(result)))
      warnOfKey(services, call, String(result));
    return result;
  };
}

function warn(
  { warn }: ResultServices,
  { hook, namespace }: HookCall,
  text: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  warn(`a callback of ${namespace} for ${hook} ${text}`, { hook, namespace, ...fields });
}

/** Warns of members that are not texts. The engine ignores them. */
function warnOfMembers(
  services: ResultServices,
  call: HookCall,
  members: readonly (readonly [string, unknown])[],
): void {
  const wrong = members.filter(([, value]) => !isText(value)).map(([key, value]) => `${key} (${describe(value)})`);
  if (wrong.length > 0) warn(services, call, `returned members that are not texts: ${wrong.slice(0, 10).join(", ")}`);
}

/** Whether a text is the key of a message of the form, or empty. */
function isMessageKey({ hasFilter }: ResultServices, { arguments: [, form] }: HookCall, text: string): boolean {
  const messages = isObject(form) ? form["messages"] : undefined;
  return text === "" || (isObject(messages) && Object.hasOwn(messages, text)) || hasFilter(`cf_form_message_${text}`);
}

/** Turns a text for visitors and errors without a field into one error whose `field` is empty. */
async function checkedVerdict(
  services: ResultServices,
  call: HookCall,
  verdict: string | readonly HookFault[],
): Promise<string | readonly HookFault[]> {
  if (typeof verdict !== "string") return checkedFaults(services, call, verdict);
  if (verdict === "spam" || isMessageKey(services, call, verdict)) return verdict;
  warnOfKey(services, call, verdict);
  return [{ field: "", code: "error", message: verdict }];
}

/** Warns of a text without a space, which is a mistyped key rather than a text for visitors. */
function warnOfKey(services: ResultServices, call: HookCall, text: string): void {
  if (!text.includes(" "))
    warn(services, call, `returned ${JSON.stringify(text)}, but the form has no message with this key`);
}

async function checkedFaults(
  services: ResultServices,
  call: HookCall,
  faults: readonly HookFault[],
): Promise<readonly HookFault[]> {
  const [, form, data] = call.arguments;
  if (faults.length === 0 || !isObject(form)) return faults;
  const names = await services.fieldNames(form);
  const isKnown = ({ field }: HookFault): boolean => names.has(field) || (isObject(data) && Object.hasOwn(data, field));
  const general = faults.filter((fault) => fault.field === "" || !isKnown(fault));
  for (const { field } of general) {
    if (field === "") continue;
    const text = `returned an error for ${JSON.stringify(field)}, but the form has no such field; the error stands above the form`;
    warn(services, call, text, { field, form_id: form["id"] });
  }
  const [first] = general;
  if (first === undefined) return faults;
  const message = general.map((fault) => fault.message).join(" ");
  return faults.flatMap((fault) => {
    if (fault === first) return [{ ...first, field: "", message }];
    return general.includes(fault) ? [] : [fault];
  });
}

/** Describes a result without its texts, which may be answers. */
export function describe(result: unknown): string {
  if (result === null || result === undefined) return "nothing";
  if (Array.isArray(result)) {
    const items = new Set(result.map(describe));
    return items.size === 0 ? "an empty list" : `a list of ${[...items].slice(0, 3).join(" and ")}`;
  }
  if (typeof result === "boolean") return String(result);
  if (typeof result !== "object") return typeof result === "string" ? "a text" : `a ${typeof result}`;
  const keys = Object.keys(result).slice(0, 10);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
}
