/** Bounds of a date field relative to today. The schema stores such a bound as an expression, like `today() + 7`. */

const EXPRESSION = /^\s*today\(\)\s*(?:([+-])\s*(\d{1,5})\s*)?$/i;

/** Returns the number of days that an expression like `today() + 7` adds; null for other expressions. */
export function daysOf(expression: string): number | null {
  const [match, sign, digits = "0"] = EXPRESSION.exec(expression) ?? [];
  if (match === undefined) return null;
  return sign === "-" ? 0 - Number(digits) : Number(digits);
}

export const expressionOf = (days: number): string =>
  days === 0 ? "today()" : `today() ${days < 0 ? "-" : "+"} ${Math.abs(days)}`;
