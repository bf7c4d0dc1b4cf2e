/** Inbox: views, a list with keyboard navigation, and the shown submission beside it. */
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Submission } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { failedSubmissionsQuery } from "../../shared/api/resources.ts";
import { useCanChange } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/overlays.tsx";
import { useDocumentTitle } from "../../ui/page.tsx";
import { Empty, ErrorMessage, Loading } from "../../ui/states.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { columnsFor, ColumnsMenu, defaultColumns, useColumnChoice } from "./columns.tsx";
import { Detail } from "./detail.tsx";
import { ExportButton } from "./export-dialog.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { isNarrowed } from "./filters.ts";
import { Grid } from "./grid.tsx";
import { useInboxForms } from "./inbox-forms.ts";
import { SortMenu, sortsFor } from "./sort-menu.tsx";
import { type Inbox, useInbox } from "./use-inbox.ts";
import { useInboxKeys } from "./use-inbox-keys.ts";
import { verbToInbox } from "./verbs.ts";
import { useEvent } from "../../shared/use-event.ts";

/** Width in pixels below which the list and the detail view replace each other. */
const MIN_SPLIT_WIDTH = 700;

export default function InboxPage(): ReactNode {
  const t = useText();
  const listSection = useRef<HTMLElement>(null);
  const replyLink = useRef<HTMLAnchorElement>(null);
  const inbox = useInbox(() => listSection.current?.focus());
  const { filters, list, shown, openedId, currentIndex, rows, counts, change } = inbox;
  const { forms, fields, newestCount } = useInboxForms(filters.formId, list.rows);
  const [chosen, setChosen] = useColumnChoice(filters.formId);
  const [isSheet, measured] = useIsSheet();
  const columns = useColumns(inbox, { forms, fields, chosen, isNarrow: isSheet || openedId !== null });
  const { submission } = shown;
  useDocumentTitle(t("inbox.title"));
  useCommands(inbox, isSheet, listSection, replyLink);
  const move = (by: number) => inbox.move(by, { isFocusOnly: false, isExtending: false });
  return (
    <div className="inbox-screen">
      <FilterBar
        filters={filters}
        forms={forms}
        fields={fields}
        counts={counts === undefined ? {} : { ...counts, new: counts.unread }}
        change={change}
        {...(newestCount === undefined ? {} : { newestCount })}
        actions={
          <>
            <ColumnsMenu fields={fields} formId={filters.formId} chosen={chosen} onChange={setChosen} />
            <ExportButton
              filters={filters}
              total={list.total}
              forms={forms}
              columns={chosen ?? defaultColumns(fields)}
            />
          </>
        }
      />
      <div className={`inbox${openedId === null ? "" : " with-detail"}${isSheet ? " sheet" : ""}`} ref={measured}>
        <List inbox={inbox} columns={columns} isNarrow={isSheet || openedId !== null} section={listSection} />
        {openedId === null ? null : (
          <Detail
            key={openedId}
            id={openedId}
            query={shown.query}
            submission={submission}
            formTitle={forms.find(({ id }) => id === submission?.form_id)?.title}
            list={list}
            isSheet={isSheet}
            replyLink={replyLink}
            onVerb={(verb) => submission !== null && inbox.apply(verb, [submission])}
            onStar={() => submission !== null && list.setStarred([submission], !submission.starred)}
            onDelete={() => submission !== null && inbox.remove([submission])}
            onPrevious={currentIndex > 0 ? () => move(-1) : undefined}
            onNext={currentIndex < rows.length - 1 ? () => move(1) : undefined}
            onClose={inbox.close}
          />
        )}
      </div>
    </div>
  );
}

type ColumnsOptions = Pick<Parameters<typeof columnsFor>[0], "forms" | "fields" | "chosen" | "isNarrow">;

