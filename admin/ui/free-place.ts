/** Finds a place for notices where they cover no primary button, such as Save or Publish. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** Places of the region, by preference. Styles (controls.css) put it there. */
const PLACES = ["bottom", "bottom-start", "bottom-end", "top"] as const;
type Place = (typeof PLACES)[number];

/** Space kept between a notice and a button, in pixels. */
const GAP = 8;

const overlaps = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right + GAP &&
  other.left < one.right + GAP &&
  one.top < other.bottom + GAP &&
  other.top < one.bottom + GAP;

/**
 * Returns the place of the region. The place is chosen again when the number of notices changes, when the page scrolls
 * or changes its size, and after each press or key.
 */
export function useFreePlace(region: RefObject<HTMLElement | null>, count: number): Place {
  const [place, setPlace] = useState<Place>(PLACES[0]);
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null || count === 0) return;
    const update = () => setPlace(freePlace(element));
    update();
    let frame = 0;
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const root = element.getRootNode();
    addEventListener("resize", later);
    // Scrolling does not bubble, and dialogs open with a press or a key.
    for (const name of ["scroll", "click", "keyup"])
      root.addEventListener(name, later, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("resize", later);
      for (const name of ["scroll", "click", "keyup"]) root.removeEventListener(name, later, { capture: true });
    };
  }, [region, count]);
  return place;
}

function freePlace(region: HTMLElement): Place {
  const root = region.getRootNode() as Document | ShadowRoot;
  const buttons = [...root.querySelectorAll<HTMLElement>(".button.primary")]
    .filter((button) => !region.contains(button))
    .map((button) => button.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
  const before = region.dataset["place"];
  const free = PLACES.find((place) => {
    region.dataset["place"] = place;
    const notices = [...region.querySelectorAll(".notice")].map((notice) => notice.getBoundingClientRect());
    return !notices.some((notice) => buttons.some((button) => overlaps(notice, button)));
  });
  if (before !== undefined) region.dataset["place"] = before;
  return free ?? PLACES[0];
}
