/** Actions of outline and preview on fields: add, move, copy, remove. Each is announced to screen readers. */
import { useMemo, useRef, useState } from "react";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { useNotices } from "../../shared/notices.ts";
import { useEditorParts } from "./editor-parts.ts";
import { insertableFields, parseFields, serializeFields } from "./model/clipboard.ts";
import type { Field } from "../../shared/draft/content.ts";
import { freeName, newField, PALETTE, typeName } from "./model/field-types.ts";
import { rowsOf, shiftedTarget } from "./model/rows.ts";
import { partsOf, type Target } from "../../shared/draft/tree.ts";
import { type Width, widthOf, withWidth } from "./model/width.ts";
import type { Draft } from "../../shared/draft/draft.ts";

/** Drag types of the palette's items and of fields. */
export const TYPE_DRAG = "application/x-cf-field-type";
export const FIELD_DRAG = "application/x-cf-field";

/** Writes the names of dragged fields, of which none has a line break, as one text. */
export const joinNames = (names: readonly string[]): string => names.join("\n");
export const namesIn = (dragged: string): readonly string[] => dragged.split("\n");

export interface FieldActions {
  /** Description of the last action, for screen readers. */
  readonly announcement: string;
  /** Adds a field of a type; `beside` is a field to share a row with. */
  addType(type: string, target: Target, beside?: string | null): void;
  move(names: readonly string[], target: Target, beside?: string | null): void;
  /** Moves fields together one place up or down; at an end, they stay. */
  shift(names: readonly string[], by: 1 | -1): void;
  insert(fields: readonly Field[], target: Target): void;
  remove(names: readonly string[]): void;
  /** Removes fields, except those in `kept`, which become hidden fields so that their answers stay visible. */
  hide(kept: readonly string[], names: readonly string[]): void;
  setWidth(names: readonly string[], width: Width): void;
  serialize(names: readonly string[]): string;
  paste(text: string, target: Target): void;
}

export function useFieldActions(editor: Draft, onSelect: (keys: ReadonlySet<string>) => void): FieldActions {
  const t = useText();
  const language = useLanguage();
  const notices = useNotices();
  const [announcement, setAnnouncement] = useState("");
  const { types } = useEditorParts();
  const latest = useRef({ editor, onSelect, types, language });
  latest.current = { editor, onSelect, types, language };
  const actions = useMemo(() => {
    const run: Draft["run"] = (command, mergeKey) => latest.current.editor.run(command, mergeKey);
    const fields = (): readonly Field[] => latest.current.editor.content.schema.fields;
    const labelOf = (name: string): string => fields().find((field) => field.name === name)?.label || name;
    const existing = (names: readonly string[]): readonly string[] =>
      names.filter((name) => fields().some((field) => field.name === name));
    const positionText = (target: Target): string =>
      target.after === null ? t("build.positionFirst") : t("build.positionAfter", { name: labelOf(target.after) });
    /** Number of the current action; all its commands share a merge key, so that they are one undo step. */
    let actionNumber = 0;
    const setWidths = (names: readonly string[], width: Width, mergeKey: string) => {
      for (const name of names) {
        const field = fields().find((candidate) => candidate.name === name);
        if (field !== undefined)
          run({ kind: "update", name, change: { css_class: withWidth(field, width) } }, mergeKey);
      }
    };
    /** Returns the width for a field that shares a row with `beside`. */
    const sharedWidth = (beside: string | null): Width => {
      const field = fields().find(({ name }) => name === beside);
      return field === undefined ? "" : widthOf(field) || "cf-half";
    };
    const insert = (added: readonly Field[], target: Target, beside: string | null = null) => {
      const width = sharedWidth(beside);
      const inserted = insertableFields(added, fields()).map((field) =>
        width === "" ? field : { ...field, css_class: withWidth(field, width) },
      );
      if (inserted.length === 0) return;
      actionNumber += 1;
      run({ kind: "add", fields: inserted, target }, `drop ${actionNumber}`);
      if (beside !== null) setWidths([beside], width, `drop ${actionNumber}`);
      latest.current.onSelect(new Set(inserted.map(({ name }) => name)));
      setAnnouncement(
        t("build.announceAdded", {
          name: inserted.map(({ label, name }) => label || name).join(", "),
          where: positionText(target),
        }),
      );
    };
    const move = (names: readonly string[], target: Target, beside: string | null = null) => {
      const moved = existing(names);
      if (moved.length === 0) return;
      actionNumber += 1;
      run({ kind: "move", names: moved, target }, `drop ${actionNumber}`);
      if (beside !== null && !moved.includes(beside))
        setWidths([...moved, beside], sharedWidth(beside), `drop ${actionNumber}`);
      setAnnouncement(t("build.announceMoved", { name: moved.map(labelOf).join(", "), where: positionText(target) }));
    };
    return {
      move,
      shift(names: readonly string[], by: 1 | -1) {
        const rows = rowsOf(partsOf(latest.current.editor.content.schema));
        const moved = rows.filter(({ field, id }) => field !== null && names.includes(id));
        const edge = moved.at(by === 1 ? -1 : 0);
        const target = edge === undefined ? null : shiftedTarget(rows, edge, by);
        if (target !== null) move(names, target);
      },
      insert: (added: readonly Field[], target: Target) => insert(added, target),
      addType(type: string, target: Target, beside: string | null = null) {
        const names = new Set(fields().map(({ name }) => name));
        const known = PALETTE.find(({ id }) => id === type);
        const added = latest.current.types.find(({ id }) => id === type);
        if (known !== undefined)
          insert(
            [
              newField(
                known,
                typeName(known.id, latest.current.language),
                [1, 2, 3].map((number) => t("build.option", { number })),
                names,
              ),
            ],
            target,
            beside,
          );
        else if (added !== undefined) insert([{ ...added.field, name: freeName(added.label, names) }], target, beside);
      },
      remove(names: readonly string[]) {
        const removed = existing(names);
        if (removed.length === 0) return;
        run({ kind: "remove", names: removed });
        notices.showUndoable(t("build.removed", { count: removed.length }), () => latest.current.editor.undo());
      },
      hide(kept: readonly string[], names: readonly string[]) {
        actionNumber += 1;
        const removed = existing(names).filter((name) => !kept.includes(name));
        for (const name of existing(kept))
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
            `drop ${actionNumber}`,
          );
        if (removed.length > 0) run({ kind: "remove", names: removed }, `drop ${actionNumber}`);
      },
      setWidth(names: readonly string[], width: Width) {
        actionNumber += 1;
        setWidths(names, width, `drop ${actionNumber}`);
      },
      serialize: (names: readonly string[]) => serializeFields(fields().filter(({ name }) => names.includes(name))),
      paste(text: string, target: Target) {
        const read = parseFields(text);
        if (read.length === 0) notices.show(t("build.nothingToPaste"));
        else insert(read, target);
      },
    };
  }, [notices, t]);
  return useMemo(() => ({ ...actions, announcement }), [actions, announcement]);
}
