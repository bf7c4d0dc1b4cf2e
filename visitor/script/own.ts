/**
 * A form answers for its controls before it answers for itself: with a field named `action` or
 * `reset`, `form.action` and `form.reset` are that field (HTML standard, the form element,
 * `[LegacyOverrideBuiltIns]`). So does a document for its pictures and frames: with
 * `<img name="body">`, `document.body` is that picture. Authors name things as they like, so that
 * scripts read and change forms and the document by this only.
 */
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

/** A form's own properties and methods, whatever its controls are named. Browsers take only the form itself as an argument. */
export function own(form: HTMLFormElement): HTMLFormElement {
  return new Proxy(form, FORM);
}

/** The document's own properties and methods. */
export const page: Document = new Proxy(document, builtIn(Document.prototype));

/**
 * The nearest element, from what an event came from outwards. That may be the form itself, where a click is beside its
 * controls, and the form may have a control named `closest`.
 */
export function around(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? Element.prototype.closest.call(target, selector) as HTMLElement | null : null;
}

/** What the visitor's script shares with the page. An element named `cfForms` is no own property of the window. */
export function sharedForms(): { enhance(root: ParentNode): void } | undefined {
  return Object.hasOwn(window, "cfForms") ? (window as { cfForms?: { enhance(root: ParentNode): void } }).cfForms : undefined;
}

/** What holds a form: the document, or the shadow tree that it is embedded in. */
export function rootOf(form: HTMLFormElement): Document | ShadowRoot {
  const root = own(form).getRootNode();
  return root instanceof ShadowRoot ? root : page;
}

const texts = new WeakMap<HTMLFormElement, Readonly<Record<string, string>>>();

/** What the form says in its language, by the keys of its messages; the page carries it. */
export function textOf(form: HTMLFormElement, key: string): string {
  let known = texts.get(form);
  if (known === undefined) texts.set(form, (known = JSON.parse(own(form).dataset["texts"] ?? "{}") as Record<string, string>));
  return known[key] ?? "";
}

export function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, text = ""): HTMLElementTagNameMap[K] {
  const made = page.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
