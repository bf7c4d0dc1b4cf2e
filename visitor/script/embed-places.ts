/** Fills placeholders for forms in other pages: `<div data-cf-embed="https://example.org/forms/contact/embed"></div>`. */
import { page } from "./dom.ts";
import { fetchForm, slugOf } from "./fetch-form.ts";

/** Whether this is a page of the engine. There, a placeholder is an author's HTML, which must not embed forms. */
const isEnginePage = (): boolean => page.querySelector("body.cf-page") !== null;

async function fill(place: HTMLElement, enhance: (root: ParentNode) => void): Promise<void> {
  const slug = slugOf(place.dataset["cfEmbed"] ?? "");
  if (slug === undefined) return;
  const { styles, elements } = await fetchForm(slug);
  const links = styles.map((href) => Object.assign(page.createElement("link"), { rel: "stylesheet", href }));
  place.replaceChildren(...links, ...elements);
  enhance(place);
}

/** Fills the placeholders of the page. A placeholder keeps its content when its form cannot be loaded. */
export function fillPlaces(enhance: (root: ParentNode) => void): void {
  if (isEnginePage()) return;
  for (const place of page.querySelectorAll<HTMLElement>("[data-cf-embed]")) {
    if (place.closest("form,.cf-form") === null) fill(place, enhance).catch(console.error);
  }
}
