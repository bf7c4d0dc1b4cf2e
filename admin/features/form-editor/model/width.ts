/** How much of a row a field takes: one of the classes that visitors' pages know. */
import type { Field } from "./content.ts";

export const WIDTHS = ["", "cf-half", "cf-third", "cf-two-thirds"] as const;
export type Width = (typeof WIDTHS)[number];

const classesOf = (css: string): readonly string[] => css.split(/\s+/).filter((own) => own !== "");

export const widthOf = ({ css_class: css }: Pick<Field, "css_class">): Width =>
  WIDTHS.find((own) => own !== "" && classesOf(css).includes(own)) ?? "";
export const otherClasses = ({ css_class: css }: Pick<Field, "css_class">): string =>
  classesOf(css)
    .filter((own) => !(WIDTHS as readonly string[]).includes(own))
    .join(" ");
export const withWidth = (field: Pick<Field, "css_class">, width: Width): string =>
  [width, otherClasses(field)].filter((own) => own !== "").join(" ");
