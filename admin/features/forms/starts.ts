/** Starting points of a new form: a template, an empty form, or pasted HTML. */
import { parseHtml } from "../../../visitor/script/trusted.ts";
import type { Input } from "../../../client/index.ts";
import type { Translate } from "../../shared/text/text.tsx";
import { inLanguage } from "../../templates/in-language.ts";
import type { Template } from "../../templates/index.ts";

export type Start =
  | { readonly kind: "template"; readonly id: string; readonly template: Template }
  | { readonly kind: "blank" }
  | { readonly kind: "html" };

export type NewForm = Input<"createForm">["body"];
export type FormContent = Pick<NewForm, "markup" | "schema" | "settings" | "messages">;

/** Returns the content of a new form. `markup` is the pasted HTML. */
export function contentOf(start: Start, markup: string, language: string, t: Translate): FormContent {
  switch (start.kind) {
    case "blank":
      return {
        schema: { fields: [{ name: "submit", type: "submit", label: t("new.blankSend") }] },
        settings: languageSettings(language),
      };
    case "html":
      return { markup: withoutForm(markup), settings: languageSettings(language) };
    case "template":
      return templateContent(start.template, language);
  }
}

/** Returns the content of a template in one language. Templates are untyped JSON; a test creates a form from each. */
export function templateContent({ schema, settings = {}, messages = {} }: Template, language: string): FormContent {
  const content = { schema, settings: { ...settings, ...languageSettings(language) }, messages };
  return inLanguage(content, language) as FormContent;
}

/**
 * Returns the settings that make the engine's own texts, such as errors and mails, match the labels of the form. English
 * is the engine's default.
 */
function languageSettings(language: string): NonNullable<FormContent["settings"]> {
  return language === "en" ? {} : { language };
}

/** Returns the content of the form element of a pasted page. The engine renders the form element itself. */
export function withoutForm(markup: string): string {
  const parsed = parseHtml(markup);
  return parsed.querySelector("form")?.innerHTML.trim() ?? markup;
}
