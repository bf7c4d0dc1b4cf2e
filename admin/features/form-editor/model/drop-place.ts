/** Where something that is let go over the preview lands: before, behind, in or beside a field. */
import type { Target } from "./tree.ts";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface FieldBox extends Box {
  readonly name: string;
  readonly holds: boolean;
  readonly place: Target;
}

export interface DropPlace {
  readonly target: Target;
  /** The field that it shares a row with. */
  readonly beside: string | null;
  /** What shows the place: a line. */
  readonly line: Box;
}

/** How much of a field's width at either end means beside it, and how thick the line is. */
const EDGE = 0.2;
const LINE = 4;

const holdsPoint = ({ left, top, width, height }: Box, x: number, y: number): boolean =>
  x >= left && x <= left + width && y >= top && y <= top + height;
const distance = ({ top, height }: Box, y: number): number => Math.max(top - y, y - (top + height), 0);

/** The smallest field under the point, else the one that is nearest above or below it. */
export function fieldAt(boxes: readonly FieldBox[], x: number, y: number): FieldBox | null {
  const under = boxes
    .filter((box) => holdsPoint(box, x, y))
    .sort((one, other) => one.width * one.height - other.width * other.height);
  return under[0] ?? null;
}

export function dropPlaceAt(boxes: readonly FieldBox[], x: number, y: number): DropPlace | null {
  const own =
    fieldAt(boxes, x, y) ??
    [...boxes]
      .filter(({ place }) => place.group === null)
      .sort((one, other) => distance(one, y) - distance(other, y))[0];
  if (own === undefined) return null;
  const { left, top, width, height, name, place } = own;
  const isEmptyHolder = own.holds && !boxes.some((box) => box.place.group === name);
  if (isEmptyHolder && y > top + height / 4 && y < top + (height * 3) / 4) {
    return { target: { step: place.step, group: name, after: null }, beside: null, line: { left, top, width, height } };
  }
  const behind = { ...place, after: name };
  if (!own.holds && holdsPoint(own, x, y) && (x < left + width * EDGE || x > left + width * (1 - EDGE))) {
    const isLeft = x < left + width / 2;
    return {
      target: isLeft ? place : behind,
      beside: name,
      line: { left: isLeft ? left - LINE : left + width, top, width: LINE, height },
    };
  }
  const isAbove = y < top + height / 2;
  return {
    target: isAbove ? place : behind,
    beside: null,
    line: { left, top: isAbove ? top - LINE : top + height, width, height: LINE },
  };
}
