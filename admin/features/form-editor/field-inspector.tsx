/** Inspector of a field: its properties, loaded once a field is selected. */
import { lazy, memo, type ReactNode, Suspense, useRef } from "react";
import type { Field } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { Loading } from "../../ui/states.tsx";

const FieldPanel = lazy(() => import("./properties/field-panel.tsx"));

export interface FieldInspectorProps {
  readonly field: Field;
  readonly editor: Draft;
  /** Called after a rename, so that the selection follows. */
  readonly onRenamed: (from: string, to: string) => void;
}

// Memoized, so that the inspector re-renders only with the deferred update after a change of the selection.
export const FieldInspector = memo(function FieldInspector({
  field,
  editor,
  onRenamed,
}: FieldInspectorProps): ReactNode {
  const { name } = field;
  // A renamed field keeps its panel, with the focus and the open sections.
  const panel = useRef({ name, renamedTo: name, key: 0 });
  if (panel.current.name !== name)
    panel.current = { name, renamedTo: name, key: panel.current.key + (panel.current.renamedTo === name ? 0 : 1) };
  const rename = (to: string, mergeKey = `rename ${name} ${to}`) => {
    if (to === name) return;
    panel.current.renamedTo = to;
    editor.run({ kind: "update", name, change: { name: to } }, mergeKey);
    onRenamed(name, to);
  };
  return (
    <Suspense fallback={<Loading />}>
      <FieldPanel key={panel.current.key} field={field} editor={editor} onRename={rename} />
    </Suspense>
  );
});
