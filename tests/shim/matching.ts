/** The matchers and variables of the REST scenarios (`tests/cases/rest/README.md`). */

import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "./site.ts";

export type Variables = Map<string, JsonValue>;

/** Replaces the variables and generated texts in a value of a scenario. */
export function fillIn(value: JsonValue, variables: Variables): JsonValue {
  if (typeof value === "string") return fillInText(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables));
  if (value === null || typeof value !== "object") return value;
  if ("$repeat" in value) {
    const { text, times } = value["$repeat"] as { text: string; times: number };
    return text.repeat(times);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillIn(member, variables)]));
}

/**
 * A text that consists of one variable becomes the variable's value, of any type. Other variables are inserted as text.
 */
function fillInText(text: string, variables: Variables): JsonValue {
  const whole = [...variables].find(([name]) => text === `{{${name}}}`);
  if (whole !== undefined) return whole[1];
  return [...variables].reduce(
    (filled, [name, value]) =>
      filled.replaceAll(`{{${name}}}`, typeof value === "string" ? value : JSON.stringify(value)),
    text,
  );
}

/**
 * Describes the first difference of `actual` from the expected value; null without a difference. Objects in `actual`
 * may have further members.
 */
export function mismatch(expected: JsonValue, actual: JsonValue | undefined, at: string): string | null {
  const wrong = `${at} is ${JSON.stringify(actual)?.slice(0, 500)}, not ${JSON.stringify(expected)}`;
  const matcher = matcherOf(expected);
  if (matcher !== null) return fails(matcher[0], matcher[1], actual) ? wrong : null;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return wrong;
    return first(expected.map((item, index) => mismatch(item, actual[index], `${at}[${index}]`)));
  }
  if (expected === null || typeof expected !== "object") return expected === actual ? null : wrong;
  if (actual === null || typeof actual !== "object" || Array.isArray(actual)) return wrong;
  return first(Object.entries(expected).map(([name, member]) => mismatch(member, actual[name], `${at}.${name}`)));
}

function matcherOf(expected: JsonValue): [string, JsonValue] | null {
  if (expected === null || typeof expected !== "object" || Array.isArray(expected)) return null;
  const [only, ...others] = Object.entries(expected);
  return only !== undefined && others.length === 0 && only[0].startsWith("$") ? only : null;
}

function first(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

function fails(matcher: string, wanted: JsonValue, actual: JsonValue | undefined): boolean {
  if (matcher === "$absent") return actual !== undefined;
  if (actual === undefined) return true;
  switch (matcher) {
    case "$type":
      return wanted !== kindOf(actual);
    case "$matches":
      return typeof actual !== "string" || !new RegExp(String(wanted), "u").test(actual);
    case "$lacks":
      return typeof actual !== "string" || actual.includes(String(wanted));
    case "$length":
      return wanted !== lengthOf(actual);
    case "$exact":
      return !isDeepStrictEqual(wanted, actual);
    default:
      throw new Error(`there is no matcher ${matcher}`);
  }
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function lengthOf(value: JsonValue): number | null {
  if (typeof value === "string") return [...value].length;
  return value !== null && typeof value === "object" ? Object.keys(value).length : null;
}
