/** Makes ids unique if a form is on a page twice, so that labels and messages find their controls. */
import { native, rootOf } from "./dom.ts";

/** Attributes that refer to elements by id. */
const REFERENCES =
  "for form list headers popovertarget commandfor aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns".split(
    " ",
  );

/** Forms that have started. Weak, so that removed forms can be collected. */
let started: readonly WeakRef<HTMLFormElement>[] = [];

const withIds = (form: HTMLFormElement): readonly Element[] => [form, ...native(form).querySelectorAll("[id]")];

const isOnPage = (form: HTMLFormElement | undefined): boolean => form !== undefined && native(form).isConnected;

/** The `id` attribute of an element, read in a way that a form's controls cannot clobber. */
const idOf = (element: Element): string => Element.prototype.getAttribute.call(element, "id") ?? "";

/**
 * Renames all ids of a form, and the references to them, if another form or another element beside it has one of the
 * ids.
 */
export function makeIdsUnique(form: HTMLFormElement): void {
  const taken = new Set<string>();
  started = started.filter((other) => isOnPage(other.deref()));
  for (const other of started)
    for (const element of withIds(other.deref() as HTMLFormElement)) taken.add(idOf(element));
  const mine = withIds(form).filter((element) => idOf(element) !== "");
  for (const element of rootOf(form).querySelectorAll("[id]"))
    if (!native(form).contains(element)) taken.add(idOf(element));
  started = [...started, new WeakRef(form)];
  if (!mine.some((element) => taken.has(idOf(element)))) return;
  let number = 2;
  while (mine.some((element) => taken.has(`${idOf(element)}--${number}`))) number += 1;
  const renamed = new Map(mine.map((element) => [idOf(element), `${idOf(element)}--${number}`]));
  for (const element of mine) Element.prototype.setAttribute.call(element, "id", renamed.get(idOf(element)) ?? "");
  for (const element of native(form).querySelectorAll("*")) {
    for (const name of REFERENCES) {
      const ids = element.getAttribute(name);
      if (ids !== null)
        element.setAttribute(
          name,
          ids
            .split(/(\s+)/)
            .map((id) => renamed.get(id) ?? id)
            .join(""),
        );
    }
    const href = element.getAttribute("href");
    const target = href?.startsWith("#") === true ? renamed.get(decoded(href.slice(1))) : undefined;
    if (target !== undefined) element.setAttribute("href", `#${encodeURIComponent(target)}`);
  }
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}
