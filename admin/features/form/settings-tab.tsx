/** A form's settings, in groups. */
import type { ReactNode } from "react";
import { answerFields, useSchema } from "../../shared/api/queries.ts";
import { useText } from "../../shared/text/text.tsx";
import { NumberField, Select, Switch, TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import type { TabProps } from "../../shared/form-draft.ts";
import { SpamChecks } from "./spam-checks.tsx";

export default function SettingsTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const { form, setSetting } = draft;
  const schema = useSchema(form.id);
  const text = (key: string) => String(form.settings[key] ?? "");
  const count = (key: string) => Number(form.settings[key] ?? 0);
  const isOn = (key: string) => form.settings[key] === true;
  const names = answerFields(schema.data).map(({ name }) => name).join(", ");
  const toggle = (key: "save_submissions" | "hide_after_success" | "require_user_logged_in" | "prevent_duplicates" | "store_ip" | "shorten_ip" | "store_user_agent") => (
    <Switch label={t(`settings.${key}`)} help={t(`settings.${key}.help`)} value={isOn(key)} onChange={(value) => setSetting(key, value)} />
  );
  const number = (key: "submission_limit" | "rate_limit" | "retention_days" | "file_link_days") => (
    <NumberField label={t(`settings.${key}`)} help={t(`settings.${key}.help`)} value={count(key)} onChange={(value) => setSetting(key, value)} />
  );
  const isNeverOpen = Date.parse(text("closes_at")) <= Date.parse(text("opens_at"));
  const moment = (key: "opens_at" | "closes_at") => (
    <TextField
      type="datetime-local" label={t(`settings.${key}`)} value={toLocal(text(key))} fault={key === "closes_at" && isNeverOpen ? t("settings.neverOpen") : undefined}
      onChange={(value) => setSetting(key, value === "" ? "" : new Date(value).toISOString())}
    />
  );
  return (
    <div className="flowing">
      <Card title={t("settings.group.form")}>
        <TextField label={t("new.formTitle")} value={form.title} required onChange={(title) => draft.change({ title })} />
        <TextField label={t("settings.slug")} value={form.slug} help={t("settings.slug.help", { url: form.url })} onChange={(slug) => draft.change({ slug })} />
      </Card>
      <Card title={t("settings.group.time")} help={t("settings.group.time.help", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}>
        {moment("opens_at")}
        {moment("closes_at")}
        {number("submission_limit")}
      </Card>
      <Card title={t("settings.group.after")}>
        {toggle("hide_after_success")}
        <TextField label={t("settings.redirect_url")} help={t("settings.redirect_url.help")} value={text("redirect_url")} onChange={(value) => setSetting("redirect_url", value)} />
      </Card>
      <Card title={t("settings.group.who")}>
        {toggle("require_user_logged_in")}
        {toggle("prevent_duplicates")}
        {number("rate_limit")}
      </Card>
      <Card title={t("settings.group.fields")} help={names === "" ? undefined : t("settings.fieldNames", { names })}>
        <TextField label={t("settings.required_fields")} help={t("settings.required_fields.help")} value={text("required_fields")} onChange={(value) => setSetting("required_fields", value)} />
        <TextField label={t("settings.email_fields")} help={t("settings.email_fields.help")} value={text("email_fields")} onChange={(value) => setSetting("email_fields", value)} />
      </Card>
      <Card title={t("settings.group.keep")}>
        {toggle("save_submissions")}
        {number("retention_days")}
        {toggle("store_ip")}
        {toggle("shorten_ip")}
        {toggle("store_user_agent")}
        {"file_link_days" in form.settings ? number("file_link_days") : null}
        {"upload_quota" in form.settings ? (
          <NumberField label={t("settings.upload_quota")} help={t("settings.upload_quota.help")} value={Math.round(count("upload_quota") / 1_000_000)} onChange={(value) => setSetting("upload_quota", value * 1_000_000)} />
        ) : null}
      </Card>
      <Card title={t("settings.group.actions")}>
        <Select
          label={t("settings.run_actions")} help={t("settings.run_actions.help")} value={text("run_actions")} onChange={(value) => setSetting("run_actions", value)}
          choices={[{ value: "queue", label: t("settings.run_actions.queue") }, { value: "inline", label: t("settings.run_actions.inline") }]}
        />
      </Card>
      <SpamChecks checks={form.settings["spam_checks"]} onChange={(checks) => setSetting("spam_checks", checks)} />
    </div>
  );
}

/** A moment of the API as the browser's control writes it, in the person's own time zone. */
function toLocal(iso: string): string {
  const date = new Date(iso);
  if (iso === "" || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
