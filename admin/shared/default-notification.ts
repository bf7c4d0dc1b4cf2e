/** Email notification that the admin offers for each new form. `POST /forms` does not add a notification. */
import type { FormAction } from "../../client/index.ts";
import { useOptions } from "./options.ts";

const STORAGE_KEY = "cf-forms-notify";

/** Returns the action that emails each submission. Subject and message keep the engine's defaults. */
export const notificationTo = (email: string): FormAction => ({ type: "email", to: email });

/** Whether a text can be the recipient of a notification. The mail server decides whether the mailbox exists. */
export const isEmail = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+$/.test(text);

/** Returns the address of the signed-in account; without one, the address that this browser used last; else "". */
export function useNotifiedAddress(): string {
  const { user } = useOptions();
  return user?.email === undefined || user.email === "" ? storedAddress() : user.email;
}

function storedAddress(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

/** Remembers an address for the next form. */
export function storeNotifiedAddress(email: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, email);
  } catch {
    // `localStorage` may be blocked; then the user enters the address again.
  }
}
