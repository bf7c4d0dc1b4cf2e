/**
 * Ranges and colours that nobody has touched. Browsers preset them, so the page has a number or text input in their
 * place (crates/markup/src/pages.rs): here they become what they are, and have no answer until they are touched.
 * Addresses are text inputs there too, because browsers refuse them without a scheme.
 */
import { own } from "./own.ts";

const unset = new WeakSet<Element>();

const found = (form: HTMLFormElement): NodeListOf<HTMLInputElement> => own(form).querySelectorAll<HTMLInputElement>("input:is([data-cf-kind=range],[data-cf-kind=color])");

/** Whether a control shows a value that nobody chose. */
export const isUnset = (control: Element): boolean => unset.has(control);

/** Makes the addresses, ranges and colours of a form, ranges and colours without an answer unset. */
export function startUnset(form: HTMLFormElement): void {
  for (const control of own(form).querySelectorAll<HTMLInputElement>("input[data-cf-kind=url]")) {
    control.type = "url";
    control.removeAttribute("data-cf-kind");
  }
  for (const control of found(form)) {
    const { value, dataset: { cfKind = "" } } = control;
    control.type = cfKind;
    // A picker needs no hint how colours are written.
    if (control.title === control.placeholder) control.removeAttribute("title");
    if (value === "") unset.add(control);
    const touch = (): void => {
      if (unset.delete(control)) control.dispatchEvent(new Event("input", { bubbles: true }));
    };
    // Also where the visitor wants the very value that it shows.
    control.addEventListener("input", () => unset.delete(control));
    control.addEventListener("change", touch);
    if (cfKind === "range") {
      control.addEventListener("pointerup", touch);
      control.addEventListener("keyup", ({ key }) => {
        if (/^(Arrow|Page|Home|End| )/.test(key)) touch();
      });
    }
  }
  own(form).addEventListener("formdata", ({ formData }) => {
    for (const control of found(form)) {
      if (!isUnset(control)) continue;
      const values = formData.getAll(control.name);
      const at = values.indexOf(control.value);
      formData.delete(control.name);
      for (const [index, value] of values.entries()) formData.append(control.name, index === at ? "" : value);
    }
  });
}

/** As at first, after the form was reset. */
export function resetUnset(form: HTMLFormElement): void {
  for (const control of found(form)) if (control.defaultValue === "") unset.add(control);
}
