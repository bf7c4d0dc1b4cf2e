/** Lists the actions that stay off because a required setting is missing, with that setting. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useActionName } from "../../shared/action-name.ts";
import { useActionTypes } from "../../shared/api/queries.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { keyed } from "../../shared/keyed.ts";
import { useActionNeeds } from "../../shared/missing-settings.ts";
import { useText } from "../../shared/text/text.tsx";

export interface ActionsOffProps {
  readonly draft: Draft;
  readonly onLeave: () => void;
}

export function ActionsOff({ draft: { form }, onLeave }: ActionsOffProps): ReactNode {
  const t = useText();
  const nameOf = useActionName();
  const needsOf = useActionNeeds();
  const { data: types = [] } = useActionTypes();
  const incomplete = form.settings.actions.flatMap((action) => {
    const actionType = types.find(({ type }) => type === action.type);
    const needs = action.action_enabled === false ? null : needsOf(action, actionType);
    return needs === null ? [] : [{ name: nameOf(action.type, action.action_name), needs }];
  });
  if (incomplete.length === 0) return null;
  return (
    <div className="hint">
      <p>{t("publish.actionsOff", { count: incomplete.length })}</p>
      <ul className="bullets">
        {keyed(incomplete, ({ name, needs }) => `${name} ${needs}`).map(([key, { name, needs }]) => (
          <li key={key}>
            <Link href={`/forms/${form.id}/actions`} onClick={onLeave}>
              {name}
            </Link>
            {": "}
            {needs}
          </li>
        ))}
      </ul>
    </div>
  );
}
