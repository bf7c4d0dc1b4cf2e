/**
 * The key by which the server recognizes a repeat of a submit (src/front/limits.rs). A page may come from a
 * cache, and its key then belongs to all who see it: the script replaces it by one of its own.
 */
import { own } from "./own.ts";

/** What the server takes for a key of the script's, which counts from any address. */
const PREFIX = "s-";

const keyInput = (form: HTMLFormElement): HTMLInputElement | null => own(form).querySelector<HTMLInputElement>("input[name=_submission_key]");

/** The form's key; empty where it has none. */
export const submissionKey = (form: HTMLFormElement): string => keyInput(form)?.value ?? "";

/** Restores a key that {@link submissionKey} returned. */
export function restoreKey(form: HTMLFormElement, key: unknown): void {
  const input = keyInput(form);
  if (input !== null && typeof key === "string" && key.startsWith(PREFIX)) input.value = key;
}

/** Makes the next submit another submission. `crypto.randomUUID` is missing on pages without https. */
export function renewKey(form: HTMLFormElement): void {
  const random = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  restoreKey(form, PREFIX + random);
}
