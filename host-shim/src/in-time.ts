/** A limit of time on what a host or a plugin does. */

/** Work that did not end in time. */
export class TimeoutError extends Error {
  constructor(name: string, milliseconds: number) {
    super(`${name} gave no answer in ${milliseconds} ms`);
  }
}

/** The work's outcome, or a {@link TimeoutError} after the time; the work itself goes on. */
export function inTime<T>(work: Promise<T>, milliseconds: number, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(name, milliseconds)), milliseconds);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
