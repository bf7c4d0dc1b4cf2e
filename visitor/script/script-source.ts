/**
 * The address that this script was loaded from, from which it derives the addresses of its parts and of the site's
 * forms.
 */
import { page } from "./dom.ts";

/** `currentScript` is null in a module and in a script that another one started later. */
const script = page.currentScript ?? page.querySelector("script[src*='/-/assets/embed.']");
const isScript = script instanceof HTMLScriptElement;

/** The address of this script; empty when it is bundled into another one. */
export const source = isScript ? script.src : "";

/** Base address of the site's forms, such as `https://example.org/forms/`. */
export const base = source === "" ? "" : new URL("../../", source).href;

/** The nonce of this script, for the parts that it loads. */
export const nonce = isScript ? script.nonce : "";