/** The columns of the list, memoized until their content changes. */
function useColumns(inbox: Inbox, { forms, fields, chosen, isNarrow }: ColumnsOptions) {
  const t = useText();
  const canChange = useCanChange();
  const { data: failedIds } = useQuery({ ...failedSubmissionsQuery(useClient()), enabled: canChange });
  const latest = useRef(inbox);
  latest.current = inbox;
  const { formId, view } = inbox.filters;
  return useMemo(
    () =>
      columnsFor({
        fields,
        chosen,
        formId,
        forms,
        view,
        isNarrow,
        failed: new Set(failedIds),
        t,
        ...(canChange ? { onRestore: (row: Submission) => latest.current.apply("restore", [row]) } : {}),
      }),
    [fields, chosen, formId, view, forms, isNarrow, failedIds, t, canChange],
  );
}

/** Connects the keyboard shortcuts to the commands of the inbox. */
function useCommands(
  inbox: Inbox,
  isSheet: boolean,
  listSection: RefObject<HTMLElement | null>,
  replyLink: RefObject<HTMLAnchorElement | null>,
): void {
  const canChange = useCanChange();
  const { list, rows, openedId, currentId, selection, selected, targets, apply } = inbox;
  const changing = (command: () => void) => () => {
    if (canChange) command();
  };
  const onCurrent = (command: (id: number) => void) => () => {
    if (currentId !== null) command(currentId);
  };
  useInboxKeys({
    move: (by, isExtending) => inbox.move(by, { isFocusOnly: isSheet && openedId === null, isExtending }),
    open: onCurrent(inbox.open),
    close() {
      if (selected.length > 0) selection.clear();
      else if (openedId !== null) inbox.close();
    },
    // The admin may be in a shadow root.
    search: () => listSection.current?.closest(".cf-admin")?.querySelector<HTMLElement>("[data-search-field]")?.focus(),
    selectAll: changing(() => selection.set(rows.map(({ id }) => id))),
    toggle: changing(onCurrent(selection.toggle)),
    extend: changing(onCurrent((id) => selection.extendTo(id, id))),
    reply: () => replyLink.current?.click(),
    archive: changing(() => apply("archive", targets)),
    moveToInbox: changing(() => {
      for (const [verb, members] of Map.groupBy(targets, ({ status }) => verbToInbox(status))) apply(verb, members);
    }),
    star: changing(() => list.setStarred(targets, !targets.every(({ starred }) => starred))),
    unread: changing(() => apply("unread", targets)),
    spam: changing(() => apply("spam", targets)),
    trash: changing(() => apply("trash", targets)),
  });
}

interface ListProps {
  readonly inbox: Inbox;
  readonly columns: ReturnType<typeof columnsFor>;
  readonly isNarrow: boolean;
  readonly section: RefObject<HTMLElement | null>;
}

/** The list with its status line or the toolbar of the selection. */
function List({ inbox, columns, isNarrow, section }: ListProps): ReactNode {
  const t = useText();
  const canChange = useCanChange();
  const { list, rows, selection, selected, filters } = inbox;
  const [isAtTop, setIsAtTop] = useState(true);
  const [isDeleting, setIsDeleting] = useState(false);
  // New submissions appear at once while nothing is selected and the list is at its top.
  const showsArrived = isAtTop && selected.length === 0;
  const refresh = useEvent(list.refresh);
  useEffect(() => {
    if (list.arrived > 0 && showsArrived) refresh();
  }, [list.arrived, showsArrived]);
  const commands = useRowCommands(inbox);
  const selectAll = () => selection.set(rows.map(({ id }) => id));
  return (
    <section className="inbox-list" aria-label={t("inbox.list")} ref={section} tabIndex={-1}>
      <StatusLine inbox={inbox} hidesArrived={showsArrived} />
      {selected.length === 0 ? null : (
        <BulkBar
          selected={selected}
          hasAll={selected.length === rows.length}
          onVerb={(verb) => inbox.apply(verb, selected)}
          onDelete={() => setIsDeleting(true)}
          onAll={selectAll}
          onNone={selection.clear}
        />
      )}
      <ListState inbox={inbox} />
      {rows.length === 0 ? null : (
        <Grid
          label={t("inbox.list")}
          rows={rows}
          total={list.total}
          columns={columns}
          isNarrow={isNarrow}
          focusRequests={inbox.focusRequests}
          active={inbox.currentIndex}
          selected={selection.ids}
          opened={inbox.openedId}
          canChange={canChange}
          onToggle={selection.toggle}
          onFocus={inbox.focus}
          onScrollTop={setIsAtTop}
          {...commands}
        />
      )}
      <Confirm
        title={t("triage.deleteTitle", { count: selected.length })}
        text={t("triage.deleteText")}
        action={t("inbox.deleteForever")}
        isOpen={isDeleting && filters.view === "trash"}
        onClose={() => setIsDeleting(false)}
        onConfirm={() => inbox.remove(selected)}
      />
    </section>
  );
}

