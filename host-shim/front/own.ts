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
