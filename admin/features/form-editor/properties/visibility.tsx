/** Section for the conditions under which a field is shown. */
import { lazy, type ReactNode } from "react";
import type { Condition, Field } from "../../../shared/draft/content.ts";
import { cycleOf, fieldNamesIn } from "../../../shared/draft/references.ts";
import { useLanguage, useText, useTextOf } from "../../../shared/text/text.tsx";
import { labelOfName } from "../../../shared/field-label.ts";
import { takesAnswer, titleOfName } from "../../../shared/field-types.ts";
import { conditionSentence } from "./condition-sentence.ts";
import { Section } from "./section.tsx";

const Conditions = lazy(() => import("../../../ui/conditions.tsx"));

export interface VisibilityProps {
  readonly field: Field;
  readonly fields: readonly Field[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}

export function Visibility({ field, fields, onChange }: VisibilityProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const textOf = useTextOf();
  const { conditions } = field;
  const sentence = conditionSentence(conditions, fields, {
    t,
    operatorText: (operator) => textOf("operator", operator),
  });
  const missing = fieldNamesIn(conditions).find((name) => !fields.some((other) => other.name === name));
  const cycle = conditions.length === 0 ? null : cycleOf(fields, field.name);
  return (
    <Section title={t("build.shownWhen")} summary={sentence} isOpen={conditions.length > 0}>
      {conditions.length === 0 ? null : <p className="section-sentence">{sentence}</p>}
      <div className="section-conditions">
        <Conditions
          canHide
          title={t("build.shownWhen")}
          always={t("build.shownAlways")}
          conditions={conditions}
          fields={fields.filter((other) => other.name !== field.name && takesAnswer(other.type))}
          onChange={onChange}
        />
      </div>
      {missing === undefined ? null : (
        <p className="fault" role="alert">
          {t("build.conditionMissing", { name: labelOfName([], missing) })}
        </p>
      )}
      {cycle === null ? null : (
        <p className="fault" role="alert">
          {t("build.conditionCycle", {
            names: [...cycle, ...cycle.slice(0, 1)].map((name) => titleOfName(fields, name, language)).join(" → "),
          })}
        </p>
      )}
    </Section>
  );
}
