/**
 * Decimal numbers of calculations: bigints that count units of 10⁻¹⁸, below 10³⁶ units
 * (crates/model/src/logic/calc/decimal.rs).
 */

export const ONE = 10n ** 18n;
const LIMIT = 10n ** 36n;

/** Thrown when an expression has no value. */
export class Failure extends Error {}

export const fail = (): never => {
  throw new Failure();
};

export const inRange = (number: bigint): bigint => (number < LIMIT && number > -LIMIT ? number : fail());
export const abs = (number: bigint): bigint => (number < 0n ? -number : number);

const NUMBER = /^(-?)(\d*)(?:\.(\d+))?(?:e([-+]?\d+))?$/i;

/** Parses a number in HTML's syntax; undefined for any other text and beyond the range. */
export function parse(text: string): bigint | undefined {
  const [all, sign, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text.trim()) ?? [];
  if (all === undefined || whole + fraction === "" || !Number.isFinite(Number(all))) return undefined;
  let place = whole.length + Number(exponent);
  let number = 0n;
  for (const digit of whole + fraction) {
    place -= 1;
    if (digit === "0") continue;
    if (place >= 18) return undefined;
    if (place >= -18) number += BigInt(digit) * 10n ** BigInt(place + 18);
    else if (place === -19 && digit >= "5") number += 1n;
  }
  if (number >= LIMIT) return undefined;
  return sign === "" ? number : -number;
}

/** Formats a number with as few decimal places as possible, or with exactly `places`. */
export function digits(number: bigint, places?: number): string {
  const all = String(abs(number)).padStart(19, "0");
  const whole = all.slice(0, -18);
  const fraction = all.slice(-18);
  const shown = places === undefined ? fraction.replace(/0+$/, "") : fraction.slice(0, places);
  const text = shown === "" ? whole : `${whole}.${shown}`;
  return number < 0n && /[1-9]/.test(text) ? `-${text}` : text;
}

const signed = (number: bigint, a: bigint, b: bigint): bigint => (a < 0n === b < 0n ? number : -number);

export const times = (a: bigint, b: bigint): bigint => signed(inRange((abs(a * b) + ONE / 2n) / ONE), a, b);

export function over(a: bigint, b: bigint): bigint {
  if (b === 0n) return fail();
  const [dividend, divisor] = [abs(a) * ONE, abs(b)];
  const quotient = dividend / divisor + ((dividend % divisor) * 2n >= divisor ? 1n : 0n);
  return signed(inRange(quotient), a, b);
}

export function whole(number: bigint, least: bigint, most: bigint): bigint {
  const one = number / ONE;
  return number % ONE === 0n && one >= least && one <= most ? one : fail();
}

export function power(base: bigint, by: bigint): bigint {
  const exponent = whole(by, -1000n, 1000n);
  let result = ONE;
  for (const bit of exponent === 0n ? "" : abs(exponent).toString(2)) {
    result = times(result, result);
    if (bit === "1") result = times(result, base);
  }
  return exponent < 0n ? over(ONE, result) : result;
}

export type Rounding = "round" | "floor" | "ceil";

export function rounded(number: bigint, places: number, rounding: Rounding = "round"): bigint {
  const unit = 10n ** BigInt(18 - places);
  const rest = ((number % unit) + unit) % unit;
  const down = (number - rest) / unit;
  const half = number < 0n ? rest * 2n > unit : rest * 2n >= unit;
  const isUp = rounding === "round" ? half : rounding === "ceil" && rest > 0n;
  return inRange((down + (isUp ? 1n : 0n)) * unit);
}

export function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) return fail();
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}
