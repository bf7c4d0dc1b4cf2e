/** Icons of the field types: strokes on a 24 × 24 grid, hidden from screen readers because a label says the same. */
import type { ReactNode } from "react";
import type { FieldType } from "../../shared/draft/content.ts";

const LINES = "M4 6h16M4 11h16M4 16h10";
const CALENDAR = "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4";

const PATHS: Readonly<Record<FieldType | "step", string>> = {
  name: "M12 12a4 4 0 100-8 4 4 0 000 8zM5 20c0-4 3-6 7-6s7 2 7 6",
  email: "M12 8a4 4 0 100 8 4 4 0 000-8zM16 12v1.500a2.500 2.500 0 005 0V12a9 9 0 10-4 7.500",
  tel: "M6 3h3l2 5-2.500 1.500a12 12 0 006 6L16 13l5 2v3c0 2-1 3-3 3C10 21 3 14 3 6c0-2 1-3 3-3z",
  address: "M12 21c-5-5-7-8-7-11a7 7 0 0114 0c0 3-2 6-7 11zM12 7.500a2.500 2.500 0 100 5 2.500 2.500 0 000-5z",
  text: "M5 6V4h14v2M12 4v16M9 20h6",
  textarea: LINES,
  number: "M9 4L7 20M17 4l-2 16M4 9h17M3 15h17",
  url: "M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9z",
  radio: "M12 4a8 8 0 100 16 8 8 0 000-16zM12 9.500a2.500 2.500 0 100 5 2.500 2.500 0 000-5z",
  checkbox: "M4 4h16v16H4zM8 12l3 3 5-6",
  select: "M4 5h16v14H4zM9 11l3 3 3-3",
  consent: "M6 3h9l4 4v14H6zM9 14l2 2 4-5",
  rating:
    "M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1.100 5.900-5.300-2.900-5.300 2.900 1.100-5.900L3.500 9.700l5.900-.8z",
  range: "M4 12h16M9 8a4 4 0 100 8 4 4 0 000-8z",
  date: CALENDAR,
  time: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.500 2",
  "datetime-local": CALENDAR,
  file: "M12 15V5M8 9l4-4 4 4M4 15v5h16v-5",
  color: "M12 3c4 5 6 8 6 11a6 6 0 01-12 0c0-3 2-6 6-11z",
  password: "M6 11h12v9H6zM9 11V8a3 3 0 016 0v3",
  hidden:
    "M4 4l16 16M9.500 5.400C10.300 5.100 11.100 5 12 5c4 0 7 2 10 7-.9 1.500-1.800 2.700-2.800 3.700M6 7C4.600 8.300 3.300 10 2 12c3 5 6 7 10 7 1.700 0 3.200-.4 4.700-1.200",
  heading: "M6 4v16M18 4v16M6 12h12",
  paragraph: LINES,
  divider: "M3 12h18M8 6h8M8 18h8",
  fieldset: "M4 4h16v16H4zM4 9h16",
  container: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4",
  submit: "M4 12l16-8-6 16-3-6z",
  step: "M4 6h10M4 12h16M4 18h7M18 5v4M16 7h4",
};

/** Icon of a type; a type of a newer engine gets the text icon. */
export function TypeIcon({ type }: { readonly type: FieldType | "step" }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[type] ?? PATHS.text} />
    </svg>
  );
}
