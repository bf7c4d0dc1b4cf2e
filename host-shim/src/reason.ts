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
    if ("message" in thrown && typeof thrown.message === "string" && thrown.message !== "") return thrown.message;
    if (thrown instanceof Error) return thrown.name;
    return JSON.stringify(thrown) ?? "an object without a message";
  } catch {
    return "an object that cannot be read";
  }
}
