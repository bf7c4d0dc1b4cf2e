/**
 * A form answers for its controls before it answers for itself: with a field named `action` or
 * `reset`, `form.action` and `form.reset` are that field (HTML standard, the form element,
 * `[LegacyOverrideBuiltIns]`). Fields have whatever names authors like, so that scripts read and
 * change forms by this only.
 */
const OWN: ProxyHandler<HTMLFormElement> = {
  get(form, name): unknown {
    const value: unknown = Reflect.get(HTMLFormElement.prototype, name, form);
    return typeof value === "function" ? value.bind(form) : value;
  },
  set: (form, name, value) => Reflect.set(HTMLFormElement.prototype, name, value, form),
};

/** A form's own properties and methods, whatever its controls are named. Browsers take only the form itself as an argument. */
export function own(form: HTMLFormElement): HTMLFormElement {
  return new Proxy(form, OWN);
}
