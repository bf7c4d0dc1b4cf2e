/**
 * A failure that a retry cannot fix. The queue does not retry an action whose port or process step throws it. Any error
 * whose member `permanent` is true counts as one; all other errors are retried.
 */
export class PermanentError extends Error {
  readonly permanent = true;
}

export function isPermanent(error: unknown): boolean {
  return error instanceof Error && "permanent" in error && error.permanent === true;
}
