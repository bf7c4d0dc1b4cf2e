/** Outline: the form's steps and fields as a list, with selection, drag and drop, and menus. */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useMemo,
  useRef,
} from "react";
import { Button as AriaButton, ButtonContext } from "react-aria-components/Button";
import { GridList, GridListItem } from "react-aria-components/GridList";
import { type DropItem, useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { ListLayout, Virtualizer } from "react-aria-components/Virtualizer";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { Badge } from "../../ui/page.tsx";
import { holdsFields } from "../../shared/draft/content.ts";
import { changedFieldNames } from "../../shared/draft/difference.ts";
import { typeName } from "./model/field-types.ts";
import { type Row, rowsOf, targetAt } from "./model/rows.ts";
import { stepName } from "../../shared/draft/step-name.ts";
import { partsOf, stepsOf } from "../../shared/draft/tree.ts";
import { type LiveSelection, type Selection, useIsSelected } from "./selection.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { TypeIcon } from "./type-icon.tsx";
import { FIELD_DRAG, type FieldActions, namesIn, TYPE_DRAG } from "./use-field-actions.ts";

export interface OutlineProps {
  readonly editor: Draft;
  readonly actions: FieldActions;
  readonly selection: Selection;
  /** Starts editing a field's texts in the preview. */
  readonly onEditText: (name: string) => void;
  /** Removes fields; asks for confirmation first if they have answers. Other keys are ignored. */
  readonly onRemove: (keys: readonly string[]) => void;
}

/** Height of a row and the gap below it, in pixels. Rows of equal height need no measuring. */
const ROW = { rowHeight: 36, gap: 2 } as const;

export const Outline = memo(function Outline({
  editor,
  actions,
  selection,
  onEditText,
  onRemove,
}: OutlineProps): ReactNode {
  const { keys: selected, live } = selection;
  const t = useText();
  const language = useLanguage();
  const notices = useNotices();
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
  const nameOf = ({ label, number }: Row): string => label || t("build.stepNumber", { number });
  const rowOf = (key: string): Row | undefined => rows.find(({ id }) => id === key);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({ "text/plain": rowOf(String(key))?.label ?? "", [FIELD_DRAG]: String(key) })),
    acceptedDragTypes: [TYPE_DRAG, FIELD_DRAG],
    getDropOperation: (_target, types) => (types.has(TYPE_DRAG) ? "copy" : "move"),
    shouldAcceptItemDrop: ({ key }) => groups.some(({ name }) => name === key),
    onReorder: ({ keys, target }) =>
      actions.move([...keys].map(String), targetAt(rows, String(target.key), target.dropPosition)),
    onItemDrop: ({ items, target }) => drop(items, String(target.key), "on"),
    onInsert: ({ items, target }) => drop(items, String(target.key), target.dropPosition),
    onRootDrop: ({ items }) => drop(items, rows.at(-1)?.id ?? "", "after"),
  });
  async function drop(items: readonly DropItem[], key: string, position: "before" | "after" | "on"): Promise<void> {
    const target = targetAt(rows, key, position);
    const moved: string[] = [];
    for (const item of items) {
      if (item.kind !== "text") continue;
      if (item.types.has(TYPE_DRAG)) actions.addType(await item.getText(TYPE_DRAG), target);
      else if (item.types.has(FIELD_DRAG)) moved.push(...namesIn(await item.getText(FIELD_DRAG)));
    }
    actions.move(moved, target);
  }
  const selectionWith = (name: string): readonly string[] =>
    live.now().has(name) ? [...live.now()].filter((key) => names.has(key)) : [name];
  const shift = (row: Row, by: 1 | -1) => {
    if (row.field === null) {
      editor.run({ kind: "move_step", id: row.id.slice(5), by });
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
      schema.fields.filter(({ name }) => selectionWith(row.id).includes(name)),
      { ...row.place, after: row.id },
    );
  const remove = (row: Row) => onRemove(selectionWith(row.id));
  // The menu of a memoized row calls the latest functions.
  const latest = useRef({ shift, moveTo, duplicate, copy, paste, remove });
  latest.current = { shift, moveTo, duplicate, copy, paste, remove };
  const entriesOf = (row: Row): readonly (MenuEntry | null)[] => {
    const moves: readonly MenuEntry[] = [
      { id: "up", label: t("build.up"), icon: "up", onAction: () => latest.current.shift(row, -1) },
      { id: "down", label: t("build.down"), icon: "down", onAction: () => latest.current.shift(row, 1) },
    ];
    if (row.field === null) {
      const id = row.id.slice(5);
      return [
        ...moves,
        null,
        {
          id: "delete",
          label: t("build.removeStep"),
          icon: "trash",
          danger: true,
          onAction: () => editor.run({ kind: "remove_step", id }),
        },
      ];
    }
    return [
      ...moves,
      ...steps
        .filter(({ id }) => id !== row.place.step || row.place.group !== null)
        .map(({ id }) => ({
          id: `to-${id}`,
          label: t("build.toStep", { step: stepName(steps, id, t) }),
          onAction: () => latest.current.moveTo(row, id, null),
        })),
      ...groups
        .filter(({ name }) => name !== row.id && name !== row.place.group)
        .slice(0, 12)
        .map(({ name, label }) => ({
          id: `into-${name}`,
          label: t("build.toGroup", { group: label || name }),
          onAction: () => latest.current.moveTo(row, rowOf(name)?.place.step ?? null, name),
        })),
      ...(row.place.group === null || steps.length > 0
        ? []
        : [{ id: "out", label: t("build.outOfGroup"), onAction: () => latest.current.moveTo(row, null, null) }]),
      null,
      { id: "duplicate", label: t("build.duplicate"), icon: "copy", onAction: () => latest.current.duplicate(row) },
      { id: "copy", label: t("common.copy"), onAction: () => latest.current.copy(row) },
      { id: "paste", label: t("build.paste"), onAction: () => latest.current.paste(row) },
      {
        id: "delete",
        label: t("common.delete"),
        icon: "trash",
        danger: true,
        onAction: () => latest.current.remove(row),
      },
    ];
  };
  // Events of menus and dialogs bubble here through React's tree, from outside of the outline's DOM.
  const isInOutline = ({
    currentTarget,
    target,
  }: {
    readonly currentTarget: Element;
    readonly target: EventTarget;
  }): boolean => currentTarget.contains(target as Node);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isInOutline(event)) return;
    selection.flush();
    const key = (event.target as Element).closest("[data-key]")?.getAttribute("data-key");
    const row = rowOf(key ?? "");
    if (event.key === "Delete" || event.key === "Backspace") onRemove([...live.now()]);
    else if (event.key === "Enter" && row?.field != null && (event.target as Element).role === "row")
      onEditText(row.id);
    else if (event.altKey && row !== undefined && (event.key === "ArrowUp" || event.key === "ArrowDown"))
      shift(row, event.key === "ArrowUp" ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Selects before React Aria does, which waits for a possible drag and re-renders every row.
  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as Element;
    const row = rowOf(target.closest("[data-key]")?.getAttribute("data-key") ?? "");
    if (!isInOutline(event) || row === undefined) return;
    if (
      event.pointerType !== "mouse" ||
      event.button !== 0 ||
      event.shiftKey ||
      event.ctrlKey ||
      event.metaKey ||
      target.closest("button") !== null
    ) {
      selection.flush();
      return;
    }
    // The press may begin a drag of several selected rows.
    if (!live.now().has(row.id)) selection.show(new Set([row.id]));
  };
  const onDoubleClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = rowOf(target.closest("[data-key]")?.getAttribute("data-key") ?? "");
    if (isInOutline(event) && row?.field != null && target.closest("button") === null) onEditText(row.id);
  };
  const onCopy = (event: ClipboardEvent) => {
    if (live.now().size === 0 || !isInOutline(event)) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", actions.serialize([...live.now()]));
    notices.show(t("common.copied"));
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isInOutline(event)) return;
    event.preventDefault();
    const row = rowOf([...live.now()].at(-1) ?? "") ?? rows.at(-1);
    actions.paste(
      event.clipboardData.getData("text/plain"),
      row === undefined ? { step: null, group: null, after: null } : targetAt(rows, row.id, "after"),
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the grid inside takes the keys; this element sees them first.
    <div
      onKeyDownCapture={onKeyDown}
      onPointerDownCapture={onPointerDown}
      onDoubleClick={onDoubleClick}
      onCopy={onCopy}
      onPaste={onPaste}
    >
      <Virtualizer layout={ListLayout} layoutOptions={ROW}>
        <GridList
          className="build-rows"
          aria-label={t("build.fields")}
          items={rows}
          selectionMode="multiple"
          selectionBehavior="replace"
          selectedKeys={selected}
          onSelectionChange={(keys) => selection.set(keys === "all" ? names : new Set([...keys].map(String)))}
          dragAndDropHooks={dragAndDropHooks}
          dependencies={[
            t,
            groups.map(({ name, label }) => `${name} ${label}`).join("\n"),
            steps.map(({ id, title }) => `${id} ${title ?? ""}`).join("\n"),
          ]}
          style={rows.length === 0 ? {} : { height: `${rows.length * (ROW.rowHeight + ROW.gap)}px` }}
          renderEmptyState={() => <p className="help">{t("build.empty")}</p>}
        >
          {(row) => (
            <GridListItem
              id={row.id}
              className={row.field === null ? "build-row build-step" : "build-row"}
              textValue={nameOf(row)}
              style={{ paddingInlineStart: `${0.4 + row.depth * 1.1}rem` }}
            >
              <AriaButton slot="drag" className="build-handle" aria-label={t("build.drag", { name: nameOf(row) })}>
                <Icon name="menu" />
              </AriaButton>
              {row.field === null ? (
                <span className="build-step-number" aria-hidden="true">
                  {row.number}
                </span>
              ) : (
                <span className="build-row-type" title={typeName(row.field.type, language)}>
                  <TypeIcon type={row.field.type} />
                </span>
              )}
              <RowLabel live={live} row={row} label={nameOf(row)} />
              {row.field === null ? null : (
                <span className="visually-hidden">{typeName(row.field.type, language)}</span>
              )}
              {row.field?.required === true ? (
                <span className="build-row-required" title={t("build.required")}>
                  <span aria-hidden="true">*</span>
                  <span className="visually-hidden">{t("build.required")}</span>
                </span>
              ) : null}
              {row.isChanged ? (
                <span className="build-row-changed" title={t("build.changed")}>
                  <span className="visually-hidden">{t("build.changed")}</span>
                </span>
              ) : null}
              {row.field === null || row.field.conditions.length === 0 ? null : (
                <Badge tone={row.isBroken ? "bad" : "info"}>
                  {t(row.isBroken ? "build.brokenCondition" : "build.conditional")}
                </Badge>
              )}
              <ButtonContext value={null}>
                <Menu label={t("build.menu", { name: nameOf(row) })} entries={entriesOf(row)} />
              </ButtonContext>
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    </div>
  );
});

interface RowLabelProps {
  readonly live: LiveSelection;
  readonly row: Row;
  readonly label: string;
}

/** Label of a row, which also marks the row as selected. */
function RowLabel({ live, row, label }: RowLabelProps): ReactNode {
  return (
    <span className="clip build-row-label" data-chosen={useIsSelected(live, row.id) || undefined}>
      {label}
    </span>
  );
}
