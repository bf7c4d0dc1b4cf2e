/**
 * The trusted-types policy of the visitor's script, embed.ts and the admin. On a page with `require-trusted-types-for
 * 'script'; trusted-types cf-forms`, text becomes elements or scripts only through this policy. The script that loads
 * first creates the policy, because a page rejects a second policy of the same name.
 */

/** Functions that mark text as trusted. The results are typed as plain strings. */
interface Trusted {
  /** Marks HTML for parsers and frames. */
  html(text: string): string;
  /** Marks the address of a script element. */
  scriptAddress(address: string): string;
}

interface Rules {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

interface Factory {
  createPolicy(name: string, rules: Rules): Rules;
}

const NAME = "cf-forms";

/** Addresses of the engine's scripts. Other scripts need a policy of the page. */
const ENGINE_SCRIPT = /\/-\/assets\/form\.\w+\.js$/;

/** Key of the shared policy. A symbol, so that no element of an author can have its name. */
const KEY = Symbol.for(NAME);

/** Creates the policy; null in browsers without trusted types, where `window.trustedTypes` may be an author's element. */
function policy(): Rules | null {
  const factory = Object.getOwnPropertyDescriptor(window, "trustedTypes")?.get?.call(window) as Factory | undefined;
  try {
    return factory?.createPolicy(NAME, { createHTML: (text) => text, createScriptURL: (address) => address }) ?? null;
  } catch {
    // The page's policy allows only other names.
    return null;
  }
}

function make(): Trusted {
  const rules = policy();
  return {
    html: (text) => rules?.createHTML(text) ?? text,
    scriptAddress: (address) =>
      ENGINE_SCRIPT.test(new URL(address).pathname) ? (rules?.createScriptURL(address) ?? address) : address,
  };
}

const shared = window as { [KEY]?: Trusted };

export const trusted: Trusted = (shared[KEY] ??= Object.freeze(make()));

/** Parses HTML into a document in which nothing runs or loads. */
export const parseHtml = (html: string): Document => new DOMParser().parseFromString(trusted.html(html), "text/html");
