/** The languages of the admin. A new one: a folder in `locales` with the same ids, its code and a line here. */
import type { Messages } from "@lingui/core";

export type LanguageCode = "en" | "de";

export interface Language {
  readonly code: LanguageCode;
  /** For dates, numbers and React Aria's own strings. */
  readonly tag: string;
  /** In the language itself. */
  readonly name: string;
  /** Compiled by the build (scripts/admin-build.mjs). */
  load(): Promise<Messages>;
}

export const LANGUAGES: readonly [Language, ...Language[]] = [
  { code: "en", tag: "en-US", name: "English", load: async () => (await import("../../locales/en/index.ts")).texts },
  { code: "de", tag: "de-DE", name: "Deutsch", load: async () => (await import("../../locales/de/index.ts")).texts },
];
