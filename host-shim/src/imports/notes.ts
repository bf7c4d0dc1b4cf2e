/** The report of an import that runs in parts. */

import type { Note } from "./records.ts";

/** Limit on the notes of a report, the same as in the engine's reports. */
const MAX_NOTES = 1_000;

const COUNTED = /^(\d{1,9}) (.*)$/s;

/** Adds the notes of a part. Notes that differ only in a number at their beginning become one with the sum. */
export function withNotes(notes: readonly Note[], more: readonly Note[]): readonly Note[] {
  if (more.length === 0) return notes;
  const joined = [...notes];
  const places = new Map(joined.map((note, place) => [keyOf(note), place] as const));
  for (const note of more) {
    const place = places.get(keyOf(note));
    const known = place === undefined ? undefined : joined[place];
    if (place === undefined || known === undefined) {
      if (joined.length >= MAX_NOTES) continue;
      places.set(keyOf(note), joined.length);
      joined.push(note);
      continue;
    }
    const [, count, rest] = COUNTED.exec(note.message) ?? [];
    const [, before] = COUNTED.exec(known.message) ?? [];
    if (count !== undefined) joined[place] = { ...known, message: `${Number(before ?? 0) + Number(count)} ${rest}` };
  }
  return joined;
}

function keyOf({ code, where, message }: Note): string {
  return JSON.stringify([code, where, COUNTED.exec(message)?.[2] ?? message]);
}
