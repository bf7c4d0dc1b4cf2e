/** Editor of the form's messages to visitors, grouped by where they appear. */
import type { ReactNode } from "react";
import { answerFields } from "../../shared/api/queries.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { AnswerTextField } from "../../ui/answer-text-field.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import type { TabProps } from "../../shared/draft/draft.ts";

/** Messages by where they appear. Messages without a group, such as a plugin's, come last. */
const GROUPS = {
  after: ["success", "success_html", "error"],
  button: ["send", "choose", "next_step", "previous_step", "step_progress", "network_error", "error_title"],
  field: [
    "required_field_missing",
    "required_choice_missing",
    "required_box_missing",
    "invalid_email",
    "invalid_url",
    "invalid_phone",
    "invalid_number",
    "invalid_step",
    "invalid_date",
    "invalid_option",
    "invalid_pattern",
    "invalid_pattern_title",
    "too_short",
    "too_long",
    "too_small",
    "too_large",
    "too_few_choices",
    "too_many_choices",
    "too_many_choices_one",
    "ranked_twice",
    "too_few_rows",
    "too_many_rows",
    "calculation_failed",
    "not_repeated",
    "not_unique",
    "sold_out",
  ],
  file: [
    "file_too_large",
    "file_over_limit",
    "file_type_not_allowed",
    "file_types",
    "file_type_mismatch",
    "file_upload_error",
    "too_many_files",
    "too_many_files_one",
    "choose_files_again",
    "body_too_large",
  ],
  refused: [
    "form_closed",
    "form_not_open",
    "submission_limit_reached",
    "rate_limited",
    "duplicate_submission",
    "require_user_logged_in",
    "sign_in",
    "spam",
    "captcha_required",
  ],
} as const;

export function Messages({ draft }: TabProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const { messages } = draft.form;
  const grouped = new Set<string>(Object.values(GROUPS).flat());
  const others = Object.keys(messages).filter((key) => !grouped.has(key));
  const field = (key: string) => {
    const control = {
      label: textOf("message", key),
      value: messages[key] ?? "",
      onChange: (value: string) => draft.setMessage(key, value),
    };
    return key === "success" || key === "success_html" ? (
      <AnswerTextField key={key} {...control} rows={3} fields={answerFields(draft.content.schema)} />
    ) : (
      <TextField key={key} {...control} />
    );
  };
  const cards = Object.entries(GROUPS).map(([name, keys]) => ({
    name,
    keys: keys.filter((key) => key in messages || key === "success_html") as readonly string[],
  }));
  return (
    <section className="stack" id="messages">
      <div>
        <h2>{t("settings.messages")}</h2>
        <p className="help">{t("messages.help")}</p>
      </div>
      <div className="flowing">
        {[...cards, { name: "other", keys: others }]
          .filter(({ keys }) => keys.length > 0)
          .map(({ name, keys }) => (
            <Card key={name} title={textOf("messages.group", name)} help={textOf("messages.where", name)}>
              {keys.map(field)}
            </Card>
          ))}
      </div>
    </section>
  );
}
