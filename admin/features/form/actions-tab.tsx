/** Editor of the form's actions: order, names, switches, settings. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { answerFields, useActionTypes, useHasRoute } from "../../shared/api/queries.ts";
import type { FormAction } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Button } from "../../ui/button.tsx";
import { MailNotice } from "../../ui/mail-notice.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE } from "../../shared/action-name.ts";
import { ActionCard } from "./action-card.tsx";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";

const ActionPicker = lazy(() => import("./action-picker.tsx"));

export default function ActionsTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const types = useActionTypes();
  const hasNames = useHasRoute(CANCEL_ROUTE);
  const [isPicking, setIsPicking] = useState(false);
  const { actions, openIndex, setOpenIndex, set, move, add, remove } = useActionList(draft);
  const fields = answerFields(draft.content.schema);
  return (
    <Loaded query={types}>
      {(known) => (
        <div className="stack">
          <MailNotice />
          <div className="row apart">
            <p className="help">{t("actions.help")}</p>
            <Button icon="plus" onPress={() => setIsPicking(true)}>
              {t("actions.add")}
            </Button>
          </div>
          {actions.length === 0 ? (
            <Empty icon="flow" title={t("actions.empty")}>
              <p>{t("actions.emptyText")}</p>
            </Empty>
          ) : null}
          <ol className="stack">
            {actions.map((action, index) => {
              const id = action.action_id ?? String(index);
              const actionType = known.find(({ type }) => type === action.type);
              return (
                <ActionCard
                  key={id}
                  hasName={hasNames}
                  action={action}
                  index={index}
                  count={actions.length}
                  formId={draft.form.id}
                  fields={fields}
                  schema={draft.content.schema}
                  {...(actionType === undefined ? {} : { actionType })}
                  isOpen={openIndex === index}
                  onOpen={(open) => setOpenIndex(open ? index : null)}
                  onChange={(changed) => set(actions.with(index, changed))}
                  onMove={(by) => move(index, by)}
                  onRemove={(name) => remove(index, name)}
                />
              );
            })}
          </ol>
          {isPicking ? (
            <Suspense fallback={null}>
              <ActionPicker types={known} onPick={add} onClose={() => setIsPicking(false)} />
            </Suspense>
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

interface ActionList {
  readonly actions: readonly FormAction[];
  /** Index of the action whose card is open; null for none. */
  readonly openIndex: number | null;
  readonly setOpenIndex: (index: number | null) => void;
  readonly set: (actions: readonly FormAction[]) => void;
  readonly move: (index: number, by: number) => void;
  readonly add: (type: string) => void;
  readonly remove: (index: number, name: string) => void;
}

/** Returns the form's actions and the functions that change them. The same card stays open after a change. */
function useActionList(draft: Draft): ActionList {
  const t = useText();
  const notices = useNotices();
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const { actions } = draft.form.settings;
  const set = (next: readonly FormAction[]) => draft.setSetting("actions", next);
  const move = (index: number, by: number) => {
    const next = [...actions];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    set(next);
    if (openIndex === index) setOpenIndex(index + by);
    else if (openIndex === index + by) setOpenIndex(index);
  };
  const add = (type: string) => {
    set([...actions, { type }]);
    setOpenIndex(actions.length);
  };
  const remove = (index: number, name: string) => {
    const removed = actions[index];
    if (removed === undefined) return;
    set(actions.filter((_, at) => at !== index));
    if (openIndex !== null) setOpenIndex(openIndex === index ? null : openIndex > index ? openIndex - 1 : openIndex);
    // The undo keeps later changes. If the user discarded all changes in the meantime, the action is already restored.
    const isRemoved = (action: FormAction): boolean =>
      action === removed || (action.action_id !== undefined && action.action_id === removed.action_id);
    notices.showUndoable(t("actions.removed", { name }), () =>
      draft.changeActions((now) => (now.some(isRemoved) ? now : now.toSpliced(index, 0, removed))),
    );
  };
  return { actions, openIndex, setOpenIndex, set, move, add, remove };
}
