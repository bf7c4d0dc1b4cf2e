/** Looks up the admin's texts by id, in the user's language. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { type Messages, setupI18n } from "@lingui/core";
import { I18nProvider, useLingui } from "@lingui/react";
import { I18nProvider as AriaLanguage } from "react-aria-components/I18nProvider";
import type { texts as english } from "../../locales/en/index.ts";
import { LANGUAGES, type Language, type LanguageCode } from "./languages.ts";

export type TextId = keyof typeof english;
export type TextValues = Readonly<Record<string, string | number>>;
export type Translate = (id: TextId, values?: TextValues) => string;

const STORAGE_KEY = "cf-forms-language";

/** Returns the first language that has texts: the stored one, the host's, the browser's, else English. */
export function chosenLanguage(wanted: string | undefined): Language {
  for (const tag of [storedLanguage(), wanted, ...navigator.languages]) {
    const language = LANGUAGES.find(({ code }) => code === tag?.slice(0, 2));
    if (language !== undefined) return language;
  }
  return LANGUAGES[0];
}

function storedLanguage(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeLanguage(code: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, code);
  } catch {
    // `localStorage` may be blocked; then the choice is not remembered.
  }
}

/** Provides the texts to its children, which render once the texts are loaded. */
export function Texts({
  wanted,
  children,
}: {
  readonly wanted: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const language = chosenLanguage(wanted);
  const [messages, setMessages] = useState<Messages | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void language.load().then((loaded) => isCurrent && setMessages(loaded));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const i18n = useMemo(
    () => (messages === null ? null : setupI18n({ locale: language.code, messages: { [language.code]: messages } })),
    [language, messages],
  );
  if (i18n === null) return null;
  return (
    <I18nProvider i18n={i18n}>
      <AriaLanguage locale={language.tag}>{children}</AriaLanguage>
    </I18nProvider>
  );
}

export function useText(): Translate {
  const { i18n } = useLingui();
  return useMemo(() => (id: TextId, values?: TextValues) => i18n._(id, values), [i18n]);
}

/**
 * Returns a lookup of texts whose id comes from data, such as a status. `fallback`, by default the name, replaces a
 * missing text.
 */
export function useTextOf(): (prefix: string, name: string, values?: TextValues, fallback?: string) => string {
  const { i18n } = useLingui();
  return (prefix, name, values, fallback = name) => {
    const id = `${prefix}.${name}`;
    return id in i18n.messages ? i18n._(id, values) : fallback;
  };
}

export function useLanguage(): LanguageCode {
  const { locale } = useLingui().i18n;
  return (LANGUAGES.find(({ code }) => code === locale) ?? LANGUAGES[0]).code;
}
