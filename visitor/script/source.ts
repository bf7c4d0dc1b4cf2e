/** Where this file came from: its parts and its forms are beside it. */
import { page } from "./own.ts";

/** A module, and a script that another one has started late, has no `currentScript`. */
const script = page.currentScript ?? page.querySelector("script[src*='/-/assets/embed.']");
const isScript = script instanceof HTMLScriptElement;

/** The address of this file; empty where it is part of another one. */
export const source = isScript ? script.src : "";

/** What the addresses of its site's forms begin with, such as `https://example.org/forms/`. */
export const base = source === "" ? "" : new URL("../../", source).href;

/** The nonce that the page gave this file, for the parts that it loads. */
export const nonce = isScript ? script.nonce : "";
