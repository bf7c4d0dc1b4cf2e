/**
 * The key by which the server recognizes a repeated submit (src/front/submit/repeats.rs). A cached page gives every
 * visitor the same key, so the script replaces the key by a random one.
 */
import { native } from "./dom.ts";

/** Prefix that tells the server that the script made the key. Such a key is valid from any address. */
const PREFIX = "s-";

const keyInput = (form: HTMLFormElement): HTMLInputElement | null =>
  native(form).querySelector<HTMLInputElement>("input[name=_submission_key]");

/** The form's key; empty when it has none. */
export const submissionKey = (form: HTMLFormElement): string => keyInput(form)?.value ?? "";

/** Restores a key that {@link submissionKey} returned. */
export function restoreKey(form: HTMLFormElement, key: unknown): void {
  const input = keyInput(form);
  if (input !== null && typeof key === "string" && key.startsWith(PREFIX)) input.value = key;
}

/**
 * Replaces the key, so that the next submit is a new submission. `crypto.randomUUID` is missing on pages without https.
 */
export function renewKey(form: HTMLFormElement): void {
  const random = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  restoreKey(form, PREFIX + random);
}
