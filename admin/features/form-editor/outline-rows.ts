/** Rows of the outline, with the steps and groups that a row can move to. */
import { useMemo, useRef } from "react";
import { type Field, holdsFields, type Step } from "../../shared/draft/content.ts";
import { changedFieldNames } from "../../shared/draft/difference.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { partsOf, stepsOf } from "../../shared/draft/tree.ts";
import { type Row, rowsOf } from "./model/rows.ts";
import type { Selection } from "./selection.ts";
import type { FieldActions } from "./use-field-actions.ts";

export interface OutlineProps {
  readonly editor: Draft;
  readonly actions: FieldActions;
  readonly selection: Selection;
  /** Starts editing a field's texts in the preview. */
  readonly onEditText: (name: string) => void;
  /** Removes fields; asks for confirmation first if they have answers. Ignores keys of steps. */
  readonly onRemove: (keys: readonly string[]) => void;
}

export interface OutlineRows {
  readonly rows: readonly Row[];
  readonly steps: readonly Step[];
  readonly groups: readonly Field[];
  /** Names of all fields. */
  readonly names: ReadonlySet<string>;
  rowOf(key: string): Row | undefined;
}

export function useOutlineRows(editor: Draft): OutlineRows {
  const { schema } = editor.content;
  const parts = useMemo(() => partsOf(schema), [schema]);
  const earlier = useRef<readonly Row[]>([]);
  const { form: liveForm, content: liveContent } = editor.live;
  const changed = useMemo(
    () =>
      liveForm.status === "draft" ? new Set<string>() : changedFieldNames(liveContent.schema.fields, schema.fields),
    [liveForm.status, liveContent, schema.fields],
  );
  const rows = useMemo(() => (earlier.current = rowsOf(parts, earlier.current, changed)), [parts, changed]);
  const steps = useMemo(() => stepsOf(schema), [schema]);
  const groups = useMemo(() => schema.fields.filter(({ type }) => holdsFields(type)), [schema]);
  const names = new Set(schema.fields.map(({ name }) => name));
  return { rows, steps, groups, names, rowOf: (key) => rows.find(({ id }) => id === key) };
}
