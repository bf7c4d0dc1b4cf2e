/** Bounds of dates relative to the current day, which the schema stores as expressions: `today() + 7`. */

const EXPRESSION = /^\s*today\(\)\s*(?:([+-])\s*(\d{1,5})\s*)?$/i;

/** Days from today that an expression states; null for any other expression. */
export function daysOf(expression: string): number | null {
  const [match, sign, digits = "0"] = EXPRESSION.exec(expression) ?? [];
  if (match === undefined) return null;
  return sign === "-" ? 0 - Number(digits) : Number(digits);
}

export const expressionOf = (days: number): string =>
  days === 0 ? "today()" : `today() ${days < 0 ? "-" : "+"} ${Math.abs(days)}`;
