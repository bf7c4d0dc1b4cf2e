/**
 * The one policy for trusted types of the visitor's script, embed.ts and the admin: where a page asks for them
 * (`require-trusted-types-for 'script'; trusted-types cf-forms`), no text becomes elements or a script but
 * through it. Whichever of them comes first makes it: a page refuses a second policy of the name.
 */

/** The results pass for the texts that they are made of. */
interface Trusted {
  /** For parsers and frames. */
  html(text: string): string;
  /** For script elements. */
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

/** The engine's own scripts. Those of others are for the page's own policies. */
const OWN_SCRIPT = /\/-\/assets\/form\.\w+\.js$/;

/** No element of an author's is named by a symbol. */
const KEY = Symbol.for(NAME);

/** In browsers without trusted types `window.trustedTypes` may be an author's element, which is none of the window's own. */
function policy(): Rules | null {
  const factory = Object.getOwnPropertyDescriptor(window, "trustedTypes")?.get?.call(window) as Factory | undefined;
  try {
    return factory?.createPolicy(NAME, { createHTML: (text) => text, createScriptURL: (address) => address }) ?? null;
  } catch {
    // The page lets others make theirs only.
    return null;
  }
}

function make(): Trusted {
  const own = policy();
  return {
    html: (text) => own?.createHTML(text) ?? text,
    scriptAddress: (address) => (OWN_SCRIPT.test(new URL(address).pathname) ? own?.createScriptURL(address) ?? address : address),
  };
}

const shared = window as { [KEY]?: Trusted };

export const trusted: Trusted = (shared[KEY] ??= Object.freeze(make()));

/** Parses HTML into a document in which nothing runs or loads. */
export const parseHtml = (html: string): Document => new DOMParser().parseFromString(trusted.html(html), "text/html");
