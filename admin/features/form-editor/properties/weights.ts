/** Tables with a number for each option: its value in calculations (`data-weights`), or its seats (`data-seats`). */
import { isRecord } from "../../../shared/is-record.ts";

/** The numbers of a table by the values of options, as text. */
export function numbersOf(table: string): ReadonlyMap<string, string> {
  try {
    const read: unknown = JSON.parse(table);
    return new Map(isRecord(read) ? Object.entries(read).map(([value, number]) => [value, String(number)]) : []);
  } catch {
    return new Map();
  }
}

/** Builds a table of numbers; leaves out texts that are not numbers. */
export function tableOf(numbers: ReadonlyMap<string, string>): string {
  const known = [...numbers].flatMap(([value, text]) => {
    const number = Number(text.replace(",", "."));
    return text.trim() === "" || !Number.isFinite(number) ? [] : [[value, number] as const];
  });
  return known.length === 0 ? "" : JSON.stringify(Object.fromEntries(known));
}
