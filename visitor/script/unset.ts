/**
 * Ranges and colours without an answer. Browsers preset them, so the page has a number or text input instead
 * (crates/markup/src/pages.rs). This file restores their type, and sends no answer until the visitor has used the
 * control. Addresses are text inputs in the page too, because browsers reject them without a scheme.
 */
import { native } from "./dom.ts";

const unset = new WeakSet<Element>();

const found = (form: HTMLFormElement): NodeListOf<HTMLInputElement> =>
  native(form).querySelectorAll<HTMLInputElement>("input:is([data-cf-kind=range],[data-cf-kind=color])");

/** Whether a control shows a preset value that the visitor has not chosen. */
export const isUnset = (control: Element): boolean => unset.has(control);

/** Clears the answer of a range or colour, so that it counts as untouched. */
export const takeBack = (control: Element): void => void unset.add(control);

/** Restores the type of addresses, ranges and colours, and marks ranges and colours without an answer as unset. */
export function startUnset(form: HTMLFormElement): void {
  for (const control of native(form).querySelectorAll<HTMLInputElement>("input[data-cf-kind=url]")) {
    control.type = "url";
    control.removeAttribute("data-cf-kind");
  }
  for (const control of found(form)) {
    const {
      value,
      dataset: { cfKind = "" },
    } = control;
    control.type = cfKind;
    // A colour picker needs no hint about the notation.
    if (control.title === control.placeholder) control.removeAttribute("title");
    if (value === "") unset.add(control);
    const touch = (): void => {
      if (unset.delete(control)) control.dispatchEvent(new Event("input", { bubbles: true }));
    };
    // Any interaction counts, because the visitor may want the preset value.
    control.addEventListener("input", () => unset.delete(control));
    control.addEventListener("change", touch);
    if (cfKind === "range") {
      control.addEventListener("pointerup", touch);
      control.addEventListener("keyup", ({ key }) => {
        if (/^(Arrow|Page|Home|End| )/.test(key)) touch();
      });
    }
  }
  native(form).addEventListener("formdata", ({ formData }) => {
    for (const control of found(form)) {
      if (!isUnset(control)) continue;
      const values = formData.getAll(control.name);
      const at = values.indexOf(control.value);
      formData.delete(control.name);
      // An untouched control sends nothing; among controls of the same name, it sends an empty value to keep the order.
      if (values.length > 1)
        for (const [index, value] of values.entries()) formData.append(control.name, index === at ? "" : value);
    }
  });
}

/** Marks controls as unset again after a reset. */
export function resetUnset(form: HTMLFormElement): void {
  for (const control of found(form)) if (control.defaultValue === "") unset.add(control);
}
