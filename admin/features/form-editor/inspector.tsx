/** Inspector of the selection: its members, each with its fault. */
import { lazy, memo, type ReactNode, Suspense, useState } from "react";
import { useLanguage, useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Select, Switch, TextField } from "../../ui/fields.tsx";
import type { Field, FieldMembers, Layout, Step } from "../../shared/draft/content.ts";
import {
  FIELD_TYPES,
  hasBounds,
  hasOptions,
  hasPattern,
  hasPlaceholder,
  takesAnswer,
  typeName,
} from "./model/field-types.ts";
import { parseOptions, optionsToText } from "./model/options.ts";
import { cycleOf, fieldNamesIn } from "../../shared/draft/references.ts";
import { isDeepEqual } from "../../shared/draft/deep-equal.ts";
import { stepsOf } from "../../shared/draft/tree.ts";
import { otherClasses, type Width, widthOf, WIDTHS, withWidth } from "./model/width.ts";
import { useAnswerCounts } from "./answer-counts.ts";
import { ChangedOptions } from "./stored-answers.tsx";
import type { Draft } from "../../shared/draft/draft.ts";
import { PluginPanels } from "./plugin-panels.tsx";
import { ThemePanel } from "./theme-panel.tsx";
import type { FieldActions } from "./use-field-actions.ts";
import { Loading } from "../../ui/states.tsx";

const Conditions = lazy(() => import("../../ui/conditions.tsx"));

export interface FieldInspectorProps {
  readonly field: Field;
  readonly editor: Draft;
  readonly onRenamed: (name: string) => void;
}

// Memoized, so that a change of the selection does not re-render it before its deferred update.
export const FieldInspector = memo(function FieldInspector({
  field,
  editor,
  onRenamed,
}: FieldInspectorProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const { fields } = editor.content.schema;
  const counts = useAnswerCounts(editor.form.id);
  const count = counts.get(field.name) ?? 0;
  const [name, setName] = useState(field.name);
  const [options, setOptions] = useState(() => ({ text: optionsToText(field.options), before: field.options }));
  const set = (change: FieldMembers) =>
    editor.run({ kind: "update", name: field.name, change }, `${field.name} ${Object.keys(change).join()}`);
  const { type, validation } = field;
  const published = editor.live.content.schema.fields.find(({ name }) => name === field.name)?.options ?? [];
  const isTextCurrent = isDeepEqual(parseOptions(options.text, options.before, published), field.options);
  const width = widthOf(field);
  const nameFault =
    name.trim() === ""
      ? t("build.nameMissing")
      : name !== field.name && fields.some((other) => other.name === name)
        ? t("build.nameTaken")
        : undefined;
  const rename = () => {
    if (nameFault !== undefined || name === field.name) return;
    editor.run({ kind: "update", name: field.name, change: { name } }, `rename ${field.name} ${name}`);
    onRenamed(name);
  };
  const bound = (key: "min" | "max") => (
    <TextField
      label={t(`build.${key}`)}
      type="number"
      value={String(validation[key] ?? "")}
      onChange={(text) => {
        const { [key]: _, ...rest } = validation;
        set({ validation: text === "" || Number.isNaN(Number(text)) ? rest : { ...rest, [key]: Number(text) } });
      }}
    />
  );
  const missing = fieldNamesIn(field.conditions).find((fieldName) => !fields.some((other) => other.name === fieldName));
  const cycle = field.conditions.length === 0 ? null : cycleOf(fields, field.name);
  return (
    <>
      <h2>{field.label || field.name}</h2>
      {type === "divider" ? null : (
        <TextField
          label={type === "paragraph" ? t("build.text") : t("build.label")}
          value={field.label}
          onChange={(label) => set({ label })}
          {...(type === "paragraph" ? { rows: 3 } : {})}
        />
      )}
      <Select
        label={t("build.type")}
        value={type}
        choices={FIELD_TYPES.map((choice) => ({ value: choice, label: typeName(choice, language) }))}
        onChange={(value) => set({ type: value as Field["type"] })}
      />
      {takesAnswer(type) ? (
        <Switch label={t("build.required")} value={field.required} onChange={(required) => set({ required })} />
      ) : null}
      {hasOptions(type) ? (
        <TextField
          label={t("build.options")}
          help={count > 0 ? t("build.optionsAnswers", { count }) : t("build.optionsHelp")}
          rows={5}
          value={isTextCurrent ? options.text : optionsToText(field.options)}
          onChange={(text) => {
            // Compares with the options before the first keystroke, not with a half-isTextCurrent label.
            const before = isTextCurrent ? options.before : field.options;
            setOptions({ text, before });
            set({ options: parseOptions(text, before, published) });
          }}
        />
      ) : null}
      {hasOptions(type) && count > 0 ? <ChangedOptions field={field} editor={editor} /> : null}
      {takesAnswer(type) ? (
        <TextField
          label={t("build.description")}
          value={field.description}
          onChange={(description) => set({ description })}
        />
      ) : null}
      {hasPlaceholder(type) ? (
        <TextField
          label={t("build.placeholder")}
          value={field.placeholder}
          onChange={(placeholder) => set({ placeholder })}
        />
      ) : null}
      {takesAnswer(type) && type !== "file" ? (
        <TextField
          label={t("build.default")}
          value={field.default_value}
          onChange={(default_value) => set({ default_value })}
        />
      ) : null}
      <Select
        label={t("build.width")}
        value={width}
        choices={WIDTHS.map((value) => ({ value, label: t(`build.width.${value === "" ? "full" : value}`) }))}
        onChange={(value) => set({ css_class: withWidth(field, value as Width) })}
      />
      <Suspense fallback={<Loading />}>
        <Conditions
          canHide
          title={t("build.shownWhen")}
          always={t("build.shownAlways")}
          conditions={field.conditions}
          fields={fields.filter((other) => other.name !== field.name && takesAnswer(other.type))}
          onChange={(conditions) => set({ conditions })}
        />
      </Suspense>
      {missing === undefined ? null : (
        <p className="fault" role="alert">
          {t("build.conditionMissing", { name: missing })}
        </p>
      )}
      {cycle === null ? null : (
        <p className="fault" role="alert">
          {t("build.conditionCycle", {
            names: [...cycle, ...cycle.slice(0, 1)]
              .map((fieldName) => fields.find(({ name }) => name === fieldName)?.label || fieldName)
              .join(" → "),
          })}
        </p>
      )}
      <PluginPanels field={field} onChange={(attributes) => set({ attributes })} />
      <details>
        <summary>{t("build.more")}</summary>
        <div className="stack">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              rename();
            }}
            onBlur={rename}
          >
            <TextField
              label={t("build.name")}
              value={name}
              onChange={setName}
              code
              fault={nameFault}
              help={count > 0 ? t("build.renameAnswers", { count }) : t("build.nameHelp")}
            />
          </form>
          {hasBounds(type) ? (
            <>
              {bound("min")}
              {bound("max")}
            </>
          ) : null}
          {hasPattern(type) ? (
            <TextField
              label={t("build.pattern")}
              code
              value={validation.pattern ?? ""}
              onChange={(pattern) => {
                const { pattern: _, ...rest } = validation;
                set({ validation: pattern === "" ? rest : { ...rest, pattern } });
              }}
            />
          ) : null}
          <TextField
            label={t("build.classes")}
            code
            value={otherClasses(field)}
            onChange={(text) => set({ css_class: [width, text].filter((part) => part !== "").join(" ") })}
          />
          <Attributes field={field} onChange={(attributes) => set({ attributes })} />
        </div>
      </details>
    </>
  );
});

