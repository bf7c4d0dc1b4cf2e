/** Bounding boxes of the fields in the preview. */
import { type FormSchema, holdsFields } from "../../shared/draft/content.ts";
import { partsOf } from "../../shared/draft/tree.ts";
import { elementsOf } from "./canvas-page.ts";
import type { FieldBox } from "./model/drop-place.ts";
import { rowsOf } from "./model/rows.ts";

/** Returns the schema without submit buttons, so that fields are not added below them. */
export const withoutButtons = (schema: FormSchema): FormSchema => ({
  ...schema,
  fields: schema.fields.filter(({ type }) => type !== "submit"),
});

/** Returns the bounding boxes of the fields that the page shows. */
export function boxesOf(page: Document | null, schema: FormSchema): readonly FieldBox[] {
  if (page === null) return [];
  const elements = elementsOf(page);
  return rowsOf(partsOf(schema)).flatMap(({ field, place }) => {
    const box = field === null ? undefined : elements.get(field.name)?.getBoundingClientRect();
    if (field === null || box === undefined || box.width === 0) return [];
    const { left, top, width, height } = box;
    return [{ name: field.name, isContainer: holdsFields(field.type), place, left, top, width, height }];
  });
}
