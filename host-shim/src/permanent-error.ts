/**
 * A failure that a retry cannot fix. The queue does not retry an action whose port or process step throws this error.
 * An error is permanent if its member `permanent` is true, or if it is a mail server's permanent rejection, also as the
 * `cause` of another error. All other errors are retried.
 */
export class PermanentError extends Error {
  readonly permanent = true;
}

type Thrown = Readonly<Record<string, unknown>>;

/** Whether a retry cannot help. Errors of other realms and plain objects count, because platforms pass both on. */
export function isPermanent(error: unknown): boolean {
  if (!isObject(error)) return false;
  return error["permanent"] === true || isRejectedPermanently(error) || isPermanent(error["cause"]);
}

/**
 * Whether a mail server rejected every recipient permanently, by a reply of 500 or more (RFC 5321, section 4.2.1). If
 * the server may accept one recipient later, a retry is worthwhile.
 */
function isRejectedPermanently(error: Thrown): boolean {
  const each: unknown = error["rejectedErrors"];
  const replies: readonly unknown[] = Array.isArray(each) && each.length > 0 ? each : [error];
  return replies.every((reply) => isObject(reply) && Number(reply["responseCode"] ?? 0) >= 500);
}

function isObject(value: unknown): value is Thrown {
  return typeof value === "object" && value !== null;
}
