/** Properties that several selected fields share. */
import type { ReactNode } from "react";
import type { Draft } from "../../../shared/draft/draft.ts";
import { useLanguage, useText } from "../../../shared/text/text.tsx";
import { Switch } from "../../../ui/fields.tsx";
import { fieldTitle, takesAnswer } from "../../../shared/field-types.ts";
import { widthOf } from "../model/width.ts";
import type { FieldActions } from "../use-field-actions.ts";
import { Section } from "./section.tsx";
import { WidthChips } from "./width-chips.tsx";

/** Limit on the listed fields. */
const MAX_LISTED = 8;

export interface SeveralPanelProps {
  readonly names: readonly string[];
  readonly actions: FieldActions;
  readonly editor: Draft;
}

export default function SeveralPanel({ names, actions, editor }: SeveralPanelProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const chosen = editor.content.schema.fields.filter(({ name }) => names.includes(name));
  const answers = chosen.filter(({ type }) => takesAnswer(type));
  const widths = new Set(chosen.map(widthOf));
  const [width] = widths.size === 1 ? widths : [];
  const setRequired = (required: boolean) => {
    for (const { name } of answers)
      editor.run({ kind: "update", name, change: { required } }, `required ${required} ${names.join()}`);
  };
  return (
    <div className="properties">
      <div className="properties-head">
        <h2>{t("build.several", { count: names.length })}</h2>
        <ul className="bullets">
          {chosen.slice(0, MAX_LISTED).map((field) => (
            <li key={field.name}>{fieldTitle(field, language)}</li>
          ))}
          {chosen.length > MAX_LISTED ? <li>…</li> : null}
        </ul>
        <p className="help">{t("build.severalHelp")}</p>
      </div>
      {answers.length === 0 ? null : (
        <Section title={t("build.section.field")}>
          <Switch
            label={t("build.required")}
            value={answers.every(({ required }) => required)}
            onChange={setRequired}
          />
        </Section>
      )}
      <Section title={t("build.width")} memory="width">
        <WidthChips value={width} onChange={(next) => actions.setWidth(names, next)} />
      </Section>
    </div>
  );
}
