/** Every text of the admin has an id; this gives the text of the person's language. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { type Messages, setupI18n } from "@lingui/core";
import { I18nProvider, useLingui } from "@lingui/react";
import { I18nProvider as AriaLanguage } from "react-aria-components/I18nProvider";
import type { texts as english } from "../../locales/en/index.ts";
import { LANGUAGES, type Language, type LanguageCode } from "./languages.ts";

export type TextId = keyof typeof english;
export type TextValues = Readonly<Record<string, string | number>>;
export type Tell = (id: TextId, values?: TextValues) => string;

const STORED = "cf-forms-language";

/** The wanted language if there are texts in it, else the first of the browser's that has them, else English. */
export function chosenLanguage(wanted: string | undefined): Language {
  const candidates = [stored(), wanted, ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return (
    LANGUAGES.find(({ code }) => code === candidates.find((own) => LANGUAGES.some(({ code }) => code === own))) ??
    LANGUAGES[0]
  );
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepLanguage(code: string): void {
  try {
    localStorage.setItem(STORED, code);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

/** Shows nothing until the language's texts are there: they come with the first load. */
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

export function useText(): Tell {
  const { i18n } = useLingui();
  return useMemo(() => (id: TextId, values?: TextValues) => i18n._(id, values), [i18n]);
}

/** A text for an id that data makes, such as a status; the data itself where there is no such text. */
export function useTextOf(): (prefix: string, name: string, values?: TextValues, otherwise?: string) => string {
  const { i18n } = useLingui();
  return (prefix, name, values, otherwise = name) => {
    const id = `${prefix}.${name}`;
    return id in i18n.messages ? i18n._(id, values) : otherwise;
  };
}

export function useLanguage(): LanguageCode {
  const { locale } = useLingui().i18n;
  return (LANGUAGES.find(({ code }) => code === locale) ?? LANGUAGES[0]).code;
}
