/** Control of one property, chosen by its kind. Large controls of few types are loaded on demand. */
import { lazy, type ReactNode } from "react";
import type { Field, FieldMembers } from "../../../shared/draft/content.ts";
import type { Draft } from "../../../shared/draft/draft.ts";
import { useLanguage, useText } from "../../../shared/text/text.tsx";
import { type Choice, Select, Switch, TextField } from "../../../ui/fields.tsx";
import { Chips } from "./chips.tsx";
import { ChosenOptionsControl } from "./chosen-options-control.tsx";
import { ColorControl } from "./color-control.tsx";
import { OtherControl } from "./other-control.tsx";
import { PartsControl } from "./parts-control.tsx";
import { PatternControl } from "./pattern-control.tsx";
import { ReplyControl } from "./reply-control.tsx";
import { MomentControl } from "./moment-control.tsx";
import type { FieldProperty, NumberProperty, Property, PropertyChoice } from "./property.ts";
import { WeightsControl } from "./weights-control.tsx";
import { formatNumber, parseNumber, useInput } from "./use-input.ts";

const BytesControl = lazy(() => import("./bytes-control.tsx"));
const ColumnsControl = lazy(() => import("./columns-control.tsx"));
const FileTypesControl = lazy(() => import("./file-types-control.tsx"));
const LinkTextControl = lazy(() => import("./link-text-control.tsx"));
const OptionsControl = lazy(() => import("./options-control.tsx"));

export interface ControlProps<Kind extends Property = FieldProperty> {
  readonly property: Kind;
  readonly field: Field;
  readonly editor: Draft;
  /** Key of the control, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly fault?: string;
  /** Changes the field. Successive changes with one merge key are one undo step; null starts a new step. */
  readonly onChange: (change: FieldMembers, mergeKey?: string | null) => void;
}

export function PropertyControl(props: ControlProps<Property>): ReactNode {
  const { property, field, onChange, label, help, fault } = props;
  const t = useText();
  const texts = { label, ...(help === undefined ? {} : { help }) };
  switch (property.control) {
    case "text":
      return (
        <TextField
          {...texts}
          fault={fault}
          value={property.read(field)}
          {...(property.rows === undefined ? {} : { rows: property.rows })}
          {...(property.placeholder === undefined ? {} : { placeholder: t(property.placeholder) })}
          onChange={(value) => onChange(property.write(field, value))}
        />
      );
    case "switch":
      return (
        <Switch {...texts} value={property.read(field)} onChange={(isOn) => onChange(property.write(field, isOn))} />
      );
    case "select":
      return (
        <ChoiceSelect
          {...texts}
          value={property.read(field)}
          choices={property.choices}
          onChange={(value) => onChange(property.write(field, value))}
        />
      );
    case "chips":
      return (
        <ChoiceChips
          label={label}
          value={property.read(field)}
          choices={property.choices}
          onChange={(value) => onChange(property.write(field, value))}
        />
      );
    case "number":
      return <NumberControl {...props} property={property} />;
    case "date":
    case "time":
    case "datetime-local":
      return <MomentControl {...props} property={property} />;
    default:
      return <SpecialControl {...props} property={property} />;
  }
}

type PlainControl = "text" | "switch" | "select" | "chips" | "number" | "date" | "time" | "datetime-local";

/** Control of a property whose kind has a separate component. */
function SpecialControl(props: ControlProps<Exclude<Property, { readonly control: PlainControl }>>): ReactNode {
  const { property } = props;
  switch (property.control) {
    case "pattern":
      return <PatternControl {...props} property={property} />;
    case "options":
      return <OptionsControl {...props} property={property} />;
    case "parts":
      return <PartsControl {...props} property={property} />;
    case "other":
      return <OtherControl {...props} property={property} />;
    case "bytes":
      return <BytesControl {...props} property={property} />;
    case "linkText":
      return <LinkTextControl {...props} property={property} />;
    case "fileTypes":
      return <FileTypesControl {...props} property={property} />;
    case "color":
      return <ColorControl {...props} property={property} />;
    case "weights":
      return <WeightsControl {...props} property={property} />;
    case "chosenOptions":
      return <ChosenOptionsControl {...props} property={property} />;
    case "columns":
      return <ColumnsControl {...props} property={property} />;
    case "reply":
      return <ReplyControl {...props} property={property} />;
  }
}

/** Returns the choices with their texts. A stored value outside the choices is added to them. */
function useChoices(choices: readonly PropertyChoice[], value: string): readonly Choice[] {
  const t = useText();
  const language = useLanguage();
  const offered = choices.filter((choice) => choice.isRare !== true || choice.value === value);
  const known = offered.some((choice) => choice.value === value) ? offered : [...offered, { value }];
  return known.map(({ value: key, label, values, number }: PropertyChoice) => ({
    value: key,
    label:
      label !== undefined
        ? t(label, values)
        : number === undefined
          ? key
          : new Intl.NumberFormat(language).format(number),
  }));
}

interface ChoiceControlProps {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly choices: readonly PropertyChoice[];
  readonly onChange: (value: string) => void;
}

function ChoiceSelect({ value, choices, onChange, ...texts }: ChoiceControlProps): ReactNode {
  return <Select {...texts} value={value} choices={useChoices(choices, value)} onChange={onChange} />;
}

function ChoiceChips({ label, value, choices, onChange }: ChoiceControlProps): ReactNode {
  return <Chips label={label} value={value} choices={useChoices(choices, value)} onChange={onChange} />;
}

function NumberControl({ property, field, id, label, help, fault, onChange }: ControlProps<NumberProperty>): ReactNode {
  const t = useText();
  const language = useLanguage();
  const input = useInput({
    id,
    value: property.read(field),
    format: (value) => formatNumber(value, language),
    parse(text) {
      const value = parseNumber(text);
      if (value === undefined) return { fault: t("build.notANumber") };
      return property.isWhole && value !== null && (!Number.isInteger(value) || value < 0)
        ? { fault: t("build.notWhole") }
        : { value };
    },
    onChange: (value) => onChange(property.write(field, value)),
  });
  return (
    <TextField
      label={label}
      {...(help === undefined ? {} : { help })}
      {...(property.unit === undefined ? {} : { unit: t(property.unit) })}
      fault={input.fault ?? fault}
      inputMode={property.isWhole ? "numeric" : "decimal"}
      placeholder={t("build.none")}
      value={input.text}
      onChange={input.change}
    />
  );
}
