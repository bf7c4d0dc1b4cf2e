/** Inspector: the properties of the selected field, step or fields, else those of the form. */
import { lazy, type ReactNode, Suspense, useDeferredValue } from "react";
import type { Draft } from "../../shared/draft/draft.ts";
import { stepsOf } from "../../shared/draft/tree.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/states.tsx";
import { FieldInspector } from "./field-inspector.tsx";
import { FormPanel } from "./properties/form-panel.tsx";
import type { Selection } from "./selection.ts";
import type { FieldActions } from "./use-field-actions.ts";

const SeveralPanel = lazy(() => import("./properties/several-panel.tsx"));
const StepPanel = lazy(() => import("./properties/step-panel.tsx"));

interface InspectorProps {
  readonly editor: Draft;
  readonly selection: Selection;
  readonly actions: FieldActions;
  /** Clears the selection. */
  readonly onClear: () => void;
}

export function Inspector({ editor, selection, actions, onClear }: InspectorProps): ReactNode {
  const t = useText();
  const { schema } = editor.content;
  const keys = [...selection.keys];
  const [first] = keys;
  // A selection by keyboard shows in the outline and the preview first, then in the inspector.
  const inspected = useDeferredValue(first);
  const fieldOf = (key: string | undefined) => schema.fields.find(({ name }) => name === key);
  const field = keys.length === 1 ? (fieldOf(inspected) ?? fieldOf(first)) : undefined;
  const step = keys.length === 1 ? stepsOf(schema).find(({ id }) => `step:${id}` === first) : undefined;
  return (
    <section className="build-inspector card" aria-label={t("build.view.inspector")}>
      {keys.length === 0 ? null : (
        <div className="build-whole">
          <Button look="quiet" icon="back" onPress={onClear}>
            {t("build.form")}
          </Button>
        </div>
      )}
      <Suspense fallback={<Loading />}>
        {field !== undefined ? (
          <FieldInspector field={field} editor={editor} onRenamed={selection.rename} />
        ) : step !== undefined ? (
          <StepPanel step={step} editor={editor} />
        ) : keys.length > 1 ? (
          <SeveralPanel names={keys} actions={actions} editor={editor} />
        ) : (
          <FormPanel editor={editor} onStep={(id) => selection.set(new Set([`step:${id}`]))} />
        )}
      </Suspense>
    </section>
  );
}
