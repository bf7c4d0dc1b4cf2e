/**
 * Label of a field that takes an answer. Without one it is the name in words, as visitors see it (`humanized` of
 * crates/model/src/markers.rs).
 */
export const labelOf = ({ label, name }: { readonly label: string; readonly name: string }): string =>
  label.trim() === "" ? inWords(name) : label;

/** Returns the label of the field with a name; for a removed field, its name in words. */
export const labelOfName = (
  fields: readonly { readonly label: string; readonly name: string }[],
  name: string,
): string => labelOf(fields.find((field) => field.name === name) ?? { label: "", name });

function inWords(name: string): string {
  const words = name.replaceAll(/[-_[\].\s]+/g, " ").trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
