/** Properties of a field, in sections: Field, the type's section, Width, Visibility, panels of plugins, Advanced. */
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import type { Content, Field, FieldMembers } from "../../../shared/draft/content.ts";
import type { Draft } from "../../../shared/draft/draft.ts";
import { useEvent } from "../../../shared/use-event.ts";
import { useLanguage, useText } from "../../../shared/text/text.tsx";
import { Select } from "../../../ui/fields.tsx";
import { Loading } from "../../../ui/states.tsx";
import { type CountAnswers, useAnswerCounts } from "../answer-counts.ts";
import { usePanels } from "../../../shared/editor-panels.ts";
import { FIELD_TYPES, fieldTitle, takesAnswer, typeName } from "../../../shared/field-types.ts";
import { otherClasses, widthOf, withWidth } from "../model/width.ts";
import { PluginPanels } from "../plugin-panels.tsx";
import { Advanced } from "./advanced.tsx";
import { PropertyControl } from "./control.tsx";
import { followsLabel, nameOfLabel } from "./field-name.ts";
import type { Property } from "./property.ts";
import { Section } from "./section.tsx";
import { PROPERTIES_OF, type TypeProperties } from "./field-properties.ts";
import { PROPERTIES, type PropertyId } from "./table.ts";
import { attributeFaults, type Faults, patternFault, useEngineFaults } from "./use-engine-faults.ts";
import { Visibility } from "./visibility.tsx";
import { WidthChips } from "./width-chips.tsx";

export interface FieldPanelProps {
  readonly field: Field;
  readonly editor: Draft;
  /** Renames the field. Given the merge key of an earlier edit, the rename joins that edit's undo step. */
  readonly onRename: (name: string, mergeKey?: string) => void;
}

