/**
 * Virtualized list of the inbox: only rows in view are rendered.
 *
 * biome-ignore-all lint/a11y/useSemanticElements: rows at computed places need ARIA's grid pattern; a table lays rows out.
 * biome-ignore-all lint/a11y/useFocusableInteractive: the rows of this grid take the focus, not its cells.
 */
import { memo, type MouseEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import type { Submission } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { useEvent } from "../../shared/use-event.ts";

/** Row heights in pixels: with columns, and with two lines. */
const HEIGHTS = { columns: 46, lines: 64 } as const;
const OVERSCAN = 8;
/** Distance from the end of the list, in rows, at which the next page is loaded. */
const PREFETCH_ROWS = 40;

export interface Column {
  readonly key: string;
  readonly label: string;
  /** Track size in CSS grid syntax. */
  readonly width: string;
  readonly show: (submission: Submission) => ReactNode;
}

export interface GridProps {
  readonly label: string;
  readonly rows: readonly Submission[];
  readonly total: number;
  readonly columns: readonly Column[];
  /** Whether rows have two lines instead of columns. */
  readonly isNarrow: boolean;
  /** Index of the shown row, or else of the row with the focus; -1 without either. */
  readonly active: number;
  /** Counter; each change moves the focus to the active row. */
  readonly focusRequests: number;
  readonly selected: ReadonlySet<number>;
  readonly opened: number | null;
  readonly canChange: boolean;
  readonly onOpen: (submission: Submission) => void;
  readonly onToggle: (id: number) => void;
  /** Selects the rows up to this one. */
  readonly onExtend: (id: number) => void;
  readonly onStar: (submission: Submission) => void;
  readonly onFocus: (id: number) => void;
  readonly onEnd: () => void;
  readonly onScrollTop: (isAtTop: boolean) => void;
}

/** Selects the rows to render. Calls back near the end of the list, and when the first row appears or disappears. */
function useRowWindow(
  box: RefObject<HTMLDivElement | null>,
  height: number,
  { rows, onEnd, onScrollTop }: Pick<GridProps, "rows" | "onEnd" | "onScrollTop">,
): RowWindow {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    // React renders the rows with its next update; until then, the overscan fills the view.
    useFlushSync: false,
  });
  const measuredHeight = useRef(height);
  useLayoutEffect(() => {
    if (measuredHeight.current === height) return;
    measuredHeight.current = height;
    virtualizer.measure();
  }, [virtualizer, height]);
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
  const isAtTop = (virtualizer.range?.startIndex ?? 0) === 0;
  useEffect(() => onScrollTop(isAtTop), [isAtTop, onScrollTop]);
  const missingRows = last + PREFETCH_ROWS - rows.length;
  useEffect(() => {
    if (missingRows >= 0) onEnd();
  }, [missingRows, onEnd]);
  return virtualizer;
}

type RowWindow = Virtualizer<HTMLDivElement, Element>;

/** Scrolls to the active row when it changes, and moves the focus to it on request. */
function useActiveRow(
  box: RefObject<HTMLDivElement | null>,
  rowWindow: RowWindow,
  { rows, active, focusRequests }: Pick<GridProps, "rows" | "active" | "focusRequests">,
): void {
  const shouldFocus = useRef(false);
  const handledRequests = useRef(focusRequests);
  if (handledRequests.current !== focusRequests) {
    handledRequests.current = focusRequests;
    shouldFocus.current = true;
  }
  // Added rows do not trigger scrolling, because the user may have scrolled away from the active row.
  const scrollTo = useEvent((index: number) => {
    if (index >= 0 && index < rows.length) rowWindow.scrollToIndex(index);
  });
  useLayoutEffect(() => scrollTo(active), [active]);
  // The active row may be rendered only after scrolling, so each update looks for it; then it takes the focus.
  useEffect(() => {
    if (!shouldFocus.current) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (row === null || row === undefined) return;
    shouldFocus.current = false;
    row.focus();
  });
}

