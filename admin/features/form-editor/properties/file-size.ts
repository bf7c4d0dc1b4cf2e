/** Sizes of files in KB and MB. */

export const UNITS = ["KB", "MB"] as const;
export type Unit = (typeof UNITS)[number];

const BYTES: Readonly<Record<Unit, number>> = { KB: 1024, MB: 1024 ** 2 };

/** Returns the unit for a size: KB below 1 MB, else MB. */
export const unitOf = (bytes: number | null): Unit => (bytes !== null && bytes < BYTES.MB ? "KB" : "MB");

export const bytesIn = (size: number, unit: Unit): number => Math.round(size * BYTES[unit]);

/** Returns the size in a unit. Sizes of HTML or of other systems may count 1,000 bytes as 1 KB. */
export function sizeIn(bytes: number, unit: Unit): number {
  const decimal = bytes / (unit === "KB" ? 1e3 : 1e6);
  return bytes % BYTES[unit] !== 0 && Number.isInteger(decimal) ? decimal : Number((bytes / BYTES[unit]).toFixed(3));
}
