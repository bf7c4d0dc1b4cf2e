/** Removal of fields, after a confirmation if they have answers. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Draft } from "../../shared/draft/draft.ts";
import { useEvent } from "../../shared/use-event.ts";
import { useAnswerCounts } from "./answer-counts.ts";
import type { FieldActions } from "./use-field-actions.ts";

const RemoveFieldsDialog = lazy(() => import("./remove-fields-dialog.tsx"));

interface Removal {
  /** Removes the fields among the keys. */
  readonly remove: (keys: readonly string[]) => void;
  /** The dialog with the question; null for none. */
  readonly dialog: ReactNode;
}

export function useRemoval(editor: Draft, actions: FieldActions): Removal {
  const countAnswers = useAnswerCounts(editor);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const remove = useEvent((keys: readonly string[]) => {
    const names = keys.filter((key) => editor.content.schema.fields.some(({ name }) => name === key));
    if (names.some((name) => (countAnswers(name) ?? 0) > 0)) setRemoved(names);
    else actions.remove(names);
  });
  const dialog =
    removed.length === 0 ? null : (
      <Suspense fallback={null}>
        <RemoveFieldsDialog
          names={removed}
          countAnswers={countAnswers}
          actions={actions}
          onClose={() => setRemoved([])}
        />
      </Suspense>
    );
  return { remove, dialog };
}
