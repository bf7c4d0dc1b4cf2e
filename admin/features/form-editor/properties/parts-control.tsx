/**
 * Parts of a name or an address: whether the form asks for each, and its label. A part without a label has the default
 * label.
 */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { Checkbox, TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import { type PartsProperty, withAttribute } from "./property.ts";

export function PartsControl({ property, field, label, help, onChange }: ControlProps<PartsProperty>): ReactNode {
  const t = useText();
  const { attribute, parts } = property;
  const options = property.read(field);
  const requested = requestedParts(property, attribute === undefined ? "" : (field.attributes[attribute] ?? ""));
  const labelOf = (part: string): string => options.find(({ value }) => value === part)?.label ?? "";
  const change = (part: string, text: string) => {
    const labels = new Map(parts.map(({ value }) => [value, value === part ? text : labelOf(value)]));
    const unknown = options.filter(({ value }) => !labels.has(value));
    const labelled = [...labels].flatMap(([value, shown]) => (shown === "" ? [] : [{ value, label: shown }]));
    onChange(property.write(field, [...labelled, ...unknown]), `part ${part}`);
  };
  const ask = (part: string, isRequested: boolean) => {
    const names = parts.map(({ value }) => value).filter((name) => (name === part ? isRequested : requested.has(name)));
    // A form asks for at least one part.
    if (attribute === undefined || names.length === 0) return;
    onChange(withAttribute(field, attribute, names.length === parts.length ? null : names.join(" ")), null);
  };
  return (
    <fieldset className="parts">
      <legend className="label">{label}</legend>
      {parts.map(({ value, label: part }) => (
        <div key={value} className={attribute === undefined ? undefined : "part-row"}>
          {attribute === undefined ? null : (
            <Checkbox
              label={<span className="visually-hidden">{t("build.askForPart", { part: t(part) })}</span>}
              value={requested.has(value)}
              onChange={(isRequested) => ask(value, isRequested)}
            />
          )}
          {requested.has(value) ? (
            <TextField
              label={t("build.partLabel", { part: t(part) })}
              hideLabel
              placeholder={t(part)}
              value={labelOf(value)}
              onChange={(text) => change(value, text)}
            />
          ) : (
            <span className="muted">{t(part)}</span>
          )}
        </div>
      ))}
      {help === undefined ? null : <p className="help">{help}</p>}
    </fieldset>
  );
}

/** The parts that a list names; all for an empty list. */
function requestedParts({ parts }: PartsProperty, listed: string): ReadonlySet<string> {
  const names = listed.split(/\s+/).filter((name) => name !== "");
  return new Set(names.length === 0 ? parts.map(({ value }) => value) : names);
}
