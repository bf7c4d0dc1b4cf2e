/** Select for the language of a form: the visitor's, or one of those with texts for visitors. */
import type { ReactNode } from "react";
import { LANGUAGE_TAGS } from "../../visitor/languages/index.ts";
import { useLanguage, useText } from "../shared/text/text.tsx";
import { Select } from "./fields.tsx";

/** Key of the choice without a language; a list box does not allow an empty key. */
const NO_LANGUAGE = "none";

export interface LanguageSelectProps {
  /** Language tag, `auto`, or empty for English. */
  readonly value: string;
  readonly onChange: (language: string) => void;
}

export function LanguageSelect({ value: stored, onChange }: LanguageSelectProps): ReactNode {
  const t = useText();
  const adminLanguage = useLanguage();
  const value = stored || NO_LANGUAGE;
  const names = new Intl.DisplayNames([adminLanguage], { type: "language" });
  const special = [
    { value: NO_LANGUAGE, label: t("settings.language.none") },
    { value: "auto", label: t("settings.language.auto") },
  ];
  const isSpecial = special.some((choice) => choice.value === value);
  const tags = [...new Set(["en", ...LANGUAGE_TAGS, ...(isSpecial ? [] : [value])])];
  const languages = tags.map((tag) => ({ value: tag, label: names.of(tag) ?? tag }));
  languages.sort((one, other) => one.label.localeCompare(other.label, adminLanguage));
  return (
    <Select
      label={t("settings.language")}
      help={t("settings.language.help")}
      value={value}
      choices={[...special, ...languages]}
      onChange={(next) => onChange(next === NO_LANGUAGE ? "" : next)}
    />
  );
}
