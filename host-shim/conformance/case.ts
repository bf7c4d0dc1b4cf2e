/** The named cases of the suites, and their registration with the caller's test runner. */

/** Registers a test, such as `test` of `node:test`, or `it` of Vitest, Jest and Mocha. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

/** A named case of a conformance suite. */
export interface Case<Subject> {
  readonly name: string;
  /** Ability that an adapter may declare missing in its client; the case is then skipped. */
  readonly optional?: string;
  /** Runs the case; rejects when the adapter fails it. */
  readonly run: (subject: Subject) => Promise<void>;
}

/** An adapter that a case opened. */
export interface Closable {
  /** Closes the adapter, and removes its data. */
  close(): Promise<void>;
}

/** An opened adapter, and the function that closes it. */
export interface Opened<Subject> extends Closable {
  readonly subject: Subject;
}

/** Timeout of a case, so that an adapter that never responds fails instead of hanging. */
const TIMEOUT_MS = 60_000;

/** Reports a skipped case, such as `(name, reason) => test(name, { skip: reason })`. */
export type RegisterSkip = (name: string, reason: string) => unknown;

export function registerCases<Subject>(
  cases: readonly Case<Subject>[],
  test: RegisterTest,
  open: () => Promise<Opened<Subject>>,
  cannot: Readonly<Record<string, string>> = {},
  skip: RegisterSkip = (name, reason) => console.log(`skipped: ${name}: ${reason}`),
): void {
  for (const { name, optional, run } of cases) {
    const reason = optional === undefined ? undefined : cannot[optional];
    if (reason !== undefined) {
      skip(name, reason);
      continue;
    }
    test(name, async () => {
      const { subject, close } = await open();
      try {
        await within(run(subject), TIMEOUT_MS);
      } finally {
        await close();
      }
    });
  }
}

/** Rejects when the work does not end in time. The work itself continues. */
export async function within<T>(work: Promise<T>, limit_ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${limit_ms} ms`)), limit_ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
