/** Control of one setting, chosen by its kind. Structured settings have special controls. */
import type { ReactNode } from "react";
import type { SettingFacts, SettingKey } from "../../../client/settings.ts";
import type { Field } from "../../../client/index.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { NumberField, Select, Switch, TextField } from "../../ui/fields.tsx";
import { AnswerTextField } from "../../ui/answer-text-field.tsx";
import { EndingButton, Endings } from "../../ui/endings.tsx";
import { LanguageSelect } from "../../ui/language-select.tsx";
import { Moment } from "../../ui/moment.tsx";
import { FieldListSetting } from "./field-list-setting.tsx";
import { SpamChecks } from "./spam-checks.tsx";

/** Sizes are stored in bytes and edited in megabytes. */
const MEGABYTE = 1_000_000;

export interface SettingControlProps {
  readonly setting: SettingFacts;
  readonly draft: Draft;
  /** The form's fields that take an answer. */
  readonly fields: readonly Field[];
}

/** Special controls, for settings that need more than the control of their kind. */
const CONTROLS: Partial<Record<SettingKey, (props: SettingControlProps) => ReactNode>> = {
  closes_at: ClosesAt,
  success_button: ({ draft }) => (
    <EndingButton
      value={draft.form.settings["success_button"]}
      onChange={(value) => draft.setSetting("success_button", value)}
    />
  ),
  endings: ({ draft, fields }) => (
    <Endings
      value={draft.form.settings["endings"]}
      fields={fields}
      onChange={(value) => draft.setSetting("endings", value)}
    />
  ),
  required_fields: FieldListSetting,
  email_fields: FieldListSetting,
  language: ({ draft }) => (
    <LanguageSelect
      value={String(draft.form.settings["language"] ?? "")}
      onChange={(language) => draft.setSetting("language", language)}
    />
  ),
  spam_checks: ({ draft }) => (
    <SpamChecks
      checks={draft.form.settings["spam_checks"]}
      onChange={(value) => draft.setSetting("spam_checks", value)}
    />
  ),
};

/** Settings whose texts may contain answers. */
const WITH_ANSWERS: ReadonlySet<SettingKey> = new Set<SettingKey>(["success_title", "redirect_url"]);

export function SettingControl(props: SettingControlProps): ReactNode {
  const {
    setting: { key, kind, choices },
    draft,
    fields,
  } = props;
  const t = useText();
  const textOf = useTextOf();
  const Control = CONTROLS[key];
  if (Control !== undefined) return <Control {...props} />;
  const value = draft.form.settings[key];
  const change = (next: unknown) => draft.setSetting(key, next);
  const texts = { label: textOf("settings", key), help: textOf("settings", `${key}.help`) };
  switch (kind) {
    case "boolean":
      return <Switch {...texts} value={value === true} onChange={change} />;
    case "count":
      return <NumberField {...texts} value={Number(value ?? 0)} onChange={change} />;
    case "bytes":
      return (
        <NumberField
          {...texts}
          value={Math.round(Number(value ?? 0) / MEGABYTE)}
          onChange={(megabytes) => change(megabytes * MEGABYTE)}
        />
      );
    case "choice":
      return (
        <Select
          {...texts}
          value={String(value ?? "")}
          choices={choices.map((choice) => ({ value: choice, label: textOf(`settings.${key}`, choice) }))}
          onChange={change}
        />
      );
    case "moment":
      return <Moment {...texts} value={String(value ?? "")} onChange={change} />;
    case "text":
      return WITH_ANSWERS.has(key) ? (
        <AnswerTextField {...texts} fields={fields} value={String(value ?? "")} onChange={change} />
      ) : (
        <TextField {...texts} value={String(value ?? "")} onChange={change} />
      );
    case "structure":
      return <p className="help">{t("settings.noControl", { key })}</p>;
  }
}

function ClosesAt({ draft }: SettingControlProps): ReactNode {
  const t = useText();
  const { opens_at, closes_at } = draft.form.settings;
  const isNeverOpen = Date.parse(String(closes_at)) <= Date.parse(String(opens_at));
  return (
    <Moment
      label={t("settings.closes_at")}
      help={t("settings.closes_at.help")}
      value={String(closes_at ?? "")}
      fault={isNeverOpen ? t("settings.neverOpen") : undefined}
      onChange={(value) => draft.setSetting("closes_at", value)}
    />
  );
}
