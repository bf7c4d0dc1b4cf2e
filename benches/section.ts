/**
 * The default export of a file `benches/<name>.bench.ts`, which the runner finds by its name. Each section measures both
 * sides of a comparison in one run on one machine, because only ratios and generous limits are valid elsewhere.
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
