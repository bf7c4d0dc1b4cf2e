/** Properties of the default ending, and of further endings with conditions. */
import type { ReactNode } from "react";
import type { Draft } from "../../../shared/draft/draft.ts";
import { useText } from "../../../shared/text/text.tsx";
import { EndingButton, Endings } from "../../../ui/endings.tsx";
import { AnswerTextField } from "../../../ui/answer-text-field.tsx";
import { Switch } from "../../../ui/fields.tsx";
import { takesAnswer } from "../../../shared/field-types.ts";

const SWITCHES = ["success_summary", "hide_after_success"] as const;

export default function Confirmation({ editor }: { readonly editor: Draft }): ReactNode {
  const t = useText();
  const { settings, messages, schema } = editor.content;
  const fields = schema.fields.filter(({ type }) => takesAnswer(type));
  return (
    <>
      <AnswerTextField
        fields={fields}
        label={t("endings.title")}
        help={t("settings.success_title.help")}
        value={String(settings["success_title"] ?? "")}
        onChange={(text) => editor.setSetting("success_title", text)}
      />
      <AnswerTextField
        fields={fields}
        label={t("build.confirmationMessage")}
        rows={3}
        value={messages["success"] ?? editor.form.messages["success"] ?? ""}
        onChange={(text) => editor.setMessage("success", text)}
      />
      <EndingButton
        value={settings["success_button"]}
        onChange={(button) => editor.setSetting("success_button", button)}
      />
      {SWITCHES.map((key) => (
        <Switch
          key={key}
          label={t(`settings.${key}`)}
          help={t(`settings.${key}.help`)}
          value={settings[key] === true}
          onChange={(value) => editor.setSetting(key, value)}
        />
      ))}
      <Endings
        value={settings["endings"]}
        fields={fields}
        onChange={(endings) => editor.setSetting("endings", endings)}
      />
    </>
  );
}
