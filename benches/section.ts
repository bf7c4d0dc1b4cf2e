/**
 * The default export of a file `benches/<name>.bench.ts`, which the runner finds by its name. Absolute times depend on
 * the machine, so budgets are ratios or generous limits. A ratio's two sides are measured in one run on one machine.
 */
export interface Section {
  /** Name in `npm run bench -- <name>`. */
  readonly name: string;
  run(): Promise<readonly Measurement[]>;
}

export interface Measurement {
  readonly what: string;
  readonly value: number;
  /** Unit of the value; `×` and `%` for ratios, empty for counts. */
  readonly unit: "" | "×" | "%" | "KB" | "ms" | "s" | "/s";
  /** The budget of docs/architecture.md. */
  readonly budget: { readonly atMost: number } | { readonly atLeast: number };
  /** Details of the value: absolute numbers, rounds. */
  readonly detail: string;
}

/** Returns the median of the samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
