/** Shows what is typed of one field in the preview at once; the renderer's own answer follows and has the last word. */
import type { Content, Field } from "./model/content.ts";
import { textIn } from "./words.ts";

const TEXTS = ["label", "description"] as const;
const SHOWN: ReadonlySet<string> = new Set([...TEXTS, "placeholder", "options"]);

/** The one field that differs, before and after; null where more differs, or something that is not text. */
function changedField(before: Content, after: Content): readonly [Field, Field] | null {
  const [olds, news] = [before.schema.fields, after.schema.fields];
  if (olds.length !== news.length) return null;
  const changed = news.flatMap((field, index) => {
    const old = olds[index];
    return old === undefined || old === field ? [] : [[old, field] as const];
  });
  const [pair] = changed;
  if (pair === undefined || changed.length > 1 || pair[0].name !== pair[1].name) return null;
  const [old, field] = pair;
  const keys = (Object.keys(field) as (keyof Field)[]).filter((key) => old[key] !== field[key]);
  return keys.every((key) => SHOWN.has(key)) ? pair : null;
}

/** Whether only the texts of one field differ. */
export function isFieldChange(before: Content, after: Content): boolean {
  return (
    before.source === after.source &&
    before.markup === after.markup &&
    before.title === after.title &&
    before.settings === after.settings &&
    before.messages === after.messages &&
    changedField(before, after) !== null
  );
}

/** Writes the field's new texts over its old ones; false where one of them has no place yet, which only the renderer can make. */
export function showChange(elementOf: (name: string) => Element | null, before: Content, after: Content): boolean {
  const pair = changedField(before, after);
  const element = pair === null ? null : elementOf(pair[1].name);
  if (pair === null || element === null) return false;
  const [old, field] = pair;
  const words: (readonly [string, string])[] = TEXTS.map((key) => [old[key], field[key]] as const);
  if (old.options !== field.options) {
    if (old.options.length !== field.options.length) return false;
    for (const [index, option] of old.options.entries()) words.push([option.label, field.options[index]?.label ?? ""]);
  }
  for (const [from, to] of words) {
    if (from === to) continue;
    const text = from.trim() === "" || to.trim() === "" ? null : textIn(element, from.trim());
    if (text === null) return false;
    text.nodeValue = text.data.replace(from.trim(), () => to.trim());
  }
  if (old.placeholder !== field.placeholder) {
    const control = element.matches("input,textarea") ? element : element.querySelector("input,textarea");
    if (control === null) return false;
    control.setAttribute("placeholder", field.placeholder);
  }
  return true;
}
