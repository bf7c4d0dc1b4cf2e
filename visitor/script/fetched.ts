/** Forms of the site that this script came from, fetched for another page (`GET /{slug}/embed`). */
import { base } from "./source.ts";
import { parseHtml } from "./trusted.ts";

export interface FetchedForm {
  /** The addresses of its style sheets and scripts. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** The form, or what stands in its place. */
  readonly elements: readonly Element[];
}

/** Of `https://example.org/forms/contact/embed` the slug; undefined for what is no form of this site. */
export function slugOf(address: string): string | undefined {
  const { href = "" } = URL.parse(address, location.href) ?? {};
  return base !== "" && href.startsWith(base) ? /^([\w-]*\w[\w-]*)\/embed$/.exec(href.slice(base.length))?.[1] : undefined;
}

export async function fetchForm(slug: string): Promise<FetchedForm> {
  const address = `${base}${slug}/embed`;
  if (slugOf(address) === undefined) throw new Error(`no form: ${slug}`);
  const response = await fetch(address);
  // Beside a form there is nothing that its site did not write there, wherever a redirect leads.
  if (!response.ok || !response.url.startsWith(base)) throw new Error(`${response.status} ${address}`);
  const { head, body } = parseHtml(await response.text());
  const elements = [...head.children, ...body.children];
  // What stands in the form is its author's.
  return {
    styles: elements.flatMap((one) => (one instanceof HTMLLinkElement && one.relList.contains("stylesheet") ? [one.href] : [])),
    scripts: elements.flatMap((one) => (one instanceof HTMLScriptElement && one.src !== "" ? [one.src] : [])),
    // A form may have a control named `matches`.
    elements: elements.filter((one) => !(one instanceof HTMLLinkElement || one instanceof HTMLScriptElement)),
  };
}
