/** The fields of a document according to a DOM. */
import { JSDOM } from "jsdom";

const parser = new JSDOM("").window;

export interface Seen {
  readonly type: string;
  readonly required: boolean;
  readonly default_value: string;
  readonly label: string | undefined;
  readonly options: readonly (readonly [string, string])[];
}

const collapsed = (text: string) => text.replace(/[\t\n\f\r ]+/g, " ").trim();

export const TYPES = new Set(["text", "email", "number", "hidden", "date", "radio", "checkbox", "textarea", "select"]);

function labelText(node: Node): string {
  if (node.nodeType === 3) return node.nodeValue ?? "";
  if (/^(SELECT|DATALIST|TEXTAREA|SCRIPT|STYLE|TEMPLATE|svg)$/.test(node.nodeName)) return "";
  const inner = [...node.childNodes].map(labelText).join("");
  return /^(P|DIV|UL|LI|DL|DT|DD|H3|HR|BR|SECTION|FIELDSET|LEGEND|OPTION|OPTGROUP|FORM)$/.test(node.nodeName)
    ? ` ${inner} `
    : inner;
}

function labelOf(control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string {
  const labels = [...(control.labels ?? [])];
  const around = labels.findLast((known) => known.contains(control));
  const shown = labels.filter(
    (known) => known === around || !(around?.contains(known) || known.contains(around ?? null)),
  );
  return [...new Set(shown.map((known) => collapsed(labelText(known))))].filter((text) => text !== "").join(" ");
}

function ofSelect(select: HTMLSelectElement, label: string): Seen {
  const chosen = new Map<string, string>();
  let defaults: string[] = [];
  [...select.options].forEach((option, index) => {
    // Only the parent counts: a group around the select is not the option's group.
    const group = option.parentElement === select ? null : (option.parentElement as HTMLOptGroupElement | null);
    const isDisabled = option.disabled || group?.disabled;
    const isFirstEmpty = index === 0 && option.getAttribute("value") === "" && group === null && !select.multiple;
    if (isDisabled || (isFirstEmpty && select.required) || chosen.has(option.value)) return;
    chosen.set(option.value, option.label);
    if (option.defaultSelected) defaults.push(option.value);
  });
  if (!select.multiple) defaults = defaults.slice(-1);
  return {
    type: "select",
    required: select.required,
    default_value: defaults.join("\n"),
    label: label || undefined,
    options: [...chosen],
  };
}

/** Returns the field of `known` with a further input of the same name. */
function ofSet(input: HTMLInputElement, type: string, known: Seen | undefined): Seen {
  const options = [...(known?.options ?? [])];
  const isNew = !options.some(([value]) => value === input.value);
  if (isNew) options.push([input.value, ""]);
  const before = known?.default_value ?? "";
  const adds = isNew && input.defaultChecked;
  const default_value = !adds ? before : type === "radio" || before === "" ? input.value : `${before}\n${input.value}`;
  return {
    type,
    required: (known?.required ?? false) || input.required,
    default_value,
    label: undefined,
    options,
  };
}

export function withDom(html: string): Map<string, Seen> {
  const document = new parser.DOMParser().parseFromString(`<!DOCTYPE html><body>${html}`, "text/html");
  const seen = new Map<string, Seen>();
  const controls = [
    ...document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>("input, select, textarea"),
  ];
  for (const control of controls) {
    if (control.closest("template, svg, math") || control.name === "" || control.name.includes("\u0000")) continue;
    const name = control.name.replace(/\[\]$/, "");
    const label = labelOf(control);
    if (control.localName === "select") {
      seen.set(name, ofSelect(control as HTMLSelectElement, label));
      continue;
    }
    if (control.localName === "textarea") {
      seen.set(name, {
        type: "textarea",
        required: control.required,
        default_value: (control as HTMLTextAreaElement).defaultValue,
        label: label || undefined,
        options: [],
      });
      continue;
    }
    const input = control as HTMLInputElement;
    const type = TYPES.has(input.type) ? input.type : "text";
    const known = seen.get(name);
    const isSet = type === "radio" || control.name.endsWith("[]");
    if (isSet) {
      seen.set(name, ofSet(input, type, known));
    } else if (known === undefined) {
      const default_value = type === "checkbox" ? (input.defaultChecked ? input.value : "") : input.defaultValue;
      seen.set(name, {
        type,
        required: input.required,
        default_value,
        label: type === "hidden" ? undefined : label || undefined,
        options: [],
      });
    }
  }
  return seen;
}
