/** Editor of conditions as sentences. Conditions nested deeper than two levels are edited as JSON. */
import { type ReactNode, useState } from "react";
import type { Condition, Field } from "../../client/index.ts";
import { hasChoices } from "../shared/field-facts.ts";
import { labelOf, labelOfName } from "../shared/field-label.ts";
import { useText, useTextOf } from "../shared/text/text.tsx";
import { Button, IconButton } from "./button.tsx";
import { Select, TextField } from "./fields.tsx";
import {
  conditionsOf,
  firstRule,
  type Group,
  type Match,
  operatorsFor,
  type Rule,
  type Sentence,
  sentenceOf,
  takesList,
  takesValue,
} from "./condition-tree.ts";

type ConditionField = Pick<Field, "name" | "type" | "label" | "options">;

export interface ConditionsProps {
  readonly conditions: readonly Condition[];
  readonly fields: readonly ConditionField[];
  readonly onChange: (conditions: readonly Condition[]) => void;
  /** Legend of the editor. */
  readonly title?: string;
  /** Text shown when there are no conditions. */
  readonly always?: string;
  /** Whether the conditions can also hide something, as the conditions of a field can. */
  readonly canHide?: boolean;
}

const MATCHES = ["all", "any"] as const;

export default function Conditions({
  conditions,
  fields,
  onChange,
  title,
  always,
  canHide = false,
}: ConditionsProps): ReactNode {
  const t = useText();
  const [isCode, setIsCode] = useState(false);
  const sentence = sentenceOf(conditions);
  return (
    <fieldset className="conditions">
      <legend>{title ?? t("conditions.title")}</legend>
      {conditions.length === 0 ? <p className="help">{always ?? t("conditions.always")}</p> : null}
      {sentence === null || isCode ? (
        <Code conditions={conditions} onChange={onChange} />
      ) : (
        <Sentences
          sentence={sentence}
          fields={fields}
          canHide={canHide}
          onChange={(next) => onChange(conditionsOf(next))}
        />
      )}
      {sentence === null ? (
        <p className="help">{t("conditions.deep")}</p>
      ) : conditions.length === 0 ? null : (
        <Button look="quiet" onPress={() => setIsCode(!isCode)} aria-pressed={isCode}>
          {t("conditions.code")}
        </Button>
      )}
    </fieldset>
  );
}

interface SentencesProps {
  readonly sentence: Sentence;
  readonly fields: readonly ConditionField[];
  readonly canHide: boolean;
  readonly onChange: (sentence: Sentence) => void;
}

