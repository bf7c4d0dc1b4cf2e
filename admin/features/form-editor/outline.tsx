/** Outline: the form's steps and fields as a list, with selection, drag and drop, and menus. */
import { memo, type ReactNode, useRef } from "react";
import { GridList, GridListItem } from "react-aria-components/GridList";
import { ListLayout, Virtualizer } from "react-aria-components/Virtualizer";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { fieldTitle } from "../../shared/field-types.ts";
import type { Row } from "./model/rows.ts";
import { pressListeners, useClipboardListeners } from "./outline-events.ts";
import { OutlineRow } from "./outline-row.tsx";
import { type OutlineProps, useOutlineRows } from "./outline-rows.ts";
import { rowMenu } from "./row-menu.ts";
import { useOutlineDrag } from "./use-outline-drag.ts";
import { useRowCommands } from "./use-row-commands.ts";

/** Height of a row and the gap below it, in pixels. Rows of equal height need no measuring. */
const ROW = { rowHeight: 36, gap: 2 } as const;

export const Outline = memo(function Outline(props: OutlineProps): ReactNode {
  const { editor, actions, selection } = props;
  const t = useText();
  const language = useLanguage();
  const outline = useOutlineRows(editor);
  const { rows, steps, groups, names } = outline;
  const dragAndDropHooks = useOutlineDrag(outline, actions);
  const commands = useRowCommands(props, outline);
  const latest = useRef(commands);
  latest.current = commands;
  const menu = { steps, groups, commands: latest, t, language };
  const nameOf = ({ label, number, field }: Row): string => {
    if (label !== "") return label;
    if (field === null) return t("build.stepNumber", { number });
    return fieldTitle(field, language);
  };
  return (
    <div {...pressListeners(props, outline, commands)} {...useClipboardListeners(props, outline)}>
      <Virtualizer layout={ListLayout} layoutOptions={ROW}>
        <GridList
          className="build-rows"
          aria-label={t("build.fields")}
          items={rows}
          selectionMode="multiple"
          selectionBehavior="replace"
          selectedKeys={selection.keys}
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
              <OutlineRow row={row} name={nameOf(row)} live={selection.live} entries={rowMenu(row, menu)} />
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    </div>
  );
});
