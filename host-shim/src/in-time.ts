/** Timeouts for work of hosts and plugins. */

/** Error of work that did not end in time. */
export class TimeoutError extends Error {
  constructor(name: string, milliseconds: number) {
    super(`${name} gave no response in ${milliseconds} ms`);
  }
}

/** Settles like the work, or rejects with a {@link TimeoutError} after the time. The work itself continues. */
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
