/** The form's steps and fields as a list: chosen, moved and taken away by mouse, keyboard and menu. */
import { memo, type ReactNode, useMemo, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { GridList, GridListItem } from "react-aria-components/GridList";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { ListLayout, Virtualizer } from "react-aria-components/Virtualizer";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/http.ts";
import { useText, useTextOf } from "../../text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { useNotices } from "../../ui/notices.tsx";
import { Confirm, Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { Badge } from "../../ui/page.tsx";
import { type Field, fieldOf, type FieldMembers, holdsFields } from "./model/content.ts";
import { freeName, newField, PALETTE } from "./model/field-types.ts";
import { type Branch, type Part, partsOf, stepsOf, type Target } from "./model/tree.ts";
import { TYPE_DRAG } from "./palette.tsx";
import type { Editor } from "./use-editor.ts";

interface Row {
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  readonly field: Field | null;
  readonly place: Target;
}

export interface OutlineProps {
  readonly editor: Editor;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
}

const NO_ANSWERS: readonly { readonly name: string; readonly count: number }[] = [];

export function useAnswerCounts(formId: number): ReadonlyMap<string, number> {
  const api = useApi();
  const { data = NO_ANSWERS } = useQuery({ queryKey: ["answer-names", formId], queryFn: ({ signal }) => api.send<readonly { readonly name: string; readonly count: number }[]>("GET", `/forms/${formId}/answer-names`, { signal }) });
  return useMemo(() => new Map(data.map(({ name, count }) => [name, count])), [data]);
}

/** A row's height and the gap below it, in pixels; a list whose rows are all alike need not measure them. */
const ROW = { rowHeight: 36, gap: 2 } as const;

export const Outline = memo(function Outline({ editor, selected, onSelect }: OutlineProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const notices = useNotices();
  const counts = useAnswerCounts(editor.form.id);
  const [leaving, setLeaving] = useState<readonly string[]>([]);
  const { schema } = editor.content;
  const parts = useMemo(() => partsOf(schema), [schema]);
  const earlier = useRef<readonly Row[]>([]);
  const rows = useMemo(() => (earlier.current = keepEqual(rowsOf(parts), earlier.current)), [parts]);
  const steps = useMemo(() => stepsOf(schema), [schema]);
  const targetAt = (key: string, position: "before" | "after" | "on"): Target => {
    const row = rows.find(({ id }) => id === key);
    if (row === undefined) return { step: null, group: null, after: null };
    if (row.field === null) return row.place;
    if (position === "on") return { step: row.place.step, group: row.field.name, after: null };
    return position === "before" ? row.place : { ...row.place, after: row.field.name };
  };
  const names = new Set(schema.fields.map(({ name }) => name));
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key), "application/x-cf-field": String(key) })),
    acceptedDragTypes: [TYPE_DRAG, "application/x-cf-field"],
    getDropOperation: (_target, types) => (types.has(TYPE_DRAG) ? "copy" : "move"),
    shouldAcceptItemDrop: ({ key }) => schema.fields.some(({ name, type }) => name === key && holdsFields(type)),
    onReorder: ({ keys, target }) => move([...keys].map(String), targetAt(String(target.key), target.dropPosition)),
    onItemDrop: async ({ items, target, isInternal }) => {
      for (const item of items) {
        if (item.kind !== "text") continue;
        if (isInternal && item.types.has("application/x-cf-field")) move([await item.getText("application/x-cf-field")], targetAt(String(target.key), "on"));
        else if (item.types.has(TYPE_DRAG)) addType(await item.getText(TYPE_DRAG), targetAt(String(target.key), "on"));
      }
    },
    onInsert: async ({ items, target }) => {
      for (const item of items) if (item.kind === "text" && item.types.has(TYPE_DRAG)) addType(await item.getText(TYPE_DRAG), targetAt(String(target.key), target.dropPosition));
    },
    onRootDrop: async ({ items }) => {
      for (const item of items) if (item.kind === "text" && item.types.has(TYPE_DRAG)) addType(await item.getText(TYPE_DRAG), { step: parts.at(-1)?.step?.id ?? null, group: null, after: parts.at(-1)?.children.at(-1)?.field.name ?? null });
    },
  });
  function addType(type: string, target: Target): void {
    const entry = PALETTE.find((own) => own.type === type);
    if (entry === undefined) return;
    const field = newField(entry.type, t(entry.text), [1, 2, 3].map((number) => t("build.option", { number })), names);
    editor.run({ kind: "add", fields: [field], target });
    onSelect(new Set([field.name]));
  }
  function move(keys: readonly string[], target: Target): void {
    const moved = keys.filter((key) => names.has(key));
    if (moved.length > 0) editor.run({ kind: "move", names: moved, target });
  }
  const take = (keys: readonly string[]) => {
    editor.run({ kind: "remove", names: keys });
    notices.done(t("build.removed", { count: keys.length }), editor.undo);
  };
  const askToTake = (keys: readonly string[]) => {
    const own = keys.filter((key) => names.has(key));
    if (own.some((key) => (counts.get(key) ?? 0) > 0)) setLeaving(own);
    else if (own.length > 0) take(own);
  };
  const chosenWith = (name: string): readonly string[] => (selected.has(name) ? [...selected].filter((key) => names.has(key)) : [name]);
  const copy = (name: string) => {
    const fields = schema.fields.filter((field) => chosenWith(name).includes(field.name));
    void navigator.clipboard.writeText(JSON.stringify({ "cf-fields": fields })).then(() => notices.tell(t("common.copied")), () => notices.tell(t("common.notCopied")));
  };
  const insert = (fields: readonly Field[], target: Target) => {
    const taken = new Set(names);
    const nameOf = new Map<string, string>();
    for (const { name } of fields) {
      const own = taken.has(name) ? freeName(name, taken) : name;
      nameOf.set(name, own);
      taken.add(own);
    }
    editor.run({ kind: "add", fields: fields.map((field) => ({ ...field, name: nameOf.get(field.name) ?? field.name, group: nameOf.get(field.group ?? "") ?? null, conditions: field.conditions.filter((rule) => !("field" in rule) || names.has(rule.field)) })), target });
    onSelect(new Set(nameOf.values()));
  };
  const paste = (target: Target) => {
    void navigator.clipboard.readText().then((text) => insert(fieldsIn(text), target)).catch(() => notices.tell(t("build.nothingToPaste")));
  };
  const shift = (row: Row, by: 1 | -1) => {
    const siblings = rows.filter(({ field, place }) => field !== null && place.step === row.place.step && place.group === row.place.group);
    const at = siblings.findIndex(({ id }) => id === row.id);
    const other = siblings[at + by];
    if (other !== undefined) move([row.id], by === 1 ? targetAt(other.id, "after") : targetAt(other.id, "before"));
  };
  const duplicate = (row: Row) => insert(schema.fields.filter(({ name }) => chosenWith(row.id).includes(name)), { ...row.place, after: row.id });
  const moveTo = (row: Row, id: string) => {
    const last = parts.find(({ step }) => step?.id === id)?.children.at(-1)?.field.name ?? null;
    move(chosenWith(row.id), { step: id, group: null, after: last });
  };
  const remove = (row: Row) => askToTake(chosenWith(row.id));
  // A row stays as it is while only others change; what its menu does looks here.
  const latest = useRef({ shift, moveTo, duplicate, copy, paste, remove });
  latest.current = { shift, moveTo, duplicate, copy, paste, remove };
  const entriesOf = (row: Row): readonly (MenuEntry | null)[] => [
    { id: "up", label: t("build.up"), icon: "up", onAction: () => latest.current.shift(row, -1) },
    { id: "down", label: t("build.down"), icon: "down", onAction: () => latest.current.shift(row, 1) },
    ...steps.filter(({ id }) => id !== row.place.step).map(({ id, title }) => ({ id: `to-${id}`, label: t("build.toStep", { step: title || id }), onAction: () => latest.current.moveTo(row, id) })),
    null,
    { id: "duplicate", label: t("build.duplicate"), icon: "copy", onAction: () => latest.current.duplicate(row) },
    { id: "copy", label: t("common.copy"), onAction: () => latest.current.copy(row.id) },
    { id: "paste", label: t("build.paste"), onAction: () => latest.current.paste({ ...row.place, after: row.id }) },
    { id: "delete", label: t("common.delete"), icon: "trash", danger: true, onAction: () => latest.current.remove(row) },
  ];
  return (
    <div onKeyDown={(event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      askToTake([...selected]);
    }}>
      <Virtualizer layout={ListLayout} layoutOptions={ROW}>
        <GridList
          className="build-rows" aria-label={t("build.fields")} items={rows} selectionMode="multiple" selectionBehavior="replace" selectedKeys={selected}
          onSelectionChange={(keys) => onSelect(keys === "all" ? names : new Set([...keys].map(String)))}
          dragAndDropHooks={dragAndDropHooks} dependencies={[t, steps.map(({ id, title }) => `${id} ${title ?? ""}`).join("\n")]} style={rows.length === 0 ? {} : { height: `${rows.length * (ROW.rowHeight + ROW.gap)}px` }} renderEmptyState={() => <p className="help">{t("build.empty")}</p>}
        >
          {(row) => (
            <GridListItem id={row.id} className={row.field === null ? "build-row build-step" : "build-row"} textValue={row.label} style={{ paddingInlineStart: `${0.4 + row.depth * 1.1}rem` }}>
              <AriaButton slot="drag" className="build-handle" aria-label={t("build.drag", { name: row.label })}><Icon name="menu" /></AriaButton>
              <span className="clip build-row-label">{row.label}</span>
              {row.field === null ? null : <>
                {row.field.conditions.length === 0 ? null : <Badge tone="info">{t("build.conditional")}</Badge>}
                <span className="muted clip build-row-type">{textOf("build.type", row.field.type)}</span>
                <Menu label={t("build.menu", { name: row.label })} entries={entriesOf(row)} />
              </>}
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
      <Confirm
        title={t("build.deleteTitle", { count: leaving.length })} action={t("common.delete")} isOpen={leaving.length > 0} onClose={() => setLeaving([])}
        text={t("build.deleteAnswers", { count: leaving.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0) })} onConfirm={() => take(leaving)}
      />
    </div>
  );
});

