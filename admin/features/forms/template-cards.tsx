/** Cards for a new form: templates with their pictures, and other ways to start. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { textIn } from "../../templates/in-language.ts";
import { TEMPLATES } from "../../templates/index.ts";
import { Icon, type IconName } from "../../ui/icons.tsx";
import type { Start } from "./starts.ts";
import { TemplatePicture } from "./template-picture.tsx";

export interface TemplateCardsProps {
  readonly onChoose: (start: Start) => void;
  /** Number of templates to show; default all. */
  readonly limit?: number;
}

export function TemplateCards({ onChoose, limit }: TemplateCardsProps): ReactNode {
  const language = useLanguage();
  return (
    <ul className="templates">
      {Object.entries(TEMPLATES)
        .slice(0, limit)
        .map(([id, template]) => (
          <li key={id}>
            <button
              type="button"
              className="template with-picture"
              onClick={() => onChoose({ kind: "template", id, template })}
            >
              <strong>{textIn(template.title, language)}</strong>
              <span className="muted">{textIn(template.description, language)}</span>
              <TemplatePicture id={id} />
            </button>
          </li>
        ))}
    </ul>
  );
}

/** The ways to start without a template. */
export function OtherStarts({ onChoose }: Pick<TemplateCardsProps, "onChoose">): ReactNode {
  const t = useText();
  const start = (icon: IconName, title: string, text: string, kind: "blank" | "html") => (
    <li>
      <button type="button" className="template other" onClick={() => onChoose({ kind })}>
        <Icon name={icon} />
        <strong>{title}</strong>
        <span className="muted">{text}</span>
      </button>
    </li>
  );
  return (
    <ul className="templates">
      {start("plus", t("new.blank"), t("new.blankText"), "blank")}
      {start("file", t("new.html"), t("new.htmlText"), "html")}
      <li>
        <Link href="/forms/import" className="template other">
          <Icon name="download" />
          <strong>{t("forms.import")}</strong>
          <span className="muted">{t("new.importText")}</span>
        </Link>
      </li>
    </ul>
  );
}
