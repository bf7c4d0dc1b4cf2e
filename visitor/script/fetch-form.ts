/** Fetches forms of the script's site for another page (`GET /{slug}/embed`). */
import { base } from "./script-source.ts";
import { parseHtml } from "./trusted.ts";

export interface FetchedForm {
  /** Addresses of the form's style sheets and scripts. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** The form, or the message shown instead. */
  readonly elements: readonly Element[];
}

/** The slug in `https://example.org/forms/contact/embed`; undefined when the address is not a form of this site. */
export function slugOf(address: string): string | undefined {
  const { href = "" } = URL.parse(address, location.href) ?? {};
  return base !== "" && href.startsWith(base)
    ? /^([\w-]*\w[\w-]*)\/embed$/.exec(href.slice(base.length))?.[1]
    : undefined;
}

/** Fetches a form; `query` is the part of the page's address that fills in its fields. */
export async function fetchForm(slug: string, query = ""): Promise<FetchedForm> {
  const address = `${base}${slug}/embed`;
  if (slugOf(address) === undefined) throw new Error(`no form: ${slug}`);
  const response = await fetch(address + query);
  // A redirect may go to another site, whose markup must not get into this page.
  if (!response.ok || !response.url.startsWith(base)) throw new Error(`${response.status} ${address}`);
  const { head, body } = parseHtml(await response.text());
  const elements = [...head.children, ...body.children];
  // Style sheets and scripts inside the form are the author's, so only top-level ones are read.
  return {
    styles: elements.flatMap((one) =>
      one instanceof HTMLLinkElement && one.relList.contains("stylesheet") ? [one.href] : [],
    ),
    scripts: elements.flatMap((one) => (one instanceof HTMLScriptElement && one.src !== "" ? [one.src] : [])),
    // A form may have a control named `matches`.
    elements: elements.filter((one) => !(one instanceof HTMLLinkElement || one instanceof HTMLScriptElement)),
  };
}
