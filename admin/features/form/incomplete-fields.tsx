/** Lists the fields that lack a required property of a plugin, which prevents publication. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { IncompleteField } from "../../shared/editor-panels.ts";
import { fieldTitle } from "../../shared/field-types.ts";
import { useLanguage, useText } from "../../shared/text/text.tsx";

export interface IncompleteFieldsProps {
  readonly formId: number;
  readonly incomplete: readonly IncompleteField[];
  readonly onLeave: () => void;
}

export function IncompleteFields({ formId, incomplete, onLeave }: IncompleteFieldsProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  if (incomplete.length === 0) return null;
  return (
    <div className="trouble" role="alert">
      <div>
        <strong>{t("publish.fieldsIncomplete")}</strong>
        <ul className="bullets">
          {incomplete.map(({ field, label }) => (
            <li key={`${field.name} ${label}`}>
              <Link href={`/forms/${formId}/build?field=${encodeURIComponent(field.name)}`} onClick={onLeave}>
                {fieldTitle(field, language)}
              </Link>
              {": "}
              {label}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
