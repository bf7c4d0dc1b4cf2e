/**
 * A failure that another attempt would meet again. A port, or a custom action's process step, that
 * throws it is not tried again by the queue; any error with a member `permanent` that is true counts
 * as one. Everything else is retried.
 */
export class PermanentError extends Error {
  readonly permanent = true;
}

export function isPermanent(error: unknown): boolean {
  return error instanceof Error && "permanent" in error && error.permanent === true;
}
