/** Width of a field in its row, set by a CSS class of the visitors' pages. */
import type { Field } from "../../../shared/draft/content.ts";

export const WIDTHS = ["", "cf-half", "cf-third", "cf-two-thirds"] as const;
export type Width = (typeof WIDTHS)[number];

const classesOf = (css: string): readonly string[] => css.split(/\s+/).filter((name) => name !== "");

export const widthOf = ({ css_class: css }: Pick<Field, "css_class">): Width =>
  WIDTHS.find((name) => name !== "" && classesOf(css).includes(name)) ?? "";
export const otherClasses = ({ css_class: css }: Pick<Field, "css_class">): string =>
  classesOf(css)
    .filter((name) => !(WIDTHS as readonly string[]).includes(name))
    .join(" ");
export const withWidth = (field: Pick<Field, "css_class">, width: Width): string =>
  [width, otherClasses(field)].filter((name) => name !== "").join(" ");
