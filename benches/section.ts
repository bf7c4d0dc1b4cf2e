/**
 * What a file `benches/<name>.bench.ts` exports as its default. The runner finds the files by
 * themselves; each measures what it compares in one run on one machine, because only ratios and
 * generous limits mean anything elsewhere.
 */
export interface Section {
  /** As in `npm run bench -- <name>`. */
  readonly name: string;
  run(): Promise<readonly Measurement[]>;
}

export interface Measurement {
  readonly what: string;
  readonly value: number;
  /** `×` and `%` for ratios; else what the value is counted in. */
  readonly unit: "×" | "%" | "KB" | "ms";
  /** The budget of docs/architecture.md. */
  readonly budget: { readonly atMost: number } | { readonly atLeast: number };
  /** What lies behind the value: absolute numbers, rounds. */
  readonly detail: string;
}

/** The middle of the samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