/** Commands of the list's rows, as stable callbacks, so that rows do not re-render while the list grows. */
function useRowCommands({ list, currentId, selection, open }: Inbox) {
  const latest = useRef({ list, currentId });
  latest.current = { list, currentId };
  const onEnd = useCallback(() => {
    if (latest.current.list.hasMore && !latest.current.list.isLoadingMore) latest.current.list.loadMore();
  }, []);
  const onStar = useCallback(
    (submission: Submission) => latest.current.list.setStarred([submission], !submission.starred),
    [],
  );
  const { extendTo } = selection;
  const onExtend = useCallback((id: number) => extendTo(id, latest.current.currentId), [extendTo]);
  const onOpen = useCallback(({ id }: Submission) => open(id), [open]);
  return { onEnd, onStar, onExtend, onOpen };
}

/** Status line: the number of submissions, new arrivals, and the order. */
function StatusLine({
  inbox: { list, filters, sorting, change },
  hidesArrived,
}: {
  readonly inbox: Inbox;
  readonly hidesArrived: boolean;
}): ReactNode {
  const t = useText();
  const sorts = sortsFor(sorting);
  return (
    <div className="inbox-status">
      <span className="muted number" role="status">
        {list.isPending ? "" : t(list.isLowerBound ? "inbox.countLeast" : "inbox.count", { count: list.total })}
      </span>
      {list.arrived > 0 && !hidesArrived ? (
        <Button look="quiet" onPress={list.refresh}>
          {t("inbox.arrived", { count: list.arrived })}
        </Button>
      ) : null}
      <SortMenu
        sort={sorts.includes(filters.sort) ? filters.sort : "newest"}
        sorts={sorts}
        onSort={(sort) => change({ sort: sort === "newest" ? null : sort }, true)}
      />
    </div>
  );
}

/** Loading, error and empty state of the list. */
function ListState({ inbox: { list, filters, rows } }: { readonly inbox: Inbox }): ReactNode {
  const t = useText();
  if (rows.length > 0) return null;
  if (list.error !== null) return <ErrorMessage error={list.error} onRetry={list.refresh} />;
  if (list.isPending) return <Loading />;
  const isDone = (filters.view === "in" || filters.view === "new") && !isNarrowed(filters);
  return (
    <Empty icon="inbox" title={t(isDone ? "inbox.caughtUp" : "inbox.empty")}>
      <p>{t("inbox.emptyText")}</p>
    </Empty>
  );
}

/** Measures whether the list and the detail view do not fit beside each other. */
function useIsSheet(): readonly [boolean, (element: HTMLElement | null) => void] {
  const [isSheet, setIsSheet] = useState(false);
  const observer = useRef<ResizeObserver | null>(null);
  const measured = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new ResizeObserver(([entry]) =>
      setIsSheet((entry?.contentRect.width ?? MIN_SPLIT_WIDTH) < MIN_SPLIT_WIDTH),
    );
    observer.current.observe(element);
  }, []);
  return [isSheet, measured];
}
