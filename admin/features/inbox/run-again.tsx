/** Dialog that selects actions to run again, and shows their content. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { FormAction, Submission } from "../../../client/index.ts";
import { useActionName } from "../../shared/action-name.ts";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useActionTypes, useChange } from "../../shared/api/queries.ts";
import { formActionsQuery } from "../../shared/api/resources.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Loaded } from "../../ui/states.tsx";
import { answerText } from "./answers.ts";

export interface RunAgainProps {
  readonly submission: Submission;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

export function RunAgain({ submission, onClose, onStarted }: RunAgainProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery({ ...formActionsQuery(useClient(), submission.form_id), staleTime: 0 });
  const actions = (query.data ?? []).filter(({ action_enabled: isOn = true }) => isOn);
  const chosen = actions.map(idOf).filter((id) => id !== "" && !left.has(id));
  const run = useChange((client) => client.resendActions({ id: submission.id, body: { action_ids: chosen } }), {
    stale: [keys.timelineOf(submission.id), keys.queue],
    then() {
      onStarted();
      onClose();
      notices.show(t("detail.resent"));
    },
  });
  return (
    <Dialog
      title={t("inbox.runAgainTitle")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t("common.cancel")}
          </Button>
          <Button
            look="primary"
            isDisabled={chosen.length === 0}
            isPending={run.isPending}
            onPress={() => run.mutate(undefined)}
          >
            {t("triage.run", { count: chosen.length })}
          </Button>
        </>
      }
    >
      <p>{t("inbox.runAgainText")}</p>
      <Loaded query={query}>
        {() =>
          actions.length === 0 ? (
            <p className="muted">{t("triage.noActions")}</p>
          ) : (
            <ul className="stack close">
              {actions.map((action) => (
                <ActionChoice
                  key={idOf(action)}
                  action={action}
                  submission={submission}
                  isChosen={!left.has(idOf(action))}
                  onChange={(isChosen) => setLeft((before) => withMember(before, idOf(action), !isChosen))}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** Returns a set with a member added or removed. */
function withMember(before: ReadonlySet<string>, member: string, isIn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (isIn) after.add(member);
  else after.delete(member);
  return after;
}

const idOf = ({ action_id: id = "" }: FormAction) => id;

/** Checkbox of an action, with the settings of its recipient and content. */
function ActionChoice({
  action,
  submission,
  isChosen,
  onChange,
}: {
  readonly action: FormAction;
  readonly submission: Submission;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}): ReactNode {
  const typeName = useActionName();
  const { data: types = [] } = useActionTypes();
  const settings = types.find(({ type }) => type === action.type)?.settings ?? [];
  const details = SHOWN_SETTINGS.flatMap((key) => {
    const value = withAnswers(answerText(action[key]), submission);
    return value === "" ? [] : [[settings.find((setting) => setting.key === key)?.label ?? key, value] as const];
  });
  return (
    <li>
      <Checkbox label={typeName(action.type, action.action_name)} value={isChosen} onChange={onChange} />
      {details.map(([label, value]) => (
        <span key={label} className="help indented answer">
          {label}: {value}
        </span>
      ))}
    </li>
  );
}

/** Settings of actions that define recipient and content. */
const SHOWN_SETTINGS = ["to", "subject", "url", "channel", "list_id"] as const;
const MAX_SHOWN_LENGTH = 200;

/** Replaces the names of fields in brackets by their answers, if they have one. */
function withAnswers(text: string, { data, labels }: Submission): string {
  const filled = text.replaceAll(/\[\s*([\w.-]+)\s*\]/g, (whole, name: string) =>
    Object.hasOwn(data, name) ? (labels[name] ?? answerText(data[name])) : whole,
  );
  return filled.slice(0, MAX_SHOWN_LENGTH);
}