function Sentences({ sentence, fields, canHide, onChange }: SentencesProps): ReactNode {
  const t = useText();
  const { match, items } = sentence;
  const [first] = fields;
  const set = (index: number, item: Rule | Group | null) =>
    onChange({ ...sentence, items: items.flatMap((old, at) => (at !== index ? [old] : item === null ? [] : [item])) });
  const add = (item: Rule | Group) => onChange({ ...sentence, items: [...items, item] });
  return (
    <>
      {items.length === 0 ? null : <Head sentence={sentence} canHide={canHide} onChange={onChange} />}
      {items.map((item, index) =>
        "field" in item ? (
          <RuleRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no id, and its controls keep no state.
            key={index}
            rule={item}
            fields={fields}
            onChange={(rule) => set(index, rule)}
          />
        ) : (
          <GroupRows
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no id, and its controls keep no state.
            key={index}
            group={item}
            fields={fields}
            onChange={(group) => set(index, group)}
          />
        ),
      )}
      {first === undefined ? null : (
        <div className="row">
          <Button look="quiet" icon="plus" onPress={() => add(firstRule(first))}>
            {t("conditions.add")}
          </Button>
          {items.length === 0 ? null : (
            <Button
              look="quiet"
              icon="plus"
              onPress={() => add({ match: match === "all" ? "any" : "all", rules: [firstRule(first)] })}
            >
              {t("conditions.addGroup")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Selects for the effect of the conditions, and for whether all or any must hold. */
function Head({ sentence, canHide, onChange }: Omit<SentencesProps, "fields">): ReactNode {
  const t = useText();
  const { action, match, items } = sentence;
  return (
    <div className="condition-head">
      {canHide ? (
        <Select
          label={t("conditions.action")}
          hideLabel
          value={action}
          choices={[
            { value: "show", label: t("conditions.show") },
            { value: "hide", label: t("conditions.hide") },
          ]}
          onChange={(value) => onChange({ ...sentence, action: value === "hide" ? "hide" : "show" })}
        />
      ) : null}
      {items.length < 2 ? null : (
        <MatchSelect match={match} onChange={(next) => onChange({ ...sentence, match: next })} />
      )}
    </div>
  );
}

/** The rules of a group, of which all or any must hold. A group without rules is removed. */
function GroupRows({
  group,
  fields,
  onChange,
}: {
  readonly group: Group;
  readonly fields: readonly ConditionField[];
  readonly onChange: (group: Group | null) => void;
}): ReactNode {
  const t = useText();
  const [first] = fields;
  return (
    <fieldset className="condition-group">
      <legend>{t("conditions.group")}</legend>
      <MatchSelect match={group.match} onChange={(next) => onChange({ ...group, match: next })} />
      {group.rules.map((rule, ruleIndex) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no id, and its controls keep no state.
          key={ruleIndex}
          rule={rule}
          fields={fields}
          onChange={(next) => {
            const rules = group.rules.flatMap((old, oldIndex) =>
              oldIndex !== ruleIndex ? [old] : next === null ? [] : [next],
            );
            onChange(rules.length === 0 ? null : { ...group, rules });
          }}
        />
      ))}
      {first === undefined ? null : (
        <Button
          look="quiet"
          icon="plus"
          onPress={() => onChange({ ...group, rules: [...group.rules, firstRule(first)] })}
        >
          {t("conditions.addToGroup")}
        </Button>
      )}
    </fieldset>
  );
}

function MatchSelect({
  match,
  onChange,
}: {
  readonly match: Match;
  readonly onChange: (match: Match) => void;
}): ReactNode {
  const t = useText();
  return (
    <Select
      label={t("conditions.match")}
      hideLabel
      value={match}
      choices={MATCHES.map((value) => ({ value, label: t(`conditions.match.${value}`) }))}
      onChange={(value) => onChange(value === "any" ? "any" : "all")}
    />
  );
}

function RuleRow({
  rule,
  fields,
  onChange,
}: {
  readonly rule: Rule;
  readonly fields: readonly ConditionField[];
  readonly onChange: (rule: Rule | null) => void;
}): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const field = fields.find(({ name }) => name === rule.field);
  const choices = fields.map((known) => ({ value: known.name, label: labelOf(known) }));
  const known = field === undefined ? [...choices, { value: rule.field, label: labelOfName([], rule.field) }] : choices;
  const setOperator = (value: string) => {
    const { value: old, ...rest } = rule;
    const operator = value as Rule["operator"];
    const next = takesList(operator)
      ? Array.isArray(old)
        ? old
        : old === undefined || old === ""
          ? []
          : [String(old)]
      : Array.isArray(old)
        ? String(old[0] ?? "")
        : (old ?? "");
    onChange(takesValue(operator) ? { ...rest, operator, value: next } : { ...rest, operator });
  };
  const setField = (name: string) => {
    const chosen = fields.find((field) => field.name === name);
    if (chosen !== undefined)
      onChange({ ...firstRule(chosen), ...(rule.action === undefined ? {} : { action: rule.action }) });
  };
  return (
    <div className="condition">
      <Select label={t("conditions.field")} value={rule.field} choices={known} onChange={setField} />
      <Select
        label={t("conditions.operator")}
        value={rule.operator}
        choices={operatorsFor(field?.type, rule.operator).map((value) => ({ value, label: textOf("operator", value) }))}
        onChange={setOperator}
      />
      {takesValue(rule.operator) ? (
        <RuleValue rule={rule} field={field} onChange={(value) => onChange({ ...rule, value })} />
      ) : null}
      <IconButton icon="trash" label={t("conditions.remove")} onPress={() => onChange(null)} />
    </div>
  );
}

function RuleValue({
  rule,
  field,
  onChange,
}: {
  readonly rule: Rule;
  readonly field: ConditionField | undefined;
  readonly onChange: (value: unknown) => void;
}): ReactNode {
  const t = useText();
  if (takesList(rule.operator)) {
    const list = Array.isArray(rule.value) ? rule.value.map(String) : [];
    return (
      <TextField
        label={t("conditions.values")}
        rows={3}
        value={list.join("\n")}
        onChange={(text) => onChange(text === "" ? [] : text.split("\n"))}
      />
    );
  }
  const value = String(rule.value ?? "");
  const options = field?.options ?? [];
  const isChosen = options.length > 0 && field !== undefined && hasChoices(field.type);
  if (!isChosen)
    return (
      <TextField
        label={t("conditions.value")}
        value={value}
        type={field?.type === "date" ? "date" : "text"}
        onChange={onChange}
      />
    );
  const choices = options.map((option) => ({ value: option.value, label: option.label || option.value }));
  return (
    <Select
      label={t("conditions.value")}
      value={value}
      choices={
        options.some((option) => option.value === value)
          ? choices
          : [...choices, { value, label: value || t("conditions.noValue") }]
      }
      onChange={onChange}
    />
  );
}

/** Editor of the conditions as JSON. Invalid JSON shows an error and stays as typed. */
function Code({
  conditions,
  onChange,
}: {
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}): ReactNode {
  const t = useText();
  const [typed, setTyped] = useState(() => JSON.stringify(conditions, null, 2));
  const read = readConditions(typed);
  const isWrong = read === null;
  // After an undo elsewhere, the current conditions replace the typed ones.
  const text =
    isWrong || JSON.stringify(read) === JSON.stringify(conditions) ? typed : JSON.stringify(conditions, null, 2);
  const change = (next: string) => {
    setTyped(next);
    const conditions = readConditions(next);
    if (conditions !== null) onChange(conditions);
  };
  return (
    <TextField
      label={t("conditions.codeLabel")}
      code
      rows={8}
      value={text}
      onChange={change}
      fault={isWrong ? t("conditions.codeWrong") : undefined}
    />
  );
}

function readConditions(text: string): readonly Condition[] | null {
  const isCondition = (value: unknown): value is Condition => {
    if (typeof value !== "object" || value === null) return false;
    if ("field" in value)
      return typeof value.field === "string" && "operator" in value && typeof value.operator === "string";
    const inner = "any" in value ? value.any : "all" in value ? value.all : null;
    return Array.isArray(inner) && inner.every(isCondition);
  };
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.every(isCondition) ? read : null;
  } catch {
    return null;
  }
}
