/** Message of a mail: all answers, a custom text with answers, or HTML that the text editor cannot show. */
import { type ReactNode, useState } from "react";
import { Label } from "react-aria-components/Label";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import type { ActionSetting, Field } from "../../../../client/index.ts";
import { useText } from "../../../shared/text/text.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { AnswerEditor } from "./answer-editor.tsx";
import { isEditable } from "./answer-markup.ts";

export interface MailMessageProps {
  readonly setting: ActionSetting;
  readonly value: string;
  /** Whether the mail has no HTML. */
  readonly isPlain: boolean;
  readonly fields: readonly Field[];
  readonly onChange: (value: string) => void;
}

export function MailMessage({ setting, value, isPlain, fields, onChange }: MailMessageProps): ReactNode {
  const t = useText();
  // A custom text stays custom even when it is empty.
  const [hasText, setHasText] = useState(value.trim() !== "" && value !== setting.default);
  const kind = hasText || (value !== "" && value !== setting.default) ? "own" : "all";
  const choose = (next: string) => {
    setHasText(next === "own");
    onChange(next === "all" ? "" : setting.default);
  };
  return (
    <div className="stack close">
      <RadioGroup className="field" value={kind} onChange={choose}>
        <Label className="label">{setting.label}</Label>
        <div className="row">
          <Radio value="all" className="radio">
            <span className="dot" />
            {t("actions.allAnswers")}
          </Radio>
          <Radio value="own" className="radio">
            <span className="dot" />
            {t("actions.customText")}
          </Radio>
        </div>
      </RadioGroup>
      {kind === "all" ? null : isPlain || isEditable(value) ? (
        <AnswerEditor
          label={t("actions.customText")}
          value={value}
          format={isPlain ? "plain" : "rich"}
          fields={fields}
          onChange={onChange}
        />
      ) : (
        <TextField
          label={t("actions.customHtml")}
          help={t("actions.customHtmlHelp")}
          value={value}
          rows={10}
          code
          onChange={onChange}
        />
      )}
    </div>
  );
}
