/**
 * Languages of the admin. To add one, add a folder in `locales` with the ids of `locales/de`, its texts in
 * `settings.ts` and `screens.ts` beside the folder, and its code and an entry here.
 */
import type { Messages } from "@lingui/core";

export type LanguageCode = "en" | "de";

export interface Language {
  readonly code: LanguageCode;
  /** Language tag for dates, numbers and React Aria's texts. */
  readonly tag: string;
  /** Name of the language in that language. */
  readonly name: string;
  /** Loads the texts, which the build compiles (scripts/admin-build.mjs). */
  load(): Promise<Messages>;
}

export const LANGUAGES: readonly [Language, ...Language[]] = [
  { code: "en", tag: "en-US", name: "English", load: async () => (await import("../../locales/en/index.ts")).texts },
  { code: "de", tag: "de-DE", name: "Deutsch", load: async () => (await import("../../locales/de/index.ts")).texts },
];
