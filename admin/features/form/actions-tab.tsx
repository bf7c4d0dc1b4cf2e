/** What happens when the form is sent: a list of actions, ordered, named, switched off without being deleted. */
import { type ReactNode, useState } from "react";
import { answerFields, useActionTypes, useHasRoute, useSchema } from "../../shared/api/queries.ts";
import type { FormAction } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Menu } from "../../ui/overlays.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE } from "../../shared/action-name.ts";
import { ActionCard } from "./action-card.tsx";
import type { TabProps } from "../../shared/form-draft.ts";

export default function ActionsTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const types = useActionTypes();
  const schema = useSchema(draft.form.id);
  const notices = useNotices();
  const hasNames = useHasRoute(CANCEL_ROUTE);
  const [opened, setOpened] = useState<number | null>(null);
  const { actions } = draft.form.settings;
  const fields = answerFields(schema.data);
  const set = (next: readonly FormAction[]) => draft.setSetting("actions", next);
  const move = (index: number, by: number) => {
    const next = [...actions];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    set(next);
    if (opened === index) setOpened(index + by);
    else if (opened === index + by) setOpened(index);
  };
  const add = (type: string) => {
    set([...actions, { type }]);
    setOpened(actions.length);
  };
  const remove = (index: number, name: string) => {
    const removed = actions[index];
    if (removed === undefined) return;
    set(actions.filter((_, at) => at !== index));
    if (opened !== null) setOpened(opened === index ? null : opened > index ? opened - 1 : opened);
    // What was changed since stays as it is; where the changes were discarded it is back already.
    const isRemoved = (own: FormAction): boolean =>
      own === removed || (own.action_id !== undefined && own.action_id === removed.action_id);
    notices.done(t("actions.removed", { name }), () =>
      draft.changeActions((now) => (now.some(isRemoved) ? now : now.toSpliced(index, 0, removed))),
    );
  };
  return (
    <Loaded query={types}>
      {(known) => (
        <div className="stack">
          <div className="row apart">
            <p className="help">{t("actions.help")}</p>
            <Menu
              label={t("actions.add")}
              icon="plus"
              text
              entries={known.map(({ type, label }) => ({ id: type, label, onAction: () => add(type) }))}
            />
          </div>
          {actions.length === 0 ? (
            <Empty icon="flow" title={t("actions.empty")}>
              <p>{t("actions.emptyText")}</p>
            </Empty>
          ) : null}
          <ol className="stack">
            {actions.map((action, index) => {
              const id = action.action_id ?? String(index);
              const kind = known.find(({ type }) => type === action.type);
              return (
                <ActionCard
                  key={id}
                  hasName={hasNames}
                  action={action}
                  index={index}
                  count={actions.length}
                  formId={draft.form.id}
                  fields={fields}
                  {...(kind === undefined ? {} : { kind })}
                  isOpen={opened === index}
                  onOpen={(open) => setOpened(open ? index : null)}
                  onChange={(changed) => set(actions.map((own, at) => (at === index ? changed : own)))}
                  onMove={(by) => move(index, by)}
                  onRemove={(name) => remove(index, name)}
                />
              );
            })}
          </ol>
        </div>
      )}
    </Loaded>
  );
}
