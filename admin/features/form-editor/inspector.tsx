/** Inspector of the selection: a field, several fields, a step, or the form. */
import { lazy, memo, type ReactNode, Suspense, useRef } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import type { Field, Step } from "../../shared/draft/content.ts";
import { stepsOf } from "../../shared/draft/tree.ts";
import { widthOf } from "./model/width.ts";
import { WidthChips } from "./properties/width-chips.tsx";
import type { Draft } from "../../shared/draft/draft.ts";
import type { FieldActions } from "./use-field-actions.ts";
import { Loading } from "../../ui/states.tsx";

const FieldPanel = lazy(() => import("./properties/field-panel.tsx"));

export interface FieldInspectorProps {
  readonly field: Field;
  readonly editor: Draft;
  /** Called after a rename, so that the selection follows. */
  readonly onRenamed: (from: string, to: string) => void;
}

// Memoized, so that a change of the selection does not re-render it before its deferred update.
export const FieldInspector = memo(function FieldInspector({
  field,
  editor,
  onRenamed,
}: FieldInspectorProps): ReactNode {
  const { name } = field;
  // A renamed field keeps its panel, and so the focus and what is open.
  const panel = useRef({ name, renamedTo: name, key: 0 });
  if (panel.current.name !== name)
    panel.current = { name, renamedTo: name, key: panel.current.key + (panel.current.renamedTo === name ? 0 : 1) };
  const rename = (to: string) => {
    if (to === name) return;
    panel.current.renamedTo = to;
    editor.run({ kind: "update", name, change: { name: to } }, `rename ${name} ${to}`);
    onRenamed(name, to);
  };
  return (
    <Suspense fallback={<Loading />}>
      <FieldPanel key={panel.current.key} field={field} editor={editor} onRename={rename} />
    </Suspense>
  );
});

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
  const [width] = widths.size === 1 ? widths : [];
  return (
    <>
      <h2>{t("build.several", { count: names.length })}</h2>
      <ul className="bullets">
        {chosen.slice(0, 8).map(({ name, label }) => (
          <li key={name}>{label || name}</li>
        ))}
      </ul>
      <WidthChips value={width} onChange={(next) => actions.setWidth(names, next)} />
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
