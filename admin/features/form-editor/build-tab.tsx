/** The form editor: either its three columns or the form's HTML, and the dialogs that confirm edits. */
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useSearch } from "wouter";
import type { TabProps } from "../../shared/draft/draft.ts";
import { Loading } from "../../ui/states.tsx";
import { BuildColumns, type View } from "./build-columns.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { useSelection } from "./selection.ts";
import { useFieldActions } from "./use-field-actions.ts";
import { useKnownSelection } from "./use-known-selection.ts";
import { useRemoval } from "./use-removal.tsx";

const RejectedEditDialog = lazy(() => import("./rejected-edit-dialog.tsx"));
const MarkupSide = lazy(() => import("./markup-side.tsx"));

export default function BuildTab({ draft: editor }: TabProps): ReactNode {
  // A link may select a field.
  const requestedField = new URLSearchParams(useSearch()).get("field");
  const selection = useSelection();
  const { set: setSelected } = selection;
  useEffect(() => {
    if (requestedField !== null) setSelected(new Set([requestedField]));
  }, [requestedField, setSelected]);
  useKnownSelection(editor.content.schema, selection);
  const [isCode, setIsCode] = useState(false);
  const [view, onView] = useState<View>("outline");
  const actions = useFieldActions(editor, setSelected);
  const { remove, dialog } = useRemoval(editor, actions);
  const bar = <EditorBar editor={editor} isCode={isCode} onCode={setIsCode} />;
  return (
    <div className="build">
      {editor.rejectedEdit === null ? null : (
        <Suspense fallback={null}>
          <RejectedEditDialog editor={editor} />
        </Suspense>
      )}
      {dialog}
      {isCode ? (
        <Suspense fallback={<Loading />}>
          {bar}
          <MarkupSide editor={editor} onDone={() => setIsCode(false)} />
        </Suspense>
      ) : (
        <BuildColumns {...{ editor, selection, actions, view, onView, bar }} onRemove={remove} />
      )}
    </div>
  );
}
