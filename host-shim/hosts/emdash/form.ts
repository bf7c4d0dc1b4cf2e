/** Renders a form as HTML for the site's pages. */
import { contextOf, type AstroLike } from "./endpoint.ts";
import { frontPrefix, openedForms } from "./engine.ts";

/** Returns a form's HTML; null when the form does not exist, or the plugin is switched off. */
export async function formHtml(slug: string, astro: AstroLike): Promise<string | null> {
  const opened = await openedForms();
  if (opened === null) return null;
  const { request } = astro;
  const address = new URL(`${frontPrefix()}/${encodeURIComponent(slug)}/embed`, request.url);
  const response = await opened.forms.fetch(new Request(address, { headers: request.headers }), contextOf(astro));
  return response?.ok === true ? response.text() : null;
}
