/** The form's page in a frame of another page. */
import { closest, page } from "./dom.ts";

/** Reports the page's height and the form's events to the page around the frame. */
export function notifyFrame(): void {
  if (window.parent === window || !new URLSearchParams(location.search).has("frame")) return;
  const notify = (message: object): void => window.parent.postMessage(message, "*");
  const main = page.querySelector<HTMLElement>(".cf-main");
  if (main === null) return;
  page.body.classList.add("cf-framed");
  new ResizeObserver(() => notify({ type: "cf:height", height: main.getBoundingClientRect().height })).observe(main);
  // A link opens in a new tab: its page would replace the form in the frame, and may forbid frames.
  page.addEventListener("click", ({ target }) => {
    const link = closest(target, "a[href]:not([href^='#'],[target],.cf-again)");
    if (link instanceof HTMLAnchorElement) link.target = "_blank";
  });
  for (const name of ["cf-submit", "cf-success", "cf-error", "cf-step"]) {
    page.addEventListener(name, (event) => notify({ type: "cf:event", name, detail: (event as CustomEvent).detail }));
  }
}
