/** Gaps between the fields of the preview, where a field can be added. */
import type { Box, FieldBox } from "./drop-place.ts";

export interface Gap {
  /** Field above the gap. */
  readonly after: string;
  /** Line through the middle of the gap. */
  readonly line: Box;
}

/** Maximum distance of the pointer from the line of a gap, in pixels. */
const REACH = 12;
/** Distance of the line from the last field of its parent, in pixels. */
const BELOW_LAST = 10;

/** Returns the gaps of boxes in their order. Fields that share a row have one gap, below the last of them. */
export function gapsIn(boxes: readonly FieldBox[]): readonly Gap[] {
  const siblings = new Map<string, FieldBox[]>();
  for (const box of boxes) {
    const parent = JSON.stringify([box.place.step, box.place.group]);
    const others = siblings.get(parent);
    if (others === undefined) siblings.set(parent, [box]);
    else others.push(box);
  }
  return [...siblings.values()].flatMap(gapsBetween).sort((one, other) => one.line.top - other.line.top);
}

function gapsBetween(siblings: readonly FieldBox[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let row: FieldBox[] = [];
  for (const [index, box] of siblings.entries()) {
    row.push(box);
    const next = siblings[index + 1];
    const bottom = Math.max(...row.map(({ top, height }) => top + height));
    if (next !== undefined && next.top < bottom) continue;
    const left = Math.min(...row.map((one) => one.left));
    const right = Math.max(...row.map((one) => one.left + one.width));
    const top = next === undefined ? bottom + BELOW_LAST : (bottom + next.top) / 2;
    gaps.push({ after: box.name, line: { left, top, width: right - left, height: 0 } });
    row = [];
  }
  return gaps;
}

/** Returns the nearest gap within reach of a point; null without one. */
export function gapAt(gaps: readonly Gap[], x: number, y: number): Gap | null {
  const near = gaps
    .filter(({ line }) => Math.abs(line.top - y) <= REACH && x >= line.left && x <= line.left + line.width)
    .sort((one, other) => Math.abs(one.line.top - y) - Math.abs(other.line.top - y));
  return near[0] ?? null;
}
