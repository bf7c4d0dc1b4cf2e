/** Formats of dates, numbers and sizes in the user's language. */
import { useMemo } from "react";
import { useLanguage } from "./text.tsx";

export interface Formats {
  /** Day and time. */
  dateTime(iso: string): string;
  day(iso: string): string;
  /** Day and month. */
  dayOfYear(iso: string): string;
  /** The time if the date is today, “yesterday”, or else the day, with the year if it is another year. */
  short(iso: string): string;
  number(value: number): string;
  percent(value: number): string;
  size(bytes: number): string;
  /** A list of names, such as “a, b and c”. */
  names(names: readonly string[]): string;
}

export function useFormats(): Formats {
  const language = useLanguage();
  return useMemo(() => {
    const at = (format: Intl.DateTimeFormat, iso: string) => {
      const date = new Date(iso);
      return Number.isNaN(date.getTime()) ? iso : format.format(date);
    };
    const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
    const utcDay = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
    const dayOfYear = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
    const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    const dayOfThisYear = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    const short = (iso: string): string => {
      const [date, now] = [new Date(iso), new Date()];
      const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
      if (date.toDateString() === now.toDateString()) return at(time, iso);
      if (date.toDateString() === yesterday.toDateString()) return capitalized(relative.format(-1, "day"), language);
      return at(date.getFullYear() === now.getFullYear() ? dayOfThisYear : day, iso);
    };
    const number = new Intl.NumberFormat(language);
    const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
    const names = new Intl.ListFormat(language);
    return {
      dateTime: (iso) => at(dateTime, iso),
      day: (iso) => at(iso.length === 10 ? utcDay : day, iso),
      dayOfYear: (iso) => at(dayOfYear, iso),
      short,
      names: (list) => names.format(list),
      number: (value) => number.format(value),
      percent: (value) => percent.format(value / 100),
      size(bytes) {
        const units = ["B", "KB", "MB", "GB"];
        const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
        return `${number.format(Math.round((bytes / 1000 ** step) * 10) / 10)} ${units[step]}`;
      },
    };
  }, [language]);
}

const capitalized = (text: string, language: string): string =>
  text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1);

/** Formats a time as its UTC day, such as `2024-12-31`, for the API. */
export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
