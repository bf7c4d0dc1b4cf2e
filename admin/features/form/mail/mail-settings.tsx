/** Editor of an action that sends a mail: recipients, subject, message beside a live preview, and rare settings below. */
import type { ReactNode } from "react";
import type { ActionSetting, ActionType, Field, FormSchema, FormAction } from "../../../../client/index.ts";
import { labelOf, labelOfName } from "../../../shared/field-label.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Checkbox, Select } from "../../../ui/fields.tsx";
import { SettingControl } from "../setting-of-action.tsx";
import { AddressChips } from "./address-chips.tsx";
import { AnswerEditor } from "./answer-editor.tsx";
import { emailFields, fileFields } from "./answers.ts";
import { MailMessage } from "./mail-message.tsx";
import { MailPreview } from "./mail-preview.tsx";
import { SendTest } from "./send-test.tsx";

export interface MailSettingsProps {
  readonly action: FormAction;
  readonly actionType: ActionType;
  readonly formId: number;
  readonly fields: readonly Field[];
  /** Schema of the draft, with which test mails are composed. */
  readonly schema: FormSchema;
  readonly onChange: (action: FormAction) => void;
}

/** Settings above “More”. The type of the action states their order. */
const MAIN: ReadonlySet<string> = new Set(["to", "email_field", "subject", "message"]);

export default function MailSettings({
  action,
  actionType,
  formId,
  fields,
  schema,
  onChange,
}: MailSettingsProps): ReactNode {
  const t = useText();
  const set = (key: string, value: string) => onChange({ ...action, [key]: value });
  const more = actionType.settings.filter(({ key }) => !MAIN.has(key));
  const isMoreSet = more.some(({ key }) => typeof action[key] === "string" && action[key] !== "");
  const control = (setting: ActionSetting): ReactNode => (
    <MailSetting key={setting.key} setting={setting} action={action} fields={fields} onChange={set} />
  );
  return (
    <div className="mail-editor">
      <div className="stack">
        {actionType.settings.filter(({ key }) => MAIN.has(key)).map(control)}
        <details className="mail-more" open={isMoreSet}>
          <summary>{t("actions.more")}</summary>
          <div className="columns">{more.map(control)}</div>
        </details>
      </div>
      <div className="stack">
        <MailPreview action={action} formId={formId} fields={fields} schema={schema} />
        <SendTest action={action} formId={formId} fields={fields} schema={schema} />
      </div>
    </div>
  );
}

const ADDRESS_LISTS: ReadonlySet<string> = new Set(["to", "cc", "bcc", "reply_to"]);

interface MailSettingProps {
  readonly setting: ActionSetting;
  readonly action: FormAction;
  readonly fields: readonly Field[];
  readonly onChange: (key: string, value: string) => void;
}

function MailSetting({ setting, action, fields, onChange }: MailSettingProps): ReactNode {
  const t = useText();
  const { key, label, required } = setting;
  const stored = action[key];
  const value = Array.isArray(stored) ? stored.join(", ") : String(stored ?? "");
  const set = (next: string) => onChange(key, next);
  if (ADDRESS_LISTS.has(key)) {
    const shownHelp = key === "reply_to" ? t("actions.replyToHelp") : undefined;
    return (
      <AddressChips
        label={label}
        value={value}
        fields={fields}
        required={required}
        {...(shownHelp === undefined ? {} : { help: shownHelp })}
        onChange={set}
      />
    );
  }
  switch (key) {
    case "email_field":
      return <VisitorField label={label} value={value} setting={setting} fields={fields} onChange={set} />;
    case "subject":
      return (
        <AnswerEditor
          label={label}
          value={value}
          format="line"
          fields={fields}
          placeholder={setting.default.replace("[CF_FORM_TITLE]", t("answers.CF_FORM_TITLE"))}
          onChange={set}
        />
      );
    case "message":
      return (
        <MailMessage
          setting={setting}
          value={value}
          isPlain={action["content_type"] === "text/plain"}
          fields={fields}
          onChange={set}
        />
      );
    case "attachments":
      return <Attachments label={label} value={value} fields={fields} onChange={set} />;
    default:
      return <SettingControl setting={setting} value={stored} onChange={set} />;
  }
}

interface FieldChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly fields: readonly Field[];
  readonly onChange: (value: string) => void;
}

/** Choice of the field whose answer is the visitor's address. */
function VisitorField({
  label,
  value,
  setting,
  fields,
  onChange,
}: FieldChoiceProps & { readonly setting: ActionSetting }): ReactNode {
  const chosen = value === "" ? setting.default : value;
  const choices = emailFields(fields).map((field) => ({ value: field.name, label: labelOf(field) }));
  const isKnown = choices.some(({ value: name }) => name === chosen);
  return (
    <Select
      label={label}
      value={chosen}
      choices={isKnown ? choices : [...choices, { value: chosen, label: labelOfName([], chosen) }]}
      onChange={onChange}
    />
  );
}

/** File fields whose files are attached. */
function Attachments({ label, value, fields, onChange }: FieldChoiceProps): ReactNode {
  const t = useText();
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = fileFields(fields).map((field) => ({ name: field.name, label: labelOf(field) }));
  const unknown = names.filter((name) => !known.some((field) => field.name === name));
  const choices = [...known, ...unknown.map((name) => ({ name, label: name }))];
  return (
    <fieldset className="field plain-set">
      <legend className="label">{label}</legend>
      {choices.length === 0 ? (
        <span className="help">{t("actions.noFiles")}</span>
      ) : (
        <span className="help">{t("actions.filesHelp")}</span>
      )}
      {choices.map(({ name, label: fieldLabel }) => (
        <Checkbox
          key={name}
          label={fieldLabel}
          value={names.includes(name)}
          onChange={(isOn) => onChange((isOn ? [...names, name] : names.filter((other) => other !== name)).join(", "))}
        />
      ))}
    </fieldset>
  );
}
