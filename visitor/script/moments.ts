/** Days and times as HTML writes them (crates/model/src/logic/calendar.rs). */

/** A day as a number of days from 1970-01-01, a time in milliseconds, or both. */
export interface Moment {
  readonly day?: number;
  readonly time?: number;
}

export const DAY = 86_400_000;

export function momentText({ day, time }: Moment): string {
  const text = new Date((day ?? 0) * DAY + (time ?? 0)).toISOString();
  if (time === undefined) return text.slice(0, 10);
  return text.slice(day === undefined ? 11 : 0, time % 60_000 === 0 ? 16 : time % 1000 === 0 ? 19 : 23);
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?$/;

function timeOf(text: string): number | undefined {
  const [all, hour, minute, second = "0", fraction = ""] = TIME.exec(text) ?? [];
  if (all === undefined) return undefined;
  return (
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, "0").slice(0, 3))
  );
}

/** Returns a date's number of days since 1970-01-01; undefined for an invalid date. */
function dayOf(text: string): number | undefined {
  const at = Date.parse(/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : "");
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? undefined : at / DAY;
}

const padded = (number: number, length: number): string => String(number).padStart(length, "0");

export const dayNumber = (year: number, month: number, day: number): number | undefined =>
  dayOf(`${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`);

/** Parses a date, a time or both; undefined for any other text. */
export function parseMoment(text: string): Moment | undefined {
  const [first = "", ...rest] = text.split(/[T ]/);
  if (rest.length > 0) {
    const [day, time] = [dayOf(first), timeOf(text.slice(first.length + 1))];
    return day === undefined || time === undefined ? undefined : { day, time };
  }
  const [time, day] = [timeOf(text), dayOf(text)];
  return time !== undefined ? { time } : day === undefined ? undefined : { day };
}
