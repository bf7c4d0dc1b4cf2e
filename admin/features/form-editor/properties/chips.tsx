/** Rows of chips, with a single or a multiple choice. */
import { type ReactNode, useId } from "react";
import type { Choice } from "../../../ui/fields.tsx";

export interface ChipsProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly choices: readonly (Choice & { /** Accessible name, if the text is a sign. */ readonly name?: string })[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shows the chips as one bar of equal parts. */
  readonly isBar?: boolean;
}

export function Chips({ label, hideLabel = false, choices, value, onChange, isBar = false }: ChipsProps): ReactNode {
  const name = useId();
  return (
    <fieldset className={isBar ? "chips bar" : "chips"}>
      <legend className={hideLabel ? "visually-hidden" : "label"}>{label}</legend>
      <div className="chip-row">
        {choices.map((choice) => (
          <label key={choice.value} className="chip" title={choice.name}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              aria-label={choice.name}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export interface MultiChipsProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly choices: readonly Choice[];
  readonly values: readonly string[];
  readonly onChange: (value: string, isOn: boolean) => void;
}

export function MultiChips({ label, help, choices, values, onChange }: MultiChipsProps): ReactNode {
  const id = useId();
  return (
    <fieldset className="chips" aria-describedby={help === undefined ? undefined : id}>
      <legend className="label">{label}</legend>
      <div className="chip-row">
        {choices.map((choice) => (
          <label key={choice.value} className="chip">
            <input
              type="checkbox"
              checked={values.includes(choice.value)}
              onChange={({ target }) => onChange(choice.value, target.checked)}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {help === undefined ? null : (
        <p id={id} className="help">
          {help}
        </p>
      )}
    </fieldset>
  );
}
