/** Texts of the host's pages, in the languages of the admin (`admin/locales`). */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { hostPages as german } from "../../../admin/locales/de/host-pages.ts";
import { hostPages as english } from "../../../admin/locales/en/host-pages.ts";

export interface PageTexts {
  readonly language: string;
  /** Returns the text of an id, with its placeholders filled in. */
  t(id: keyof typeof english, values?: Readonly<Record<string, string | number>>): string;
}

const LANGUAGES: Readonly<Record<string, Readonly<Record<keyof typeof english, string>>>> = { en: english, de: german };

/** Returns the texts in the browser's preferred available language (`Accept-Language`, RFC 9110); else in English. */
export function pageTexts(c: Context): PageTexts {
  const language = accepts(c, {
    header: "Accept-Language",
    supports: Object.keys(LANGUAGES),
    default: "en",
    match(liked, { supports, default: otherwise }) {
      const names = [...liked]
        .sort((one, other) => other.q - one.q)
        .map(({ type }) => type.toLowerCase().split("-")[0] ?? "");
      return names.find((name) => supports.includes(name)) ?? otherwise;
    },
  });
  const texts = LANGUAGES[language] ?? english;
  return {
    language,
    t: (id, values = {}) => texts[id].replace(/\{(\w+)\}/g, (mark, name: string) => String(values[name] ?? mark)),
  };
}

/** Longest wait that a text gives in seconds; longer ones are given in minutes. */
const MAX_SECONDS_SHOWN = 90;

/** Returns the text that says how long to wait before the next sign-in. */
export function waitText({ t }: PageTexts, seconds: number): string {
  return seconds > MAX_SECONDS_SHOWN
    ? t("host.tooManyMinutes", { minutes: Math.ceil(seconds / 60) })
    : t("host.tooMany", { seconds });
}
