/** Inbox: a list with keyboard navigation, beside the open submission. */
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Submission } from "../../../client/index.ts";
import { useCanChange } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { useQueryState } from "../../ui/address.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, ErrorMessage, Loading } from "../../ui/states.tsx";
import { isTyping } from "../../shared/typing.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { columnsFor, ColumnsMenu, useColumnChoice, defaultColumns } from "./columns.tsx";
import { Detail } from "./detail.tsx";
import { ExportButton } from "./export-button.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filtersOf } from "./filters.ts";
import { Grid } from "./grid.tsx";
import { useInboxForms } from "./inbox-forms.ts";
import { useSubmissions } from "./use-submissions.ts";

export default function InboxPage(): ReactNode {
  const t = useText();
  const canChange = useCanChange();
  const [query, change] = useQueryState();
  const filters = useMemo(() => filtersOf(query), [query]);
  const list = useSubmissions(filters);
  const { forms, fields, newestCount } = useInboxForms(filters.formId, list.rows);
  const [chosen, setChosen] = useColumnChoice(filters.formId);
  const [active, setActive] = useState(-1);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [focusRequests, setFocusRequests] = useState(0);
  const [isAtTop, setIsAtTop] = useState(true);
  const [isNarrow, measured] = useIsNarrow();
  const openedId = Number(query.get("open")) || null;
  const { rows } = list;
  const openedIndex = rows.findIndex(({ id }) => id === openedId);

  useEffect(() => setSelected(new Set()), [filters.formId, filters.view]);
  // New submissions appear at once while nothing is selected and the list is at its top.
  useEffect(() => {
    if (list.arrived > 0 && isAtTop && selected.size === 0) list.refresh();
  }, [list.arrived, isAtTop, selected.size]);

  useEffect(() => {
    if (rows.length > 0 && active >= rows.length) setActive(rows.length - 1);
  }, [rows.length, active]);

  const open = useCallback((submission: Submission) => change({ open: String(submission.id) }, true), [change]);
  // Stable callbacks, so that rows do not re-render while the list grows.
  const latest = useRef(list);
  latest.current = list;
  const loadMore = useCallback(() => {
    if (latest.current.hasMore && !latest.current.isLoadingMore) latest.current.loadMore();
  }, []);
  const star = useCallback((submission: Submission) => latest.current.setStarred(submission, !submission.starred), []);
  const select = useCallback(
    (submission: Submission, isSelected: boolean) =>
      setSelected((before) => {
        const after = new Set(before);
        if (isSelected) after.add(submission.id);
        else after.delete(submission.id);
        return after;
      }),
    [],
  );
  const columns = useMemo(
    () => columnsFor({ fields, chosen, formId: filters.formId, forms, isNarrow, t }),
    [fields, chosen, filters.formId, forms, isNarrow, t],
  );

  const current = rows[active < 0 ? openedIndex : active];
  const targets = selected.size > 0 ? [...selected] : current === undefined ? [] : [current.id];
  const triage = (status: string) => {
    list.setStatus(targets, status);
    setSelected(new Set());
    // Time the focused row leaves the list, the row in its openedIndex takes the focus.
    if (openedId === null) setFocusRequests((count) => count + 1);
  };
  const handleKey = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const commands: Readonly<Record<string, () => void>> = {
      Enter: () => current !== undefined && open(current),
      Escape: () => change({ open: null }),
      ...(canChange
        ? {
            x: () => current !== undefined && select(current, !selected.has(current.id)),
            " ": () => current !== undefined && select(current, !selected.has(current.id)),
            s: () => current !== undefined && star(current),
            e: () => triage("archived"),
            u: () => triage("new"),
            "!": () => triage("spam"),
            "#": () => triage("trash"),
          }
        : {}),
    };
    const run = commands[event.key];
    if (
      run === undefined ||
      ((event.key === "Enter" || event.key === " ") && (event.target as Element).closest("button, a, input") !== null)
    )
      return;
    event.preventDefault();
    run();
  };
  useGlobalKeys((event) => {
    if (event.key === "/") {
      event.preventDefault();
      const root =
        event.composedPath().find((node) => node instanceof HTMLElement && node.classList.contains("cf-admin")) ??
        document;
      (root as ParentNode).querySelector<HTMLElement>("[data-search-field]")?.focus();
    } else if ((event.key === "j" || event.key === "k") && rows.length > 0) {
      event.preventDefault();
      const next = active < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, active + (event.key === "j" ? 1 : -1)));
      setActive(next);
      setFocusRequests((count) => count + 1);
      const row = rows[next];
      if (openedId !== null && row !== undefined) change({ open: String(row.id) });
    } else if (openedId !== null || active >= 0) handleKey(event);
  });

  const step = (by: number) => {
    const row = rows[openedIndex + by];
    if (row === undefined) return;
    setActive(openedIndex + by);
    change({ open: String(row.id) });
  };
  return (
    <Page
      title={t("inbox.title")}
      actions={
        <>
          <ColumnsMenu fields={fields} formId={filters.formId} chosen={chosen} onChange={setChosen} />
          <ExportButton filters={filters} total={list.total} columns={chosen ?? defaultColumns(fields)} />
        </>
      }
    >
      <FilterBar
        filters={filters}
        forms={forms}
        fields={fields}
        change={change}
        {...(newestCount === undefined ? {} : { newestCount })}
      />
      <div className={openedId === null ? "inbox" : "inbox with-detail"}>
        <section className="inbox-list" aria-label={t("inbox.list")} ref={measured}>
          <div className="inbox-status" role="status">
            {selected.size > 0 ? null : (
              <span className="muted">
                {list.isPending ? "" : t(list.isLowerBound ? "inbox.countLeast" : "inbox.count", { count: list.total })}
              </span>
            )}
            {list.arrived > 0 && !(isAtTop && selected.size === 0) ? (
              <Button look="quiet" onPress={list.refresh}>
                {t("inbox.arrived", { count: list.arrived })}
              </Button>
            ) : null}
          </div>
          {selected.size === 0 ? null : (
            <BulkBar
              count={selected.size}
              view={filters.view}
              onStatus={(status) => {
                list.setStatus([...selected], status);
                setSelected(new Set());
              }}
              onDelete={() => {
                list.remove([...selected]);
                setSelected(new Set());
              }}
              onAll={() => setSelected(new Set(rows.map(({ id }) => id)))}
              onNone={() => setSelected(new Set())}
            />
          )}
          {list.error !== null && rows.length === 0 ? <ErrorMessage error={list.error} onRetry={list.refresh} /> : null}
          {list.isPending && list.error === null ? <Loading /> : null}
          {!list.isPending && list.error === null && rows.length === 0 ? (
            <Empty icon="inbox" title={t("inbox.empty")}>
              <p>{t("inbox.emptyText")}</p>
            </Empty>
          ) : null}
          {rows.length === 0 ? null : (
            <Grid
              label={t("inbox.list")}
              rows={rows}
              total={list.total}
              columns={columns}
              isNarrow={isNarrow}
              focusRequests={focusRequests}
              active={active < 0 ? Math.max(0, openedIndex) : active}
              selected={selected}
              opened={openedId}
              canChange={canChange}
              onActive={setActive}
              onOpen={open}
              onSelect={select}
              onStar={star}
              onKeyDown={handleKey}
              onScrollTop={setIsAtTop}
              onEnd={loadMore}
            />
          )}
        </section>
        {openedId === null ? null : (
          <Detail
            key={openedId}
            id={openedId}
            list={list}
            {...(openedIndex > 0 ? { onPrevious: () => step(-1) } : {})}
            {...(openedIndex >= 0 && openedIndex < rows.length - 1 ? { onNext: () => step(1) } : {})}
            onClose={() => change({ open: null })}
          />
        )}
      </div>
    </Page>
  );
}

/** Handles keyboard shortcuts anywhere, except in text inputs and overlays. */
function useGlobalKeys(onKey: (event: globalThis.KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const path = event.composedPath();
      const isInGrid = path.some((node) => node instanceof HTMLElement && node.getAttribute("role") === "grid");
      const isInOverlay = path.some(
        (node) =>
          node instanceof HTMLElement && /^(?:dialog|alertdialog|menu|listbox)$/.test(node.getAttribute("role") ?? ""),
      );
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isInOverlay || isTyping(event))
        return;
      if (isInGrid && event.key !== "/") return;
      latest.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Measures whether the list has room for only one column. */
function useIsNarrow(): readonly [boolean, (element: HTMLElement | null) => void] {
  const [isNarrow, setIsNarrow] = useState(false);
  const observer = useRef<ResizeObserver | null>(null);
  const measured = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new ResizeObserver(([entry]) => setIsNarrow((entry?.contentRect.width ?? 1000) < 620));
    observer.current.observe(element);
  }, []);
  return [isNarrow, measured];
}
