/** A message of the API in the user's language; without a translation in English, and marked as English. */
import type { ReactNode } from "react";
import { useApiMessage } from "../shared/text/api-message.ts";
import { useLanguage } from "../shared/text/text.tsx";

export function ApiMessage({ children }: { readonly children: string }): ReactNode {
  const translate = useApiMessage();
  const language = useLanguage();
  const translated = translate(children);
  return language === "en" || translated !== null ? (translated ?? children) : <span lang="en">{children}</span>;
}
