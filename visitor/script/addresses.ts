/**
 * Completes addresses as people type them, before the browser checks them: `example.com` in a URL field gets `https://`, as
 * the server gives it, and the domain of an email address is put in ASCII where the browser knows no other.
 */
import { own } from "./own.ts";

const LABEL = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const TOP = /^(?:xn--.+|\p{L}[\p{L}\p{M}]+)$/iu;

/** The address with `https://` before it where it begins with a host name; any other text as it is. */
export function withScheme(text: string): string {
  const rest = text.trim().replace(/^\/\//, "");
  const [authority = ""] = rest.split(/[/?#]/);
  const labels = authority.replace(/:\d*$/, "").replace(/\.$/, "").split(".");
  const isHost = labels.length > 1 && labels.every((label) => label.length <= 63 && LABEL.test(label)) && TOP.test(labels.at(-1) ?? "");
  return isHost ? `https://${rest}` : text;
}

/** The email address with its domain in ASCII; any other text as it is. */
function withAsciiDomain(text: string): string {
  const [local, domain, ...more] = text.trim().split("@");
  if (local === undefined || domain === undefined || more.length > 0) return text;
  try {
    return `${local}@${new URL(`http://${domain}`).hostname}`;
  } catch {
    return text;
  }
}

export function completeAddresses(form: HTMLFormElement): void {
  const complete = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const { type, value } = target;
    if (type === "url" && value !== "" && value !== withScheme(value)) target.value = withScheme(value);
    if (type === "email" && target.validity.typeMismatch && /[^\x00-\x7f]/.test(value)) target.value = withAsciiDomain(value);
  };
  // Before all others look at what was typed.
  own(form).addEventListener("change", complete, true);
}
