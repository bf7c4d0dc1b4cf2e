/** Commands of a row of the outline. A row of the selection stands for all selected fields. */
import { useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import type { Row } from "./model/rows.ts";
import type { OutlineProps, OutlineRows } from "./outline-rows.ts";

export interface RowCommands {
  shift(row: Row, by: 1 | -1): void;
  /** Moves to the end of a step or a group; null for neither. */
  moveTo(row: Row, step: string | null, group: string | null): void;
  moveInto(row: Row, group: string): void;
  removeStep(row: Row): void;
  duplicate(row: Row): void;
  copy(row: Row): void;
  /** Inserts the fields in the clipboard after the row. */
  paste(row: Row): void;
  remove(row: Row): void;
}

export function useRowCommands(
  { editor, actions, selection: { live }, onRemove }: OutlineProps,
  { rows, names, rowOf }: OutlineRows,
): RowCommands {
  const t = useText();
  const notices = useNotices();
  const selectionWith = (name: string): readonly string[] =>
    live.now().has(name) ? [...live.now()].filter((key) => names.has(key)) : [name];
  const shift = (row: Row, by: 1 | -1) => {
    if (row.field === null) {
      editor.run({ kind: "move_step", id: stepIdOf(row), by });
      return;
    }
    actions.shift(selectionWith(row.id), by);
  };
  const moveTo = (row: Row, step: string | null, group: string | null) => {
    const last = rows.findLast(({ field, place }) => field !== null && place.step === step && place.group === group);
    actions.move(selectionWith(row.id), { step, group, after: last?.id ?? null });
  };
  const copy = (row: Row) =>
    void navigator.clipboard.writeText(actions.serialize(selectionWith(row.id))).then(
      () => notices.show(t("common.copied")),
      () => notices.show(t("common.notCopied")),
    );
  const paste = (row: Row) =>
    void navigator.clipboard.readText().then(
      (text) => actions.paste(text, { ...row.place, after: row.id }),
      () => notices.show(t("build.nothingToPaste")),
    );
  const duplicate = (row: Row) =>
    actions.insert(
      editor.content.schema.fields.filter(({ name }) => selectionWith(row.id).includes(name)),
      { ...row.place, after: row.id },
    );
  const remove = (row: Row) => onRemove(selectionWith(row.id));
  return {
    shift,
    moveTo,
    moveInto: (row, group) => moveTo(row, rowOf(group)?.place.step ?? null, group),
    removeStep: (row) => editor.run({ kind: "remove_step", id: stepIdOf(row) }),
    duplicate,
    copy,
    paste,
    remove,
  };
}

/** The id of the step that a row shows. */
const stepIdOf = (row: Row): string => row.id.slice("step:".length);
