/** Card of one action: name, settings, conditions, test run. */
import { type ReactNode, useId } from "react";
import type { ActionType, Field, FormSchema, FormAction } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Switch, TextField } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Badge } from "../../ui/page.tsx";
import { MAIL_ACTIONS } from "../../shared/mail-actions.ts";
import { useActionNeeds } from "../../shared/missing-settings.ts";
import { actionIcon } from "./action-groups.ts";
import { ActionSettings } from "./action-settings.tsx";
import { ActionTest } from "./action-test.tsx";
import Conditions from "../../ui/conditions.tsx";

export interface ActionCardProps {
  readonly action: FormAction;
  /** Whether the engine supports names and switches of actions. */
  readonly hasName: boolean;
  readonly index: number;
  readonly count: number;
  readonly formId: number;
  readonly fields: readonly Field[];
  /** Schema of the draft, with which tests of the action run. */
  readonly schema: FormSchema;
  /** Type of the action; absent while its plugin is inactive. */
  readonly actionType?: ActionType;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (action: FormAction) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: (name: string) => void;
}

export function ActionCard(props: ActionCardProps): ReactNode {
  const { action, actionType, isOpen } = props;
  const body = useId();
  const needs = useActionNeeds()(action, actionType);
  const isOn = action.action_enabled !== false && needs === null;
  return (
    <li className="card action">
      <ActionHead {...props} isOn={isOn} body={body} />
      {needs === null || isOpen ? null : <p className="action-needs">{needs}</p>}
      {isOpen ? (
        <div id={body} className="stack">
          <ActionBody {...props} isOn={isOn} needs={needs} />
        </div>
      ) : null}
    </li>
  );
}

/** The label of an action's type, else its id. */
const labelOf = ({ action, actionType }: Pick<ActionCardProps, "action" | "actionType">): string =>
  actionType?.label ?? action.type;

interface ActionHeadProps extends ActionCardProps {
  readonly isOn: boolean;
  /** The id of the body that the name opens. */
  readonly body: string;
}

/** Name of an action, which opens its body, and the buttons that move and remove the action. */
function ActionHead(props: ActionHeadProps): ReactNode {
  const { action, actionType, index, count, isOpen, isOn, body, onOpen, onMove, onRemove } = props;
  const t = useText();
  const label = labelOf(props);
  const name = action.action_name === undefined || action.action_name === "" ? label : action.action_name;
  return (
    <div className="row apart">
      <h2>
        <button
          type="button"
          className="disclose"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => onOpen(!isOpen)}
        >
          <Icon name="chevron" />
          <Icon name={actionIcon(action.type)} />
          <span>
            {name}
            {isOpen ? null : <span className="action-summary muted">{summaryOf(action, actionType)}</span>}
          </span>
        </button>
      </h2>
      <div className="row nowrap">
        {name === label || isOpen ? null : <span className="muted wide-only">{label}</span>}
        {actionType === undefined ? <Badge tone="bad">{t("actions.unknown")}</Badge> : null}
        {isOn ? null : <Badge>{t("actions.off")}</Badge>}
        <IconButton icon="up" label={t("actions.up", { name })} isDisabled={index === 0} onPress={() => onMove(-1)} />
        <IconButton
          icon="down"
          label={t("actions.down", { name })}
          isDisabled={index === count - 1}
          onPress={() => onMove(1)}
        />
        <IconButton icon="trash" label={t("actions.remove", { name })} onPress={() => onRemove(name)} />
      </div>
    </div>
  );
}

interface ActionBodyProps extends ActionCardProps {
  readonly isOn: boolean;
  /** The missing settings of the action, as a sentence; null without any. */
  readonly needs: string | null;
}

/** Name and switch of an action, its settings and conditions, and its test run. Mails are tested in their settings. */
function ActionBody(props: ActionBodyProps): ReactNode {
  const { action, hasName, index, formId, fields, schema, actionType, isOn, needs, onChange } = props;
  const t = useText();
  const set = (key: string, value: unknown) => onChange({ ...action, [key]: value });
  return (
    <>
      {!hasName ? null : (
        <div className="columns">
          <TextField
            label={t("actions.name")}
            value={String(action.action_name ?? "")}
            placeholder={labelOf(props)}
            onChange={(value) => set("action_name", value)}
          />
          <Switch
            label={t("actions.enabled")}
            value={isOn}
            isDisabled={needs !== null}
            onChange={(value) => set("action_enabled", value)}
            help={needs ?? t("actions.enabledHelp")}
          />
        </div>
      )}
      <ActionSettings
        action={action}
        index={index}
        formId={formId}
        fields={fields}
        schema={schema}
        onChange={onChange}
        {...(actionType === undefined ? {} : { actionType })}
      />
      <Conditions
        conditions={action.conditions ?? []}
        fields={fields}
        onChange={(conditions) => set("conditions", conditions)}
      />
      {MAIL_ACTIONS.has(action.type) ? null : (
        <ActionTest action={action} formId={formId} fields={fields} schema={schema} />
      )}
    </>
  );
}

/** Summarizes an action by its first required setting that is not a secret. */
function summaryOf(action: FormAction, actionType: ActionType | undefined): string {
  const setting = actionType?.settings.find(
    ({ key, required, secret }) => required && !secret && typeof action[key] === "string" && action[key] !== "",
  );
  return setting === undefined ? "" : String(action[setting.key]);
}
