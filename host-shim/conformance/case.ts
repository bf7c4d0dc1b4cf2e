/** What every suite here is made of: named cases, registered with the caller's test runner. */

/** Such as `test` of `node:test`, or `it` of Vitest, Jest and Mocha. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

export interface Case<Subject> {
  readonly name: string;
  /** What an adapter may declare that its client cannot do; the case is then reported as skipped. */
  readonly optional?: string;
  readonly run: (subject: Subject) => Promise<void>;
}

export interface Opened<Subject> {
  readonly subject: Subject;
  close(): Promise<void>;
}

/** A case must be over in this time: an adapter that never answers fails instead of hanging the run. */
const LIMIT_MS = 60_000;

/** Tells of a case that an adapter cannot pass, such as `(name, reason) => test(name, { skip: reason })`. */
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
        await within(run(subject), LIMIT_MS);
      } finally {
        await close();
      }
    });
  }
}

/** Rejects when the work is not done in time. The work itself goes on. */
export async function within<T>(work: Promise<T>, limit_ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limit_ms} ms`)), limit_ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
