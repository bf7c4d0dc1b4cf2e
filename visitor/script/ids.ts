/** Ids of a form that stands on a page twice: the later one gets ids of its own, so that labels and messages find their controls. */
import { own, rootOf } from "./own.ts";

/** Attributes that name elements by their ids. */
const REFERENCES = "for form list headers popovertarget commandfor aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto aria-labelledby aria-owns".split(" ");

/** Forms that have started, to be forgotten with them. */
let started: readonly WeakRef<HTMLFormElement>[] = [];

const withIds = (form: HTMLFormElement): readonly Element[] => [form, ...own(form).querySelectorAll("[id]")];

const isOnPage = (form: HTMLFormElement | undefined): boolean => form !== undefined && own(form).isConnected;

/** An element's id as its markup has it: a form's own properties and methods may be controls of those names. */
const idOf = (element: Element): string => Element.prototype.getAttribute.call(element, "id") ?? "";

/** Renames the ids of a form that another form on the page has, in this or another tree, with what refers to them. */
export function takeOwnIds(form: HTMLFormElement): void {
  const taken = new Set<string>();
  started = started.filter((other) => isOnPage(other.deref()));
  for (const other of started) for (const element of withIds(other.deref() as HTMLFormElement)) taken.add(idOf(element));
  const mine = withIds(form).filter((element) => idOf(element) !== "");
  for (const element of rootOf(form).querySelectorAll("[id]")) if (!own(form).contains(element)) taken.add(idOf(element));
  started = [...started, new WeakRef(form)];
  if (!mine.some((element) => taken.has(idOf(element)))) return;
  let number = 2;
  while (mine.some((element) => taken.has(`${idOf(element)}--${number}`))) number += 1;
  const renamed = new Map(mine.map((element) => [idOf(element), `${idOf(element)}--${number}`]));
  for (const element of mine) Element.prototype.setAttribute.call(element, "id", renamed.get(idOf(element)) ?? "");
  for (const element of own(form).querySelectorAll("*")) {
    for (const name of REFERENCES) {
      const ids = element.getAttribute(name);
      if (ids !== null) element.setAttribute(name, ids.split(/(\s+)/).map((id) => renamed.get(id) ?? id).join(""));
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