/** Further HTML attributes, one per line. */
function Attributes({
  field,
  onChange,
}: {
  readonly field: Field;
  readonly onChange: (attributes: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const t = useText();
  const written = Object.entries(field.attributes)
    .map(([key, value]) => `${key}=${value}`)
    .join("\n");
  const [typed, setTyped] = useState(written);
  const read = (next: string) =>
    Object.fromEntries(
      next
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => {
          const at = line.indexOf("=");
          return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1)];
        }),
    );
  const text = isDeepEqual(read(typed), field.attributes) ? typed : written;
  const change = (next: string) => {
    setTyped(next);
    onChange(read(next));
  };
  return (
    <TextField
      label={t("build.attributes")}
      help={t("build.attributesHelp")}
      code
      rows={3}
      value={text}
      onChange={change}
    />
  );
}

/** Inspector of several selected fields: their common settings. */
export function MultiFieldInspector({
  names,
  actions,
  editor,
}: {
  readonly names: readonly string[];
  readonly actions: FieldActions;
  readonly editor: Draft;
}): ReactNode {
  const t = useText();
  const chosen = editor.content.schema.fields.filter(({ name }) => names.includes(name));
  const widths = new Set(chosen.map(widthOf));
  const [width = ""] = widths.size === 1 ? widths : [];
  return (
    <>
      <h2>{t("build.several", { count: names.length })}</h2>
      <ul className="bullets">
        {chosen.slice(0, 8).map(({ name, label }) => (
          <li key={name}>{label || name}</li>
        ))}
      </ul>
      <Select
        label={t("build.width")}
        value={width}
        choices={WIDTHS.map((value) => ({ value, label: t(`build.width.${value === "" ? "full" : value}`) }))}
        onChange={(value) => actions.setWidth(names, value as Width)}
      />
      <p className="help">{t("build.severalHelp")}</p>
    </>
  );
}

export function StepInspector({ step, editor }: { readonly step: Step; readonly editor: Draft }): ReactNode {
  const t = useText();
  return (
    <>
      <h2>{step.title || step.id}</h2>
      <TextField
        label={t("build.stepTitle")}
        value={step.title ?? ""}
        onChange={(title) => editor.run({ kind: "update_step", id: step.id, title }, `step ${step.id}`)}
      />
      {stepsOf(editor.content.schema).length < 2 ? null : (
        <Button look="danger" onPress={() => editor.run({ kind: "remove_step", id: step.id })}>
          {t("build.removeStep")}
        </Button>
      )}
    </>
  );
}

const LAYOUTS = ["single", "multi-step", "conversational"] as const;
/** Inspector of the form: title, layout, steps, theme. */
export function FormInspector({
  editor,
  onStep,
}: {
  readonly editor: Draft;
  readonly onStep: (id: string) => void;
}): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const { content } = editor;
  const { layout } = content.schema;
  const addStep = () => {
    const ids = new Set(stepsOf(content.schema).map(({ id }) => id));
    let number = ids.size + 1;
    while (ids.has(`step-${number}`)) number += 1;
    editor.run({ kind: "add_step", id: `step-${number}`, title: t("build.stepNumber", { number }) });
    onStep(`step-${number}`);
  };
  return (
    <>
      <h2>{t("build.form")}</h2>
      <TextField
        label={t("build.title")}
        value={content.title}
        onChange={(title) => editor.run({ kind: "title", title }, "title")}
      />
      <Select
        label={t("build.layout")}
        value={layout.type}
        choices={LAYOUTS.map((value) => ({ value, label: textOf("build.layout", value) }))}
        onChange={(type) => editor.run({ kind: "layout", type: type as Layout["type"] })}
      />
      {layout.type === "multi-step" ? (
        <Button icon="plus" onPress={addStep}>
          {t("build.addStep")}
        </Button>
      ) : null}
      <ThemePanel editor={editor} />
    </>
  );
}
