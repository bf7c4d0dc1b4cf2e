/** Texts of templates in one language. */
import type { TemplateTexts } from "./index.ts";

export function textIn(texts: TemplateTexts, language: string): string {
  return texts[language] ?? texts.en;
}

/** Replaces each {@link TemplateTexts} in the value with its text in the language. */
export function inLanguage(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((item) => inLanguage(item, language));
  if (typeof value !== "object" || value === null) return value;
  if ("en" in value) return textIn(value as TemplateTexts, language);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inLanguage(item, language)]));
}
