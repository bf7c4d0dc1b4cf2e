/** Limit on the part of a stack that the log shows. */
const MAX_STACK_CHARACTERS = 2_000;

/**
 * Returns the message of a thrown value: the `message` of an error or object, else the value as text or JSON. At most
 * 1,000 characters, so that a log line stays readable.
 */
export function reasonOf(thrown: unknown): string {
  return messageOf(thrown).slice(0, 1_000);
}

function messageOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  try {
    // A connection that failed at each address of a name has an error for each, and no message.
    if (thrown instanceof AggregateError && thrown.message === "" && thrown.errors.length > 0)
      return [...new Set(thrown.errors.map(messageOf))].join("; ");
    if ("message" in thrown && typeof thrown.message === "string" && thrown.message !== "") return thrown.message;
    if (thrown instanceof Error) return thrown.name;
    return JSON.stringify(thrown) ?? "an object without a message";
  } catch {
    return "an object that cannot be read";
  }
}

/** Returns the beginning of the stack of a thrown error; undefined for a value without a stack. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    if (typeof thrown !== "object" || thrown === null || !("stack" in thrown)) return undefined;
    return typeof thrown.stack === "string" ? thrown.stack.slice(0, MAX_STACK_CHARACTERS) : undefined;
  } catch {
    return undefined;
  }
}
