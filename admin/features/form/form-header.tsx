/** Badges and buttons of a form's header, such as Publish. */
import { lazy, type ReactNode, Suspense, useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { useChange } from "../../shared/api/queries.ts";
import { revisionsQuery } from "../../shared/api/resources.ts";
import { keys } from "../../shared/api/keys.ts";
import { differenceOf } from "../../shared/draft/difference.ts";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import type { FormDialogName } from "../../ui/form-dialogs.tsx";
import { FormState, type State, stateOf } from "../../ui/form-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Confirm, Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { Badge } from "../../ui/page.tsx";
import { PublishPopover } from "./publish-popover.tsx";

const FormDialog = lazy(() => import("../../ui/form-dialogs.tsx"));
const TrashFormDialog = lazy(() => import("../../ui/trash-form-dialog.tsx"));
const LivePanel = lazy(() => import("./live-panel.tsx"));
const PreviewDialog = lazy(() => import("./preview-dialog.tsx"));

/** Number of differences between the draft and the live form. */
export function useChangeCount({ content, live }: Draft): number {
  // A keystroke shows in the editor first, then here.
  const shown = useDeferredValue(content);
  return useMemo(() => differenceOf(live.content, shown).length, [live.content, shown]);
}

export function FormBadges({ draft }: TabProps): ReactNode {
  const t = useText();
  const client = useClient();
  const { form } = draft.live;
  const count = useChangeCount(draft);
  const revisions = useQuery({ ...revisionsQuery(client, form.id), enabled: form.status === "closed" });
  const closed = revisions.data?.find(({ summary }) => summary.includes("status"));
  return (
    <>
      <FormState form={form} closed={closed && { user: closed.user, at: closed.created_at }} />
      {count > 0 && form.status !== "draft" ? (
        <span className="not-on-phone">
          <ChangesBadge count={count} />
        </span>
      ) : null}
      {draft.alsoEditing === null ? null : (
        <span className="state-detail muted" title={t("draft.alsoEditing", { user: draft.alsoEditing })}>
          <span className="unfold" aria-hidden="true">
            <Icon name="people" />
          </span>
          <span className="fold">{t("draft.alsoEditing", { user: draft.alsoEditing })}</span>
        </span>
      )}
    </>
  );
}

/** Number of changes; a bar with little room shows fewer words. */
function ChangesBadge({ count }: { readonly count: number }): ReactNode {
  const t = useText();
  return (
    <Badge tone="wait">
      <span className="fold">{t("state.changes", { count })}</span>
      <span className="unfold" aria-hidden="true">
        {t("state.changesShort", { count })}
      </span>
    </Badge>
  );
}

type OpenDialog = FormDialogName | "preview" | "discard" | "trash" | "live" | null;

export function FormActions({ draft }: TabProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [open, setOpen] = useState<OpenDialog>(null);
  const { form } = draft.live;
  const state = stateOf(form);
  const count = useChangeCount(draft);
  const isFirst = state === "draft";
  const openNow = () =>
    void draft.changeLive({ settings: { opens_at: "" } }).then(
      () => notices.show(t("publish.doneFirst")),
      (error: unknown) => notices.showError(error),
    );
  const isClosed = state === "closed" || state === "over" || state === "full";
  return (
    <>
      {state === "published" && count === 0 ? (
        <>
          <span className="muted wide-only">{t("state.upToDate")}</span>
          <ViewLink url={form.url} />
        </>
      ) : (
        <span className="not-on-phone">
          <Button icon="eye" onPress={() => setOpen("preview")}>
            <span className="fold">{t("build.tryOut")}</span>
          </Button>
        </span>
      )}
      {isFirst || count > 0 ? (
        <PublishPopover draft={draft} count={count} isFirst={isFirst} onFirst={() => setOpen("live")} />
      ) : null}
      {state === "notYet" ? <Button onPress={openNow}>{t("publish.openNow")}</Button> : null}
      {isClosed ? <Button onPress={() => setOpen("reopen")}>{t("publish.reopen")}</Button> : null}
      <MoreMenu draft={draft} state={state} hasChanges={count > 0} onOpen={setOpen} />
      <OpenedDialog draft={draft} open={open} onClose={() => setOpen(null)} />
    </>
  );
}

interface OpenedDialogProps extends TabProps {
  readonly open: OpenDialog;
  readonly onClose: () => void;
}

/** The dialog that a button or the menu opened. */
function OpenedDialog({ draft, open, onClose }: OpenedDialogProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [, navigate] = useLocation();
  const { form } = draft.live;
  const discard = () => {
    const before = draft.current();
    draft.discard().then(
      () => notices.showUndoable(t("publish.discarded"), () => draft.run({ kind: "replace", content: before })),
      (error: unknown) => notices.showError(error),
    );
  };
  return (
    <>
      <Suspense fallback={null}>
        {open === "schedule" || open === "close" || open === "reopen" ? (
          <FormDialog form={form} name={open} onChange={draft.changeLive} onClose={onClose} />
        ) : null}
        {open === "preview" ? <PreviewDialog draft={draft} onClose={onClose} /> : null}
        {open === "live" ? <LivePanel draft={draft} onClose={onClose} /> : null}
        {open === "trash" ? (
          <TrashFormDialog form={form} onClose={onClose} onTrashed={() => navigate("/forms")} />
        ) : null}
      </Suspense>
      <Confirm
        title={t("publish.discardTitle")}
        text={t("build.discardText")}
        action={t("build.discard")}
        isOpen={open === "discard"}
        onClose={onClose}
        onConfirm={discard}
      />
    </>
  );
}

function ViewLink({ url }: { readonly url: string }): ReactNode {
  const t = useText();
  return (
    <a className="button plain" href={url} target="_blank" rel="noopener">
      {t("forms.view")}
    </a>
  );
}

/** Screens whose bar has no room for the preview's button (frame.css). */
const phone = (): MediaQueryList => matchMedia("(max-width: 640px)");

function listenToPhone(listener: () => void): () => void {
  const query = phone();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

interface MoreMenuProps {
  readonly draft: Draft;
  readonly state: State;
  readonly hasChanges: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function MoreMenu({ draft, state, hasChanges, onOpen }: MoreMenuProps): ReactNode {
  const t = useText();
  const [, navigate] = useLocation();
  const { form } = draft.live;
  const duplicate = useChange((client) => client.duplicateForm({ id: form.id }), {
    stale: [keys.forms],
    then: (copied) => navigate(`/forms/${copied.id}`),
  });
  const isPublished = form.status === "published";
  const isPhone = useSyncExternalStore(listenToPhone, () => phone().matches);
  const entries: (MenuEntry | null)[] = [
    ...(isPhone ? [{ id: "preview", label: t("build.tryOut"), onAction: () => onOpen("preview") }] : []),
    ...(isPublished && hasChanges
      ? [
          {
            id: "view",
            label: t("publish.viewLive"),
            onAction: () => void window.open(form.url, "_blank", "noopener"),
          },
        ]
      : []),
    ...(hasChanges && state !== "draft"
      ? [{ id: "discard", label: t("build.discardMenu"), onAction: () => onOpen("discard") }]
      : []),
    {
      id: "schedule",
      label: t(state === "notYet" ? "publish.changeSchedule" : "publish.schedule"),
      onAction: () => onOpen("schedule"),
    },
    { id: "duplicate", label: t("forms.duplicate"), onAction: () => duplicate.mutate(undefined) },
    ...(isPublished ? [{ id: "close", label: t("publish.closeMenu"), onAction: () => onOpen("close") }] : []),
    null,
    { id: "trash", label: t("trash.moveMenu"), icon: "trash", danger: true, onAction: () => onOpen("trash") },
  ];
  return <Menu label={t("forms.menu", { title: form.title })} entries={entries} />;
}
