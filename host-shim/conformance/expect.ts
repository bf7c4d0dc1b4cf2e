/** Assertions of the suites, which run under any test runner and on any runtime. */

/** Compares plain objects, arrays and primitive values by structure. `what` describes the value. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (same(actual, expected)) return;
  throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

export function expectTrue(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/**
 * Expects `call` to return a promise that rejects with an `Error` with a message. A synchronous throw fails the case,
 * because callers handle only rejections.
 */
export async function expectRejection(call: () => Promise<unknown>, what: string): Promise<void> {
  let promise: Promise<unknown>;
  try {
    promise = call();
  } catch (error) {
    throw new Error(`${what}: thrown synchronously, not rejected`, { cause: error });
  }
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  );
  if ("value" in outcome) throw new Error(`${what}: expected a rejection, got ${show(outcome.value)}`);
  const { reason } = outcome;
  expectTrue(reason instanceof Error && reason.message !== "", `${what}: rejected without an error that says why`);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  const other = new Map(right);
  return left.length === right.length && left.every(([key, value]) => other.has(key) && same(value, other.get(key)));
}

function show(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? `${part}n` : part)) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}
