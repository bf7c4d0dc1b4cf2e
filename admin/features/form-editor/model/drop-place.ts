/** Computes where a drop over the preview lands: before, after, in or beside a field. */
import type { Target } from "../../../shared/draft/tree.ts";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface FieldBox extends Box {
  readonly name: string;
  readonly isContainer: boolean;
  readonly place: Target;
}

export interface DropPlace {
  readonly target: Target;
  /** Field whose row the dropped field joins; null without one. */
  readonly beside: string | null;
  /** Line that shows the position. */
  readonly line: Box;
}

/** Share of a field's width, at either end, where a drop lands beside it. */
const BESIDE_SHARE = 0.2;
/** Thickness of the line in pixels. */
const LINE_WIDTH = 4;

const holdsPoint = ({ left, top, width, height }: Box, x: number, y: number): boolean =>
  x >= left && x <= left + width && y >= top && y <= top + height;
const distance = ({ top, height }: Box, y: number): number => Math.max(top - y, y - (top + height), 0);

/** Returns the smallest field under the point; null without one. */
export function fieldAt(boxes: readonly FieldBox[], x: number, y: number): FieldBox | null {
  const under = boxes
    .filter((box) => holdsPoint(box, x, y))
    .sort((one, other) => one.width * one.height - other.width * other.height);
  return under[0] ?? null;
}

export function dropPlaceAt(boxes: readonly FieldBox[], x: number, y: number): DropPlace | null {
  const field =
    fieldAt(boxes, x, y) ??
    [...boxes]
      .filter(({ place }) => place.group === null)
      .sort((one, other) => distance(one, y) - distance(other, y))[0];
  if (field === undefined) return null;
  const { left, top, width, height, name, place } = field;
  const isEmptyHolder = field.isContainer && !boxes.some((box) => box.place.group === name);
  if (isEmptyHolder && y > top + height / 4 && y < top + (height * 3) / 4) {
    return { target: { step: place.step, group: name, after: null }, beside: null, line: { left, top, width, height } };
  }
  const after = { ...place, after: name };
  if (
    !field.isContainer &&
    holdsPoint(field, x, y) &&
    (x < left + width * BESIDE_SHARE || x > left + width * (1 - BESIDE_SHARE))
  ) {
    const isLeft = x < left + width / 2;
    return {
      target: isLeft ? place : after,
      beside: name,
      line: { left: isLeft ? left - LINE_WIDTH : left + width, top, width: LINE_WIDTH, height },
    };
  }
  const isAbove = y < top + height / 2;
  return {
    target: isAbove ? place : after,
    beside: null,
    line: { left, top: isAbove ? top - LINE_WIDTH : top + height, width, height: LINE_WIDTH },
  };
}