/** The rows, each the earlier one where nothing of it changed, so that it is not drawn anew. */
function keepEqual(rows: readonly Row[], earlier: readonly Row[]): readonly Row[] {
  const before = new Map(earlier.map((row) => [row.id, row]));
  return rows.map((row) => {
    const own = before.get(row.id);
    const isEqual = own !== undefined && own.field === row.field && own.label === row.label && own.depth === row.depth
      && own.place.step === row.place.step && own.place.group === row.place.group && own.place.after === row.place.after;
    return isEqual ? own : row;
  });
}

function rowsOf(parts: readonly Part[]): readonly Row[] {
  const rows: Row[] = [];
  const list = (branches: readonly Branch[], depth: number, step: string | null, group: string | null): void => {
    let after: string | null = null;
    for (const { field, children } of branches) {
      rows.push({ id: field.name, label: field.label || field.name, depth, field, place: { step, group, after } });
      list(children, depth + 1, step, field.name);
      after = field.name;
    }
  };
  // What is in no step is shown behind them.
  const [loose, ...stepped] = parts;
  for (const { step, children } of [...stepped, ...(loose === undefined ? [] : [loose])]) {
    if (step !== null) rows.push({ id: `step:${step.id}`, label: step.title || step.id, depth: 0, field: null, place: { step: step.id, group: null, after: null } });
    list(children, step === null ? 0 : 1, step?.id ?? null, null);
  }
  return rows;
}

/** The fields that were copied, of this form or another; what else is on the clipboard is refused. */
function fieldsIn(text: string): readonly Field[] {
  const { "cf-fields": fields } = JSON.parse(text) as { readonly "cf-fields"?: unknown };
  if (!Array.isArray(fields)) throw new TypeError("no fields");
  return fields.map((field: unknown) => fieldOf(field as FieldMembers & { readonly name: string })).filter(({ name }) => typeof name === "string" && name !== "");
}
