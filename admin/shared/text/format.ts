/** Formats of dates, numbers and sizes in the user's language. */
import { useMemo } from "react";
import { useLanguage } from "./text.tsx";

export interface Formats {
  /** Day and time. */
  dateTime(iso: string): string;
  day(iso: string): string;
  /** Day and month. */
  dayOfYear(iso: string): string;
  /** The time if the date is today, else the day. */
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
    const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
    const utcDay = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
    const dayOfYear = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
    const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    const number = new Intl.NumberFormat(language);
    const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
    const names = new Intl.ListFormat(language);
    const at = (format: Intl.DateTimeFormat, iso: string) => {
      const date = new Date(iso);
      return Number.isNaN(date.getTime()) ? iso : format.format(date);
    };
    return {
      dateTime: (iso) => at(dateTime, iso),
      day: (iso) => at(iso.length === 10 ? utcDay : day, iso),
      dayOfYear: (iso) => at(dayOfYear, iso),
      short: (iso) => at(new Date(iso).toDateString() === new Date().toDateString() ? time : day, iso),
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

/** Formats a time as its UTC day, such as `2024-12-31`, for the API. */
export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
