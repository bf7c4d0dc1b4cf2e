/** The clocks of time zones, from the platform's time zone data. */

import type { ImportOptions } from "./frame.ts";

/** A moment, and the offset that a zone's clocks have since then, both in milliseconds. */
type Offset = readonly [since: number, offset: number];

/** The years in which clock changes are searched. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2040];

const MINUTE_MS = 60_000;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const numeric = "numeric";
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
}

/** The offset of a zone at a moment of whole seconds. */
function offsetAt(format: Intl.DateTimeFormat, moment: number): number {
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - moment;
}

/** A zone's local time at a moment, in milliseconds; null for an unknown zone. */
export function momentIn(zone: string, moment: number): number | null {
  const format = knownFormat(zone);
  const second = Math.floor(moment / 1_000) * 1_000;
  return format === null ? null : moment + offsetAt(format, second);
}

/** The formats of zones by their names. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The format of a zone; null for an unknown one. */
function knownFormat(zone: string): Intl.DateTimeFormat | null {
  let format = formats.get(zone);
  if (format !== undefined) return format;
  try {
    format = formatOf(zone);
  } catch {
    return null;
  }
  formats.set(zone, format);
  return format;
}

/** The offsets of a zone in order; null for an unknown zone. */
function offsetsOf(zone: string): Offset[] | null {
  const format = knownFormat(zone);
  if (format === null) return null;
  let moment = Date.UTC(FIRST_YEAR, 0);
  let offset = offsetAt(format, moment);
  const found: Offset[] = [[moment, offset]];
  for (let month = 1; month <= (LAST_YEAR - FIRST_YEAR) * 12; month += 1) {
    const next = Date.UTC(FIRST_YEAR, month);
    const changed = offsetAt(format, next);
    if (changed !== offset) {
      // The change lies between the two months' first moments.
      let [before, after] = [moment, next];
      while (after - before > MINUTE_MS) {
        const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
        if (offsetAt(format, middle) === offset) before = middle;
        else after = middle;
      }
      found.push([after, changed]);
      offset = changed;
    }
    moment = next;
  }
  return found;
}

/** Parameters of an import, with the offsets of the time zone that they name. */
export function withOffsets(options: ImportOptions): ImportOptions & { readonly offsets: Offset[] | null } {
  return { ...options, offsets: options.time_zone === "" ? null : offsetsOf(options.time_zone) };
}
