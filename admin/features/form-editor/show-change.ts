/**
 * Optimistic update of the preview while a field's texts are edited. The server's rendering follows and replaces it.
 */
import type { Content, Field } from "../../shared/draft/content.ts";
import { findText } from "./editable-texts.ts";

const TEXTS = ["label", "description"] as const;
const TEXT_MEMBERS: ReadonlySet<string> = new Set([...TEXTS, "placeholder", "options"]);

/** Returns the old and the new version of the only changed field; null if more than its texts changed. */
function changedField(before: Content, after: Content): readonly [Field, Field] | null {
  const [oldFields, newFields] = [before.schema.fields, after.schema.fields];
  if (oldFields.length !== newFields.length) return null;
  const changed = newFields.flatMap((field, index) => {
    const old = oldFields[index];
    return old === undefined || old === field ? [] : [[old, field] as const];
  });
  const [pair] = changed;
  if (pair === undefined || changed.length > 1 || pair[0].name !== pair[1].name) return null;
  const [old, field] = pair;
  const keys = (Object.keys(field) as (keyof Field)[]).filter((key) => old[key] !== field[key]);
  return keys.every((key) => TEXT_MEMBERS.has(key)) ? pair : null;
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

/** Replaces the field's old texts in the preview. False if a text has no element yet, which only the server renders. */
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
    const text = from.trim() === "" || to.trim() === "" ? null : findText(element, from.trim());
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
