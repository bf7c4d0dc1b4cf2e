/** Layout of a template's picture: shapes for its first fields, computed from the schema that forms are created from. */
import type { FieldMembers, Layout } from "../../../client/index.ts";
import { factsOf } from "../../shared/field-facts.ts";

export const WIDTH = 220;
export const HEIGHT = 146;
const MARGIN = 16;
const INNER = WIDTH - 2 * MARGIN;
const BUTTON_HEIGHT = 15;
const GAP = 7;
const LABEL_HEIGHT = 9;
const INPUT_HEIGHT = 12;
const AREA_HEIGHT = 24;
const OPTION_HEIGHT = 10;
/** Limit of the options of one field, so that a picture shows several fields. */
const MAX_OPTIONS = 3;
const MAX_POINTS = 10;
/** Limit of a text, which SVG does not cut. */
const MAX_CHARACTERS = 46;

export type ShapeName = "input" | "area" | "drop" | "round" | "box" | "track" | "submit";

export type Shape =
  | {
      readonly kind: "shape";
      readonly name: ShapeName;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: "text";
      readonly name: "label" | "option" | "action";
      readonly x: number;
      readonly y: number;
      readonly text: string;
    };

/** The parts of a form in one language that its picture shows. */
export interface PicturedForm {
  readonly fields: readonly FieldMembers[];
  readonly layout?: Pick<Layout, "type" | "steps">;
}

/** Shapes below a field's label, and their height. */
type Control = (y: number) => { readonly shapes: readonly Shape[]; readonly height: number };

const rectangle = (name: ShapeName, x: number, y: number, width: number, height: number): Shape => ({
  kind: "shape",
  name,
  x,
  y,
  width,
  height,
});

const text = (name: "label" | "option" | "action", x: number, y: number, content: string): Shape => ({
  kind: "text",
  name,
  x,
  y,
  text: content.length > MAX_CHARACTERS ? `${content.slice(0, MAX_CHARACTERS - 1)}…` : content,
});

const labelOf = (option: NonNullable<FieldMembers["options"]>[number]): string =>
  typeof option === "string" ? option : (option.label ?? option.value ?? "");

function choices(name: "round" | "box", labels: readonly string[]): Control {
  return (y) => ({
    height: labels.length * OPTION_HEIGHT,
    shapes: labels.flatMap((label, index) => [
      rectangle(name, MARGIN, y + index * OPTION_HEIGHT + 1.5, 6, 6),
      text("option", MARGIN + 10, y + index * OPTION_HEIGHT + 7, label),
    ]),
  });
}

function points(count: number): Control {
  const shown = Math.min(MAX_POINTS, Math.max(2, count));
  return (y) => ({
    height: INPUT_HEIGHT,
    shapes: Array.from({ length: shown }, (_, index) => rectangle("round", MARGIN + index * 15, y, 11, 11)),
  });
}

function columns(count: number): Control {
  const width = (INNER - (count - 1) * 6) / count;
  return (y) => ({
    height: INPUT_HEIGHT,
    shapes: Array.from({ length: count }, (_, index) =>
      rectangle("input", MARGIN + index * (width + 6), y, width, INPUT_HEIGHT),
    ),
  });
}

const single =
  (name: ShapeName, height: number): Control =>
  (y) => ({ height, shapes: [rectangle(name, MARGIN, y, INNER, height)] });

/** Returns the control of a field; null for a field that shows nothing to fill in. */
function controlOf({ type = "text", options = [], validation = {} }: FieldMembers): Control | null {
  const facts = factsOf(type);
  switch (facts?.control) {
    case undefined:
    case "hidden":
    case "heading":
    case "paragraph":
    case "divider":
    case "fieldset":
    case "container":
    case "button":
      return null;
    case "parts":
      return columns(2);
    case "textarea":
      return single("area", AREA_HEIGHT);
    case "slider":
      return single("track", 5);
    case "radios":
      return facts?.answer === "points"
        ? points((validation.max ?? 5) - (validation.min ?? 1) + 1)
        : choices("round", options.slice(0, MAX_OPTIONS).map(labelOf));
    case "boxes":
      return choices("box", options.slice(0, MAX_OPTIONS).map(labelOf));
    default:
      return single(facts?.answer === "files" ? "drop" : "input", INPUT_HEIGHT);
  }
}

/** Returns the fields that visitors see first: the fields of the first step without conditions. */
function firstFields({ fields, layout }: PicturedForm): readonly FieldMembers[] {
  const names = layout?.steps?.[0]?.fields;
  return fields.filter(
    ({ name = "", conditions = [] }) => conditions.length === 0 && (names === undefined || names.includes(name)),
  );
}

/** Returns the shapes of a form from top to bottom: as many fields as fit, then the button. */
export function shapesOf(form: PicturedForm): readonly Shape[] {
  const shapes: Shape[] = [];
  const bottom = HEIGHT - MARGIN - BUTTON_HEIGHT;
  let y = MARGIN;
  for (const field of firstFields(form)) {
    const { label = "" } = field;
    const isBox = factsOf(field.type ?? "text")?.control === "box";
    const control = isBox ? choices("box", [label.replace(/[[\]*_]|\(.*?\)/g, "")]) : controlOf(field);
    if (control === null) continue;
    const { shapes: parts, height } = control(isBox ? y : y + LABEL_HEIGHT);
    const end = y + height + (isBox ? 0 : LABEL_HEIGHT);
    if (end > bottom) break;
    shapes.push(...(isBox ? [] : [text("label", MARGIN, y + 5.5, label)]), ...parts);
    y = end + GAP;
  }
  const button = form.fields.find(({ type }) => type === "submit")?.label ?? "";
  const width = Math.min(INNER, 14 + button.length * 4);
  shapes.push(rectangle("submit", MARGIN, y, width, BUTTON_HEIGHT), text("action", MARGIN + width / 2, y + 10, button));
  return shapes;
}
