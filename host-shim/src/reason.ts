/** What was thrown, in words. */

/**
 * The words of what was thrown: an error's own, those of an object with a `message`, else the value as
 * text or as JSON. At most 1,000 characters, so that a log line stays readable.
 */
export function reasonOf(thrown: unknown): string {
  return wordsOf(thrown).slice(0, 1_000);
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  try {
    if ("message" in thrown && typeof thrown.message === "string" && thrown.message !== "") return thrown.message;
    if (thrown instanceof Error) return thrown.name;
    return JSON.stringify(thrown) ?? "an object without words";
  } catch {
    return "an object that cannot be read";
  }
}
