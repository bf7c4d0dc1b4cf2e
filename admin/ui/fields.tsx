/** Form controls with their label, help and error. */
import { type ReactNode, useId } from "react";
import { Button } from "react-aria-components/Button";
import { Checkbox as AriaCheckbox } from "react-aria-components/Checkbox";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { SearchField as AriaSearchField } from "react-aria-components/SearchField";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { Switch as AriaSwitch } from "react-aria-components/Switch";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import { useText } from "../shared/text/text.tsx";
import { Icon } from "./icons.tsx";

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: ReactNode;
  readonly fault?: string | undefined;
  readonly type?: "text" | "email" | "url" | "password" | "number" | "date" | "time" | "datetime-local" | "search";
  readonly inputMode?: "numeric" | "decimal" | "url";
  /** Text after the input, such as "characters". */
  readonly unit?: string;
  /** Number of lines; makes the input a textarea. */
  readonly rows?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly name?: string;
  readonly code?: boolean;
  readonly hideLabel?: boolean;
}

export function TextField({
  label,
  value,
  onChange,
  help,
  fault,
  type = "text",
  inputMode,
  unit,
  rows,
  placeholder,
  required = false,
  readOnly = false,
  autoFocus = false,
  autoComplete = "off",
  name,
  code = false,
  hideLabel = false,
}: TextFieldProps): ReactNode {
  const input = {
    className: code ? "input code" : "input",
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(code ? { spellCheck: false } : {}),
    ...(inputMode === undefined ? {} : { inputMode }),
  };
  return (
    <AriaTextField
      className="field"
      value={value}
      onChange={onChange}
      type={type}
      isRequired={required}
      isReadOnly={readOnly}
      autoFocus={autoFocus}
      autoComplete={autoComplete}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
      {...(name === undefined ? {} : { name })}
      {...(hideLabel ? { "aria-label": label } : {})}
    >
      {hideLabel ? null : <FieldLabel label={label} isRequired={required} />}
      {rows === undefined ? <Input {...input} /> : <TextArea {...input} rows={rows} />}
      {help === undefined && unit === undefined ? null : (
        <Text slot="description" className="help">
          {unit}
          {help}
        </Text>
      )}
      {fault === undefined ? null : <FieldError className="fault">{fault}</FieldError>}
    </AriaTextField>
  );
}

/** Label of a field, with the mark of required ones. */
export function FieldLabel({ label, isRequired }: { readonly label: string; readonly isRequired: boolean }): ReactNode {
  return (
    <Label className="label">
      {label}
      {isRequired ? (
        <span className="required" aria-hidden="true">
          {" "}
          *
        </span>
      ) : null}
    </Label>
  );
}

export interface NumberFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "type" | "rows"> {
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** Input for a non-negative integer; empty is 0. */
export function NumberField({ value, onChange, ...rest }: NumberFieldProps): ReactNode {
  const change = (text: string) => onChange(Math.max(0, Math.trunc(Number(text) || 0)));
  return <TextField {...rest} type="number" value={value === 0 ? "" : String(value)} onChange={change} />;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
  readonly help?: ReactNode;
  readonly fault?: string | undefined;
  readonly required?: boolean;
  readonly hideLabel?: boolean;
  /** Text while no choice is selected. */
  readonly placeholder?: string;
}

export function Select({
  label,
  value,
  choices,
  onChange,
  help,
  fault,
  required = false,
  hideLabel = false,
  placeholder,
}: SelectProps): ReactNode {
  return (
    <AriaSelect
      className="field select"
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isRequired={required}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(hideLabel ? { "aria-label": label } : {})}
    >
      {hideLabel ? null : <FieldLabel label={label} isRequired={required} />}
      <Button className="input select-button">
        <SelectValue className="select-value" />
        <Icon name="chevron" />
      </Button>
      {help === undefined ? null : (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      {fault === undefined ? null : <FieldError className="fault">{fault}</FieldError>}
      <Popover className="popover">
        <ListBox className="list-box" items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.value} className="option" textValue={choice.label}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export interface MultiSelectProps extends Omit<SelectProps, "value" | "onChange"> {
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Select of several choices. */
export function MultiSelect({ label, values, choices, onChange, help, placeholder }: MultiSelectProps): ReactNode {
  return (
    <AriaSelect
      className="field select"
      selectionMode="multiple"
      value={values}
      onChange={(keys) => onChange(keys.map(String))}
      {...(placeholder === undefined ? {} : { placeholder })}
    >
      <Label className="label">{label}</Label>
      <Button className="input select-button">
        <SelectValue className="select-value" />
        <Icon name="chevron" />
      </Button>
      {help === undefined ? null : (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="list-box" items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.value} className="option" textValue={choice.label}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export interface SwitchProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly help?: string;
  readonly isDisabled?: boolean;
}

export function Switch({ label, value, onChange, help, isDisabled = false }: SwitchProps): ReactNode {
  const helpId = useId();
  return (
    <div className="field">
      <AriaSwitch
        className="switch"
        isSelected={value}
        onChange={onChange}
        isDisabled={isDisabled}
        {...(help === undefined ? {} : { "aria-describedby": helpId })}
      >
        <span className="track">
          <span className="thumb" />
        </span>
        <span>{label}</span>
      </AriaSwitch>
      {help === undefined ? null : (
        <span id={helpId} className="help indented">
          {help}
        </span>
      )}
    </div>
  );
}

export interface CheckboxProps {
  readonly label: ReactNode;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function Checkbox({ label, value, onChange }: CheckboxProps): ReactNode {
  return (
    <AriaCheckbox className="checkbox" isSelected={value} onChange={onChange}>
      <span className="box">
        <Icon name="check" />
      </span>
      <span>{label}</span>
    </AriaCheckbox>
  );
}

export interface SearchFieldProps {
  readonly label: string;
  /** Absent within an `Autocomplete`, which keeps the value. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly autoFocus?: boolean;
}

export function SearchField({ label, value, onChange, autoFocus = false }: SearchFieldProps): ReactNode {
  const t = useText();
  return (
    <AriaSearchField
      className="search-field"
      aria-label={label}
      autoFocus={autoFocus}
      {...(value === undefined ? {} : { value })}
      {...(onChange === undefined ? {} : { onChange })}
    >
      <Icon name="search" />
      <Input className="input" placeholder={label} data-search-field />
      <Button className="clear" aria-label={t("common.clear")}>
        <Icon name="close" />
      </Button>
    </AriaSearchField>
  );
}
