/** Banner about another user's publication: the parts merged into the draft, and the conflicts to resolve. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import type { FormAction } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { revisionsQuery } from "../../shared/api/resources.ts";
import { useActionName } from "../../shared/action-name.ts";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";
import type { Conflict } from "../../shared/draft/merge.ts";
import { useFormats } from "../../shared/text/format.ts";
import { fieldTitle } from "../../shared/field-types.ts";
import { useLanguage, useText, useTextOf } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";

/** Values longer than this are cut in the banner. */
const MAX_VALUE_LENGTH = 80;

export default function RebasedBanner({ draft }: TabProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const client = useClient();
  const { rebased, form } = draft;
  const revisions = useQuery({ ...revisionsQuery(client, form.id), enabled: rebased !== null });
  const nameOf = useUnitName(draft);
  if (rebased === null) return null;
  const [newest] = revisions.data ?? [];
  const { taken, conflicts } = rebased;
  return (
    <div className={conflicts.length > 0 ? "trouble" : "hint row apart"} role="status">
      <div className="stack close">
        <p>
          {t("conflict.merged", {
            user: newest?.user || t("conflict.somebody"),
            ago: newest === undefined ? "" : formats.short(newest.created_at),
            count: taken,
          })}{" "}
          {conflicts.length > 0 ? t("conflict.decide", { count: conflicts.length }) : null}
        </p>
        {conflicts.length === 0 ? null : (
          <ul className="conflicts">
            {conflicts.map((conflict) => (
              <li key={conflict.path.join(" ")}>
                <strong>{nameOf(conflict)}</strong>
                <Button onPress={() => void draft.decide(conflict, "theirs")}>
                  {t("conflict.theirs", { value: valueOf(conflict.theirs, t("conflict.deleted")) })}
                </Button>
                <Button onPress={() => void draft.decide(conflict, "yours")}>
                  {t("conflict.yours", { value: valueOf(conflict.yours, t("conflict.deleted")) })}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {conflicts.length === 0 ? (
        <IconButton icon="close" label={t("common.close")} onPress={draft.closeRebased} />
      ) : null}
    </div>
  );
}

function valueOf(value: unknown, deleted: string): string {
  if (value === undefined) return deleted;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Names the unit of a conflict in the words of the screens. */
function useUnitName({ content, live }: Draft): (conflict: Conflict) => string {
  const t = useText();
  const textOf = useTextOf();
  const actionName = useActionName();
  const language = useLanguage();
  return ({ path: [section, key = "", member] }) => {
    switch (section) {
      case "values":
        return textOf("build.difference.part", key === "form_settings" ? "layout" : key);
      case "fields": {
        const field = [...content.schema.fields, ...live.content.schema.fields].find(({ name }) => name === key);
        const label = field === undefined ? key : fieldTitle(field, language);
        return member === undefined ? label : `${label}: ${textOf("build.member", member.trim())}`;
      }
      case "settings":
        return textOf("settings", key);
      case "messages":
        return textOf("message", key);
      case "actions": {
        const actions = [content, live.content].flatMap(({ settings }) => settings["actions"] as readonly FormAction[]);
        const action = actions.find(({ action_id }) => action_id === key);
        return action === undefined ? t("form.tab.actions") : actionName(action.type, action.action_name);
      }
      case "steps":
        return t("conflict.step");
    }
  };
}
