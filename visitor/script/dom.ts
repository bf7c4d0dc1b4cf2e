/**
 * DOM access that author's markup cannot clobber. With a field named `action` or `reset`, `form.action` and `form.reset`
 * are that field (HTML standard, the form element, `[LegacyOverrideBuiltIns]`). With `<img name="body">`,
 * `document.body` is that picture. Scripts therefore read and change forms and the document only through this file.
 */

/** Handler of a proxy that reads and writes the properties of the prototype, never named elements. */
function builtIn<T extends Node>(prototype: T): ProxyHandler<T> {
  return {
    get(node, name): unknown {
      const value: unknown = Reflect.get(prototype, name, node);
      return typeof value === "function" ? value.bind(node) : value;
    },
    set: (node, name, value) => Reflect.set(prototype, name, value, node),
  };
}

const FORM = builtIn(HTMLFormElement.prototype);

/**
 * The form's built-in properties and methods, whatever its controls are named. Browser functions still need the real
 * form as an argument.
 */
export function native(form: HTMLFormElement): HTMLFormElement {
  return new Proxy(form, FORM);
}

/** The document's built-in properties and methods. */
export const page: Document = new Proxy(document, builtIn(Document.prototype));

/**
 * The closest ancestor of an event's target that matches, or the target itself. The target may be the form, which may
 * have a control named `closest`.
 */
export function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? (Element.prototype.closest.call(target, selector) as HTMLElement | null) : null;
}

/** The interface that the visitor's script adds to the page. An element named `cfForms` is not a property of the window itself. */
export function sharedForms(): { enhance(root: ParentNode): void } | undefined {
  return Object.hasOwn(window, "cfForms")
    ? (window as { cfForms?: { enhance(root: ParentNode): void } }).cfForms
    : undefined;
}

/** The document, or the shadow tree that the form is embedded in. */
export function rootOf(form: HTMLFormElement): Document | ShadowRoot {
  const root = native(form).getRootNode();
  return root instanceof ShadowRoot ? root : page;
}

const texts = new WeakMap<HTMLFormElement, Readonly<Record<string, string>>>();

/** A text for visitors in the form's language, by the key of its message. The page contains the texts. */
export function textOf(form: HTMLFormElement, key: string): string {
  let known = texts.get(form);
  if (known === undefined)
    texts.set(form, (known = JSON.parse(native(form).dataset["texts"] ?? "{}") as Record<string, string>));
  return known[key] ?? "";
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  text = "",
): HTMLElementTagNameMap[K] {
  const made = page.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
