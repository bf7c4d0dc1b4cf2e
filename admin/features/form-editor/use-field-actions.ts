/**
 * What the outline and the preview do with fields: add, move, copy, take away. What was done is said, for who cannot
 * see it.
 */
import { useMemo, useRef, useState } from "react";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { useEditorParts } from "./editor-parts.ts";
import { fittingFields, readFields, writeFields } from "./model/clipboard.ts";
import type { Field } from "./model/content.ts";
import { FIELD_TYPES, freeName, newField, typeName } from "./model/field-types.ts";
import type { Target } from "./model/tree.ts";
import { type Width, widthOf, withWidth } from "./model/width.ts";
import type { Editor } from "./use-editor.ts";

/** What drags from the palette and of fields carry. */
export const TYPE_DRAG = "application/x-cf-field-type";
export const FIELD_DRAG = "application/x-cf-field";

export interface FieldActions {
  /** What was done last, in words. */
  readonly announcement: string;
  /** `beside`: the field with which it shares a row. */
  addType(type: string, target: Target, beside?: string | null): void;
  move(names: readonly string[], target: Target, beside?: string | null): void;
  insert(fields: readonly Field[], target: Target): void;
  take(names: readonly string[]): void;
  /** Takes fields away but for those whose answers stay shown: they become hidden fields. */
  hide(kept: readonly string[], names: readonly string[]): void;
  setWidth(names: readonly string[], width: Width): void;
  textOf(names: readonly string[]): string;
  paste(text: string, target: Target): void;
}

export function useFieldActions(editor: Editor, onSelect: (keys: ReadonlySet<string>) => void): FieldActions {
  const t = useText();
  const language = useLanguage();
  const notices = useNotices();
  const [announcement, setAnnouncement] = useState("");
  const { types } = useEditorParts();
  const latest = useRef({ editor, onSelect, types, language });
  latest.current = { editor, onSelect, types, language };
  const actions = useMemo(() => {
    const run: Editor["run"] = (command, word) => latest.current.editor.run(command, word);
    const fields = (): readonly Field[] => latest.current.editor.content.schema.fields;
    const labelOf = (name: string): string => fields().find((own) => own.name === name)?.label || name;
    const present = (names: readonly string[]): readonly string[] =>
      names.filter((name) => fields().some((own) => own.name === name));
    const where = (target: Target): string =>
      target.after === null ? t("build.saidFirst") : t("build.saidBehind", { name: labelOf(target.after) });
    /** One step of the history for all that one drop does. */
    let drops = 0;
    const widths = (names: readonly string[], width: Width, word: string) => {
      for (const name of names) {
        const field = fields().find((own) => own.name === name);
        if (field !== undefined) run({ kind: "update", name, change: { css_class: withWidth(field, width) } }, word);
      }
    };
    /** The width that fields in one row take, as narrow as the one that is there. */
    const shared = (beside: string | null): Width => {
      const field = fields().find(({ name }) => name === beside);
      return field === undefined ? "" : widthOf(field) || "cf-half";
    };
    const insert = (added: readonly Field[], target: Target, beside: string | null = null) => {
      const width = shared(beside);
      const fitting = fittingFields(added, fields()).map((field) =>
        width === "" ? field : { ...field, css_class: withWidth(field, width) },
      );
      if (fitting.length === 0) return;
      drops += 1;
      run({ kind: "add", fields: fitting, target }, `drop ${drops}`);
      if (beside !== null) widths([beside], width, `drop ${drops}`);
      latest.current.onSelect(new Set(fitting.map(({ name }) => name)));
      setAnnouncement(
        t("build.saidAdded", {
          name: fitting.map(({ label, name }) => label || name).join(", "),
          where: where(target),
        }),
      );
    };
    return {
      insert: (added: readonly Field[], target: Target) => insert(added, target),
      addType(type: string, target: Target, beside: string | null = null) {
        const names = new Set(fields().map(({ name }) => name));
        const known = FIELD_TYPES.find((own) => own === type);
        const added = latest.current.types.find(({ id }) => id === type);
        if (known !== undefined)
          insert(
            [
              newField(
                known,
                typeName(known, latest.current.language),
                [1, 2, 3].map((number) => t("build.option", { number })),
                names,
              ),
            ],
            target,
            beside,
          );
        else if (added !== undefined) insert([{ ...added.field, name: freeName(added.label, names) }], target, beside);
      },
      move(names: readonly string[], target: Target, beside: string | null = null) {
        const moved = present(names);
        if (moved.length === 0) return;
        drops += 1;
        run({ kind: "move", names: moved, target }, `drop ${drops}`);
        if (beside !== null && !moved.includes(beside)) widths([...moved, beside], shared(beside), `drop ${drops}`);
        setAnnouncement(t("build.saidMoved", { name: moved.map(labelOf).join(", "), where: where(target) }));
      },
      take(names: readonly string[]) {
        const taken = present(names);
        if (taken.length === 0) return;
        run({ kind: "remove", names: taken });
        notices.showUndoable(t("build.removed", { count: taken.length }), () => latest.current.editor.undo());
      },
      hide(kept: readonly string[], names: readonly string[]) {
        drops += 1;
        const gone = present(names).filter((name) => !kept.includes(name));
        for (const name of present(kept))
          run(
            {
              kind: "update",
              name,
              change: {
                type: "hidden",
                required: false,
                options: [],
                conditions: [],
                validation: {},
                default_value: "",
                css_class: "",
                placeholder: "",
                description: "",
              },
            },
            `drop ${drops}`,
          );
        if (gone.length > 0) run({ kind: "remove", names: gone }, `drop ${drops}`);
      },
      setWidth(names: readonly string[], width: Width) {
        drops += 1;
        widths(names, width, `drop ${drops}`);
      },
      textOf: (names: readonly string[]) => writeFields(fields().filter(({ name }) => names.includes(name))),
      paste(text: string, target: Target) {
        const read = readFields(text);
        if (read.length === 0) notices.show(t("build.nothingToPaste"));
        else insert(read, target);
      },
    };
  }, [notices, t]);
  return useMemo(() => ({ ...actions, announcement }), [actions, announcement]);
}