export default function FieldPanel({ field, editor, onRename }: FieldPanelProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const { fields } = editor.content.schema;
  const count = useAnswerCounts(editor)(field.name) ?? 0;
  const panels = usePanels();
  const { help } = propertiesOf(field);
  const set: SetMembers = (change, mergeKey) =>
    mergeKey === null
      ? editor.run({ kind: "update", name: field.name, change })
      : editor.run({ kind: "update", name: field.name, change }, mergeKeyOf(field, mergeKey));
  const published = editor.live.content.schema.fields.find(({ name }) => name === field.name);
  const faults = useEngineFaults(field, published);
  return (
    <div className="properties">
      <h2 className="visually-hidden">{fieldTitle(field, language)}</h2>
      <div className="properties-head">
        <TypeSelect field={field} onChange={set} />
        {help === undefined ? null : <p className="help">{t(help)}</p>}
      </div>
      <Suspense fallback={<Loading />}>
        <PropertySections field={field} editor={editor} faults={faults} onChange={set} onRename={onRename} />
        <Section title={t("build.width")} memory="width">
          <WidthChips
            value={widthOf(field)}
            onChange={(width) => set({ css_class: withWidth(field, width) }, "width")}
          />
        </Section>
        <Visibility field={field} fields={fields} onChange={(conditions) => set({ conditions }, "conditions")} />
        <PluginPanels field={field} onChange={(attributes) => set({ attributes }, "attributes")} />
        {hasAdvanced(field) ? (
          <Advanced
            field={field}
            fields={fields}
            id={keyOf(editor, field)}
            count={count}
            attributeFaults={attributeFaults(faults)}
            pluginAttributes={new Set(panels.flatMap(({ inputs }) => inputs.map(({ attribute }) => attribute)))}
            onChange={set}
            onRename={onRename}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

/** Changes members of the field. Changes with the same merge key are one undo step. */
type SetMembers = (change: FieldMembers, mergeKey: string | null) => void;

/** The properties of a field's type. */
const propertiesOf = (field: Field): TypeProperties => PROPERTIES_OF[field.type] ?? { field: ["label"] };

interface TypeSelectProps {
  readonly field: Field;
  readonly onChange: SetMembers;
}

function TypeSelect({ field, onChange }: TypeSelectProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  return (
    <Select
      label={t("build.type")}
      hideLabel
      value={field.type}
      choices={FIELD_TYPES.map((choice) => ({ value: choice, label: typeName(choice, language) }))}
      onChange={(value) => onChange({ type: value as Field["type"] }, "type")}
    />
  );
}

interface PropertySectionsProps extends FieldPanelProps {
  readonly faults: Faults;
  readonly onChange: SetMembers;
}

/** The section Field, and the section of the properties that are specific to the field's type. */
function PropertySections({ field, editor, faults, onChange, onRename }: PropertySectionsProps): ReactNode {
  const t = useText();
  const countAnswers = useAnswerCounts(editor);
  const { field: basics, specific = [], rare = [], title = "build.section.answer" } = propertiesOf(field);
  const shownSpecific = useShown(field, [...specific, ...rare]);
  const [followingName, followLabel] = useFollowingName(field, editor, countAnswers, onRename);
  const savedAs = (): string => {
    if (followingName !== null) return t("build.savedAs", { name: followingName });
    const count = countAnswers(field.name) ?? 0;
    const values = { name: field.name, count };
    return count > 0 ? t("build.savedAsKept", values) : t("build.savedAsChosen", values);
  };
  const controls = (ids: readonly PropertyId[]) =>
    ids.map((id) => (
      <Control
        key={id}
        id={id}
        field={field}
        editor={editor}
        engineFaults={faults}
        help={id === "label" && takesAnswer(field.type) ? savedAs() : undefined}
        onChange={onChange}
      />
    ));
  return (
    <>
      {basics.length === 0 ? null : (
        <Section title={t("build.section.field")}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the inputs inside take the focus. */}
          <div className="section-part" onBlur={followLabel}>
            {controls(basics)}
          </div>
        </Section>
      )}
      {shownSpecific.length === 0 ? null : <Section title={t(title)}>{controls(shownSpecific)}</Section>}
    </>
  );
}

const mergeKeyOf = (field: Field, key: string): string => `${field.name} ${key}`;

/** Whether Advanced has something to edit. A divider's name is not used, so only stored classes or attributes count. */
const hasAdvanced = ({ type, css_class: css, attributes }: Field): boolean =>
  type !== "divider" || otherClasses({ css_class: css }) !== "" || Object.keys(attributes).length > 0;

const keyOf = (editor: Draft, field: Field): string => `${editor.form.id}/${field.name}`;

/** Returns the visible properties. A rare property stays visible once it was shown. */
function useShown(field: Field, ids: readonly PropertyId[]): readonly PropertyId[] {
  const kept = useRef(new Set<PropertyId>());
  return ids.filter((id) => {
    const property: Property = PROPERTIES[id];
    const isShown = property.isShown?.(field) ?? true;
    if (isShown && "isKept" in property && property.isKept === true) kept.current.add(id);
    return isShown || kept.current.has(id);
  });
}

interface ControlOfProps {
  readonly id: PropertyId;
  readonly field: Field;
  readonly editor: Draft;
  readonly engineFaults: Faults;
  /** Help text that overrides the property's. */
  readonly help: string | undefined;
  readonly onChange: SetMembers;
}

function Control({ id, field, editor, engineFaults, help, onChange }: ControlOfProps): ReactNode {
  const t = useText();
  const property: Property = PROPERTIES[id];
  const storedFault = "fault" in property ? (property.fault?.(field) ?? null) : null;
  const fault =
    storedFault !== null ? t(storedFault) : property.control === "pattern" ? patternFault(engineFaults) : undefined;
  const shownHelp = help ?? (property.help === undefined ? undefined : t(property.help));
  return (
    <div className="property" data-half={("isHalf" in property && property.isHalf) || undefined}>
      <PropertyControl
        property={property}
        field={field}
        editor={editor}
        id={`${keyOf(editor, field)}/${id}`}
        label={t(property.label)}
        {...(shownHelp === undefined ? {} : { help: shownHelp })}
        {...(fault === undefined ? {} : { fault })}
        onChange={(change, mergeKey = id) => onChange(change, mergeKey)}
      />
    </div>
  );
}

/**
 * Derives the name of a field from its label, until the user chooses a name or answers are stored. Conditions and
 * actions follow. Returns the name that the label gives the field (null if the name no longer follows), and the handler
 * that renames the field when the label loses the focus. Leaving the panel renames the field too.
 */
function useFollowingName(
  field: Field,
  editor: Draft,
  countAnswers: CountAnswers,
  onRename: FieldPanelProps["onRename"],
): readonly [name: string | null, follow: () => void] {
  // Whether the name was derived from the label before the edit.
  const start = useRef({ name: field.name, isFollowing: followsLabel(field) });
  if (start.current.name !== field.name) start.current = { name: field.name, isFollowing: followsLabel(field) };
  const nameFor = ({ schema, source }: Content): string | null => {
    const now = schema.fields.find(({ name }) => name === field.name);
    if (now === undefined || !takesAnswer(now.type) || !start.current.isFollowing) return null;
    // In an author's HTML, a rename may be impossible.
    if (countAnswers(now.name) !== 0 || source === "markup") return null;
    if (followsLabel(now)) return now.name;
    return nameOfLabel(now.label, new Set(schema.fields.map(({ name }) => name)));
  };
  const follow = useEvent(() => {
    const name = nameFor(editor.current());
    if (name !== null && name !== field.name) onRename(name, mergeKeyOf(field, "label"));
  });
  useEffect(() => () => follow(), []);
  return [nameFor(editor.content), follow];
}
