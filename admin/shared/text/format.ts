/** Dates, numbers and sizes as the person's language writes them. */
import { useMemo } from "react";
import { useLanguage } from "./text.tsx";

export interface Formats {
  /** Day and time. */
  moment(iso: string): string;
  day(iso: string): string;
  /** Without the year. */
  dayOfYear(iso: string): string;
  /** The time of a moment of today, the day of another. */
  short(iso: string): string;
  number(value: number): string;
  percent(value: number): string;
  size(bytes: number): string;
  /** Names as a list in words. */
  names(names: readonly string[]): string;
}

export function useFormats(): Formats {
  const language = useLanguage();
  return useMemo(() => {
    const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
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
      moment: (iso) => at(moment, iso),
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

/** The UTC day of a time, as the API takes days. */
export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
