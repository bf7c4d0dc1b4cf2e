/** A form's settings, in the groups of the engine's table (client/settings.ts). */
import type { ReactNode } from "react";
import type { SettingGroup } from "../../../client/settings.ts";
import { answerFields } from "../../shared/api/queries.ts";
import type { TabProps } from "../../shared/draft/draft.ts";
import { useText } from "../../shared/text/text.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import { Messages } from "./messages.tsx";
import { SavedProgress } from "./saved-progress.tsx";
import { SettingControl } from "./setting-control.tsx";
import { EDITED_IN_SETTINGS } from "./setting-places.ts";

/** Order of the cards: what visitors see first comes first. */
const ORDER: readonly SettingGroup[] = ["time", "who", "after", "spam", "keep", "fields", "actions", "look"];

export default function SettingsTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const { form } = draft;
  const fields = answerFields(draft.content.schema);
  // An older engine lacks newer settings.
  const known = EDITED_IN_SETTINGS.filter(({ key }) => key in form.settings);
  const groups = ORDER.filter((name) => known.some(({ group }) => group === name));
  const help: Partial<Record<SettingGroup, string>> = {
    time: t("settings.group.time.help", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  };
  const controlsOf = (group: SettingGroup) =>
    known
      .filter((setting) => setting.group === group)
      .map((setting) => <SettingControl key={setting.key} setting={setting} draft={draft} fields={fields} />);
  return (
    <div className="stack">
      <div className="flowing">
        <Card title={t("settings.group.form")}>
          <TextField label={t("new.formTitle")} value={form.title} required onChange={draft.setTitle} />
        </Card>
        {groups.map((group) =>
          // The control of the spam checks has its own card.
          group === "spam" ? (
            controlsOf(group)
          ) : (
            <Card key={group} title={t(`settings.group.${group}`)} help={help[group]}>
              {controlsOf(group)}
              {group === "fields" && "save" in form.settings ? <SavedProgress formId={form.id} /> : null}
            </Card>
          ),
        )}
      </div>
      <Messages draft={draft} />
    </div>
  );
}