export function Grid(props: GridProps): ReactNode {
  const { rows, total, columns, isNarrow, active, canChange } = props;
  const height = isNarrow ? HEIGHTS.lines : HEIGHTS.columns;
  const box = useRef<HTMLDivElement>(null);
  // A row of two lines shows the star beside the name.
  const tools = (canChange ? 1 : 0) + (isNarrow ? 0 : 1);
  const tracks = `${"30px ".repeat(tools)}${columns.map(({ width }) => width).join(" ")}`;
  const rowWindow = useRowWindow(box, height, props);
  useActiveRow(box, rowWindow, props);
  return (
    <div
      className={isNarrow ? "grid narrow" : "grid"}
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + 1}
      aria-multiselectable={canChange}
    >
      <HeadRow columns={columns} tracks={tracks} canChange={canChange} hasStar={!isNarrow} />
      <div className="grid-box" ref={box} role="rowgroup">
        <div className="grid-all" style={{ height: rowWindow.getTotalSize() }} role="presentation">
          {rowWindow.getVirtualItems().map(({ index }) => {
            const submission = rows[index];
            return submission === undefined ? null : (
              <Row
                key={submission.id}
                submission={submission}
                index={index}
                height={height}
                columns={columns}
                tracks={tracks}
                isActive={index === active || (active < 0 && index === 0)}
                isSelected={props.selected.has(submission.id)}
                isOpen={submission.id === props.opened}
                hasStar={!isNarrow}
                canChange={canChange}
                onOpen={props.onOpen}
                onToggle={props.onToggle}
                onExtend={props.onExtend}
                onStar={props.onStar}
                onFocus={props.onFocus}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function HeadRow({
  columns,
  tracks,
  canChange,
  hasStar,
}: Pick<RowProps, "columns" | "tracks" | "canChange" | "hasStar">): ReactNode {
  const t = useText();
  return (
    <div className="grid-row head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
      {canChange ? (
        <span role="columnheader">
          <span className="visually-hidden">{t("inbox.selected")}</span>
        </span>
      ) : null}
      {hasStar ? (
        <span role="columnheader">
          <span className="visually-hidden">{t("inbox.starred")}</span>
        </span>
      ) : null}
      {columns.map(({ key: name, label }) => (
        <span key={name} role="columnheader" className="clip">
          {label}
        </span>
      ))}
    </div>
  );
}

interface RowProps
  extends Pick<GridProps, "columns" | "canChange" | "onOpen" | "onToggle" | "onExtend" | "onStar" | "onFocus"> {
  readonly submission: Submission;
  readonly index: number;
  readonly height: number;
  readonly tracks: string;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly hasStar: boolean;
}

const Row = memo(function Row(props: RowProps): ReactNode {
  const { submission, index, height, columns, tracks, isActive, isSelected, isOpen, hasStar, canChange } = props;
  const { onOpen, onToggle, onExtend, onFocus } = props;
  const { id } = submission;
  const press = (event: MouseEvent) => {
    // The checkbox and the buttons of the row handle their clicks.
    if (event.target instanceof Element && event.target.closest("button, .grid-tool") !== null) return;
    if (canChange && event.shiftKey) onExtend(id);
    else if (canChange && (event.ctrlKey || event.metaKey)) onToggle(id);
    else onOpen(submission);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the inbox open and select the row with the focus.
    <div
      className="grid-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isOpen || undefined}
      data-index={index}
      data-open={isOpen || undefined}
      data-unread={submission.status === "new" || undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ gridTemplateColumns: tracks, top: index * height, height }}
      onClick={press}
      onFocus={(event) => event.target === event.currentTarget && onFocus(id)}
      // A shift-click selects rows, not the text between two clicks.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      {canChange ? <SelectCell {...props} /> : null}
      {hasStar ? <StarCell {...props} /> : null}
      {columns.map(({ key, show }) => (
        <span key={key} role="gridcell" className="clip">
          {show(submission)}
        </span>
      ))}
    </div>
  );
});

function SelectCell({ submission: { id }, isSelected, onToggle, onExtend }: RowProps): ReactNode {
  const t = useText();
  return (
    <span role="gridcell" className="grid-tool">
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isSelected}
        aria-label={t("inbox.select", { id })}
        onClick={(event) => (event.shiftKey ? onExtend(id) : onToggle(id))}
        onChange={() => undefined}
      />
    </span>
  );
}

function StarCell({ submission, canChange, onStar }: RowProps): ReactNode {
  const t = useText();
  const { id, starred } = submission;
  return (
    <span role="gridcell" className="grid-tool">
      {canChange ? (
        <button
          type="button"
          className="star"
          tabIndex={-1}
          aria-pressed={starred}
          aria-label={t("inbox.star", { id })}
          onClick={() => onStar(submission)}
        >
          <Icon name="star" filled={starred} />
        </button>
      ) : starred ? (
        <Icon name="star" filled />
      ) : null}
    </span>
  );
}
