/** Places for forms in other pages: `<div data-cf-embed="https://example.org/forms/contact/embed"></div>`. */
import { page } from "./own.ts";
import { fetchForm, slugOf } from "./fetched.ts";

/** Whether the page is one of the engine's: all of it that could be a place is an author's HTML. */
const isOwnPage = (): boolean => page.querySelector("body.cf-page") !== null;

async function fill(place: HTMLElement, enhance: (root: ParentNode) => void): Promise<void> {
  const slug = slugOf(place.dataset["cfEmbed"] ?? "");
  if (slug === undefined) return;
  const { styles, elements } = await fetchForm(slug);
  const links = styles.map((href) => Object.assign(page.createElement("link"), { rel: "stylesheet", href }));
  place.replaceChildren(...links, ...elements);
  enhance(place);
}

/** Fills the places of the page. What stands in one stays there where its form cannot be had. */
export function fillPlaces(enhance: (root: ParentNode) => void): void {
  if (isOwnPage()) return;
  for (const place of page.querySelectorAll<HTMLElement>("[data-cf-embed]")) {
    if (place.closest("form,.cf-form") === null) fill(place, enhance).catch(console.error);
  }
}
