/** Stable callbacks for effects and timers. */
import { useCallback, useInsertionEffect, useRef } from "react";

/**
 * Returns a function that never changes and calls the newest version of the callback. For effects and timers, which must
 * not start again when the callback changes; not for use while rendering.
 */
export function useEvent<Args extends readonly unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useInsertionEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args) => latest.current(...args), []);
}
