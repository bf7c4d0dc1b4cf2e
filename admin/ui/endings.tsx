/** Editor of conditional endings, and of the button of an ending (docs/theming.md). */
import type { ReactNode } from "react";
import type { Ending, EndingButton as Button, Field } from "../../client/index.ts";
import { useText } from "../shared/text/text.tsx";
import { Button as PressButton, IconButton } from "./button.tsx";
import Conditions from "./conditions.tsx";
import { AnswerTextField } from "./answer-text-field.tsx";
import { TextField } from "./fields.tsx";

/** The engine's limit. */
const MAX_ENDINGS = 20;

interface EndingButtonProps {
  readonly value: unknown;
  readonly onChange: (button: Button) => void;
}

export function EndingButton({ value, onChange }: EndingButtonProps): ReactNode {
  const t = useText();
  const button = (value ?? {}) as Button;
  return (
    <fieldset className="conditions">
      <legend>{t("settings.success_button")}</legend>
      <TextField
        label={t("endings.buttonLabel")}
        value={button.label ?? ""}
        onChange={(label) => onChange({ ...button, label })}
      />
      <TextField
        label={t("endings.buttonUrl")}
        help={t("settings.success_button.help")}
        value={button.url ?? ""}
        onChange={(url) => onChange({ ...button, url })}
      />
    </fieldset>
  );
}

interface EndingsProps {
  readonly value: unknown;
  readonly fields: readonly Field[];
  readonly onChange: (endings: readonly Ending[]) => void;
}

export function Endings({ value, fields, onChange }: EndingsProps): ReactNode {
  const t = useText();
  const endings = Array.isArray(value) ? (value as readonly Ending[]) : [];
  const move = (index: number, by: number) => {
    const next = [...endings];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    onChange(next);
  };
  return (
    <fieldset className="conditions">
      <legend>{t("settings.endings")}</legend>
      <p className="help">{t("settings.endings.help")}</p>
      {endings.map((ending, index) => (
        <EndingFields
          // biome-ignore lint/suspicious/noArrayIndexKey: an ending has no id, and its fields keep no state.
          key={index}
          ending={ending}
          number={index + 1}
          count={endings.length}
          fields={fields}
          onChange={(changed) => onChange(endings.with(index, changed))}
          onMove={(by) => move(index, by)}
          onRemove={() => onChange(endings.toSpliced(index, 1))}
        />
      ))}
      {endings.length < MAX_ENDINGS ? (
        <PressButton icon="plus" onPress={() => onChange([...endings, { conditions: [] }])}>
          {t("endings.add")}
        </PressButton>
      ) : null}
    </fieldset>
  );
}

interface EndingFieldsProps {
  readonly ending: Ending;
  /** Position in the list, from 1. */
  readonly number: number;
  readonly count: number;
  readonly fields: readonly Field[];
  readonly onChange: (ending: Ending) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

function EndingFields({ ending, number, count, fields, onChange, onMove, onRemove }: EndingFieldsProps): ReactNode {
  const t = useText();
  const set = (changed: Partial<Ending>) => onChange({ ...ending, ...changed });
  return (
    <fieldset className="conditions">
      <legend>{t("endings.number", { number })}</legend>
      <div className="row">
        {number > 1 ? <IconButton icon="up" label={t("endings.up", { number })} onPress={() => onMove(-1)} /> : null}
        {number < count ? (
          <IconButton icon="down" label={t("endings.down", { number })} onPress={() => onMove(1)} />
        ) : null}
        <IconButton icon="trash" label={t("endings.remove", { number })} onPress={onRemove} />
      </div>
      <Conditions
        conditions={ending.conditions ?? []}
        fields={fields}
        title={t("endings.conditions")}
        always={t("endings.always")}
        onChange={(conditions) => set({ conditions })}
      />
      <AnswerTextField
        fields={fields}
        label={t("endings.title")}
        value={ending.title ?? ""}
        onChange={(title) => set({ title })}
      />
      <AnswerTextField
        fields={fields}
        label={t("endings.text")}
        rows={3}
        value={ending.text ?? ""}
        onChange={(text) => set({ text })}
      />
      <AnswerTextField
        fields={fields}
        label={t("endings.redirect")}
        help={t("settings.redirect_url.help")}
        value={ending.redirect_url ?? ""}
        onChange={(redirect_url) => set({ redirect_url })}
      />
      <EndingButton value={ending.button} onChange={(button) => set({ button })} />
    </fieldset>
  );
}
