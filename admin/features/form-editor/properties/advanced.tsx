/** Section for developers: field name, CSS classes, prefilling by the address, HTML attributes. */
import { type ReactNode, useEffect, useState } from "react";
import type { Field, FieldMembers } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";
import { useEvent } from "../../../shared/use-event.ts";
import { TextField } from "../../../ui/fields.tsx";
import { classesOf } from "./property.ts";
import { takesAnswer } from "../../../shared/field-types.ts";
import { hasPrefill } from "./prefill.ts";
import { PrefillControl } from "./prefill-control.tsx";
import { Section } from "./section.tsx";
import { attributesWithControl, classesWithControl } from "./field-properties.ts";
import { invalidText, type Parsed, setInvalidText, useInput } from "./use-input.ts";

export interface AdvancedProps {
  readonly field: Field;
  readonly fields: readonly Field[];
  /** Key of the section, unique on the page. */
  readonly id: string;
  /** Number of stored answers. */
  readonly count: number;
  /** Attributes that panels of plugins write. */
  readonly pluginAttributes: ReadonlySet<string>;
  /** Errors that the engine finds in the attributes. */
  readonly attributeFaults: readonly string[];
  readonly onChange: (change: FieldMembers, mergeKey: string) => void;
  readonly onRename: (name: string) => void;
}

export function Advanced(props: AdvancedProps): ReactNode {
  const t = useText();
  return (
    <Section title={t("build.more")} summary={t("build.moreSummary")} isOpen={false} memory="advanced">
      <FieldName {...props} />
      <Classes {...props} />
      {hasPrefill(props.field, takesAnswer(props.field.type)) && <PrefillControl {...props} />}
      <OtherAttributes {...props} />
    </Section>
  );
}

function FieldName({ field, fields, id, count, onRename }: AdvancedProps): ReactNode {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(() => invalidText(`${id}/name`));
  const name = typed ?? field.name;
  const fault =
    name.trim() === ""
      ? t("build.nameMissing")
      : name !== field.name && fields.some((other) => other.name === name)
        ? t("build.nameTaken")
        : undefined;
  const rename = () => {
    setInvalidText(`${id}/name`, fault === undefined ? null : name);
    if (typed === null || fault !== undefined) return;
    setTyped(null);
    if (typed !== field.name) onRename(typed);
  };
  const renameOnLeaving = useEvent(rename);
  // Selecting another field removes the input before it loses the focus.
  useEffect(() => () => renameOnLeaving(), []);
  return (
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
        onChange={setTyped}
        code
        fault={fault}
        help={count > 0 ? t("build.renameAnswers", { count }) : t("build.nameHelp")}
      />
    </form>
  );
}

function Classes({ field, id, onChange }: AdvancedProps): ReactNode {
  const t = useText();
  const controlled = classesWithControl(field.type);
  const others = classesOf(field).filter((name) => !controlled.has(name));
  const input = useInput({
    id: `${id}/classes`,
    value: others,
    format: (names) => names.join(" "),
    parse: (text) => ({ value: classesOf({ css_class: text }) }),
    onChange(names) {
      const kept = classesOf(field).filter((name) => controlled.has(name));
      onChange({ css_class: [...kept, ...names.filter((name) => !kept.includes(name))].join(" ") }, "css classes");
    },
  });
  return <TextField label={t("build.classes")} code value={input.text} onChange={input.change} />;
}

const linesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => (value === "" ? name : `${name}=${value}`))
    .join("\n");

type Attributes = Readonly<Record<string, string>>;

/** Parses one attribute per line. The fault is the first line that is not an attribute. */
function parseLines(text: string): Parsed<Attributes> {
  const attributes: Record<string, string> = {};
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const at = line.indexOf("=");
    const name = (at < 0 ? line : line.slice(0, at)).trim().toLowerCase();
    if (!/^[a-z_][\w.:-]*$/.test(name)) return { fault: line.trim() };
    attributes[name] = at < 0 ? "" : line.slice(at + 1).trim();
  }
  return { value: attributes };
}

/** Attributes without their own control. */
function OtherAttributes({ field, id, pluginAttributes, attributeFaults, onChange }: AdvancedProps): ReactNode {
  const t = useText();
  const controlled = new Set([...attributesWithControl(field), ...pluginAttributes]);
  if (hasPrefill(field, takesAnswer(field.type))) controlled.add("data-prefill");
  const entries = Object.entries(field.attributes);
  const kept = Object.fromEntries(entries.filter(([name]) => controlled.has(name)));
  const input = useInput<Attributes>({
    id: `${id}/attributes`,
    value: Object.fromEntries(entries.filter(([name]) => !controlled.has(name))),
    format: linesOf,
    parse(text) {
      const parsed = parseLines(text);
      return "fault" in parsed ? { fault: t("build.attributeFault", { line: parsed.fault }) } : parsed;
    },
    onChange: (attributes) => onChange({ attributes: { ...kept, ...attributes } }, "attributes"),
  });
  return (
    <TextField
      label={t("build.attributes")}
      help={t("build.attributesHelp")}
      code
      rows={3}
      value={input.text}
      fault={input.fault ?? attributeFaults[0]}
      onChange={input.change}
    />
  );
}
