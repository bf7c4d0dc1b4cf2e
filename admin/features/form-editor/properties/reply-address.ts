/** Reply address of the form's email notifications, as the setting `reply_to` of their actions. */
import type { FormAction } from "../../../../client/index.ts";

const replyTo = (action: FormAction): string => {
  const value = (action as Readonly<Record<string, unknown>>)["reply_to"];
  return typeof value === "string" ? value.trim() : "";
};

/** Whether every notification replies to the field: by its setting, or because it is the form's only email field. */
export function isReplyAddress(actions: readonly FormAction[], name: string, isOnly: boolean): boolean {
  const emails = actions.filter(({ type }) => type === "email");
  if (emails.length === 0) return isOnly;
  return emails.every((action) => replyTo(action) === `[${name}]` || (isOnly && replyTo(action) === ""));
}

/** Sets the reply address of all notifications to the field, or removes it. Returns the input if nothing changes. */
export function withReplyAddress(actions: readonly FormAction[], name: string, isOn: boolean): readonly FormAction[] {
  const variable = `[${name}]`;
  const isChanged = (action: FormAction): boolean => action.type === "email" && (replyTo(action) === variable) !== isOn;
  if (!actions.some(isChanged)) return actions;
  return actions.map((action) => (isChanged(action) ? { ...action, reply_to: isOn ? variable : "" } : action));
}
