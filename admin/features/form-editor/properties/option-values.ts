/**
 * Options of a field, with the members that depend on them: the initial selection, and the labels of a rating's ends.
 */
import type { Field, FieldMembers, Option } from "../../../shared/draft/content.ts";
import type { TextId } from "../../../shared/text/text.tsx";
import type { FieldProperty } from "./property.ts";

/** Number of points of a rating without `validation.max`. */
const DEFAULT_POINTS = 5;

/** Changes options. The initial selection follows a changed value and loses a removed option. */
export function withOptions(field: Field, options: readonly Option[]): FieldMembers {
  const isSameLength = options.length === field.options.length;
  const valueAfter = (value: string): string | null => {
    if (options.some((option) => option.value === value)) return value;
    const at = field.options.findIndex((option) => option.value === value);
    // A default value that matches no option stays.
    if (at < 0) return value;
    return isSameLength ? (options[at]?.value ?? null) : null;
  };
  const before = field.default_value;
  const after =
    before === ""
      ? ""
      : before
          .split("\n")
          .flatMap((value) => valueAfter(value) ?? [])
          .join("\n");
  return after === before ? { options } : { options, default_value: after };
}

/** Returns the first and the last point of a rating. */
export const points = ({ validation }: Field): { readonly first: number; readonly last: number } => ({
  first: validation.min === 0 ? 0 : 1,
  last: validation.max ?? DEFAULT_POINTS,
});

const labelOf = (options: readonly Option[], value: number): string =>
  options.find((option) => option.value === String(value))?.label ?? "";

/** Returns the options with the label of a point of a rating; an empty label removes it. */
function withPointLabel(options: readonly Option[], value: number, label: string): readonly Option[] {
  const others = options.filter((option) => option.value !== String(value));
  const labelled = label === "" ? others : [...others, { value: String(value), label }];
  return labelled.toSorted((one, other) => Number(one.value) - Number(other.value));
}

/** Moves the label of an end of a rating to its new end. */
export function withMovedLabel({ options }: Field, from: number, to: number): readonly Option[] {
  const label = labelOf(options, from);
  return label === "" || from === to ? options : withPointLabel(withPointLabel(options, from, ""), to, label);
}

/** Label of the first or the last point of a rating. */
export const endLabel = (end: "first" | "last", label: TextId, placeholder: TextId): FieldProperty => ({
  control: "text",
  label,
  isHalf: true,
  placeholder,
  read: (field) => labelOf(field.options, points(field)[end]),
  write: (field, value) => ({ options: withPointLabel(field.options, points(field)[end], value) }),
});
