/**
 * Completes addresses before the browser validates them. `example.com` in a URL field gets `https://`, as on the
 * server. The domain of an email address becomes ASCII if the browser rejects other letters.
 */
import { native } from "./dom.ts";

const LABEL = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const TOP = /^(?:xn--.+|\p{L}[\p{L}\p{M}]+)$/iu;

/** Prepends `https://` to an address that begins with a host name; returns any other text unchanged. */
export function withScheme(text: string): string {
  const rest = text.trim().replace(/^\/\//, "");
  const [authority = ""] = rest.split(/[/?#]/);
  const labels = authority.replace(/:\d*$/, "").replace(/\.$/, "").split(".");
  const isHost =
    labels.length > 1 &&
    labels.every((label) => label.length <= 63 && LABEL.test(label)) &&
    TOP.test(labels.at(-1) ?? "");
  return isHost ? `https://${rest}` : text;
}

/** Returns the email address with its domain in ASCII, and any other text unchanged. */
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
    if (type === "email" && target.validity.typeMismatch && /[^\x00-\x7f]/.test(value))
      target.value = withAsciiDomain(value);
  };
  // The capture phase runs before every other listener reads the value.
  native(form).addEventListener("change", complete, true);
}
