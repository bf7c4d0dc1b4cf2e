/**
 * A failure that a retry cannot fix. The queue does not retry an action whose port or process step throws it. Any error
 * whose member `permanent` is true counts as one, and so does a mail server's permanent rejection, also as the `cause` of
 * another error; all other errors are retried.
 */
export class PermanentError extends Error {
  readonly permanent = true;
}

export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("permanent" in error && error.permanent === true) || isRejectedPermanently(error) || isPermanent(error.cause);
}

/**
 * Whether a mail server rejected every recipient permanently, by a reply of 500 or more (RFC 5321, section 4.2.1). A recipient
 * that may be reached later justifies a retry.
 */
function isRejectedPermanently(error: Error): boolean {
  const each = "rejectedErrors" in error && Array.isArray(error.rejectedErrors) ? error.rejectedErrors : [];
  const replies: readonly unknown[] = each.length > 0 ? each : [error];
  return replies.every(
    (reply) =>
      reply instanceof Error &&
      "responseCode" in reply &&
      typeof reply.responseCode === "number" &&
      reply.responseCode >= 500,
  );
}
