/** Screen of one form: its header, which publishes, and its tabs, which edit one draft. */
import { type ComponentType, type KeyboardEvent, lazy, type ReactNode, Suspense, useCallback } from "react";
import type { Form } from "../../../client/index.ts";
import type { Draft, OpenedDraft, TabProps } from "../../shared/draft/draft.ts";
import { useDraft, useOpenedDraft } from "../../shared/draft/use-draft.ts";
import { useNotices } from "../../shared/notices.ts";
import { useOptions } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { FormActions, FormBadges } from "./form-header.tsx";
import type { OthersChange } from "../../shared/draft/draft-session.ts";
import { useDifferenceLines } from "../../ui/differences.tsx";
import { useEvent } from "../../shared/use-event.ts";

const RebasedBanner = lazy(() => import("./rebased-banner.tsx"));
const SettingsTab = lazy(() => import("./settings-tab.tsx"));
const ActionsTab = lazy(() => import("./actions-tab.tsx"));
const ShareTab = lazy(() => import("./share-tab.tsx"));
const HistoryTab = lazy(() => import("./history-tab.tsx"));

/** Tabs in their order, in two groups: the form itself, and its submissions and history. */
const TABS = ["build", "actions", "settings", "share", "submissions", "analytics", "history"] as const;
const FIRST_OF_GROUP = "submissions";

/** Tabs that edit the draft without their own toolbar. */
const EDITING_TABS: ReadonlySet<string> = new Set(["actions", "settings"]);

/** Numbers beside tabs. */
const countsOf = ({ settings, submission_count: submissions }: Form): Partial<Record<string, { count: number }>> => ({
  ...(settings.actions.length === 0 ? {} : { actions: { count: settings.actions.length } }),
  ...(submissions === 0 ? {} : { submissions: { count: submissions } }),
});

/** Tabs that other features provide. */
export interface FeatureTabs {
  readonly build: ComponentType<TabProps>;
  readonly analytics: ComponentType<{ readonly formId: number }>;
}

export interface FormPageProps {
  readonly id: number;
  readonly tab: string;
  readonly featureTabs: FeatureTabs;
}

export default function FormPage({ id, ...rest }: FormPageProps): ReactNode {
  return <Loaded query={useOpenedDraft(id)}>{(loaded) => <LoadedFormPage opened={loaded} {...rest} />}</Loaded>;
}

interface LoadedFormPageProps extends Omit<FormPageProps, "id"> {
  readonly opened: OpenedDraft;
}

function LoadedFormPage({ opened, tab, featureTabs }: LoadedFormPageProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const { user } = useOptions();
  const linesOf = useEvent(useDifferenceLines());
  const onOthersChange = useCallback(
    (login: string, { before, after, undo }: OthersChange) => {
      const [what, ...others] = linesOf(before, after);
      const isOne = what !== undefined && others.length === 0;
      const text = isOne ? t("draft.otherChanged", { user: login, what }) : t("draft.othersSaved", { user: login });
      notices.showUndoable(text, undo);
    },
    [notices, t],
  );
  const draft = useDraft(opened, { login: user?.login, onOthersChange });
  const { form } = draft;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.defaultPrevented) return;
    event.preventDefault();
    if (event.shiftKey) draft.redo();
    else draft.undo();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches the keys of undo and redo from the controls inside
    <div
      onKeyDown={onKeyDown}
      // A field that loses the focus is saved at once.
      onBlur={() => void draft.save().catch(() => undefined)}
    >
      <Page
        title={form.title}
        badge={<FormBadges draft={draft} />}
        back={{ to: "/forms", label: t("forms.title") }}
        head="bar"
        tabs={TABS.map((name) => ({
          to: `/forms/${form.id}/${name}`,
          label: t(`form.tab.${name}`),
          startsGroup: name === FIRST_OF_GROUP,
          ...countsOf(form)[name],
        }))}
        actions={<FormActions draft={draft} />}
      >
        {draft.rebased === null ? null : (
          <Suspense fallback={null}>
            <RebasedBanner draft={draft} />
          </Suspense>
        )}
        {EDITING_TABS.has(tab) ? <EditBar draft={draft} /> : null}
        <Suspense fallback={<Loading />}>
          <Tab name={tab} draft={draft} featureTabs={featureTabs} />
        </Suspense>
      </Page>
    </div>
  );
}

/** Undo, redo, and whether the draft is saved. */
function EditBar({ draft }: TabProps): ReactNode {
  const t = useText();
  return (
    <div className="row edit-bar" role="toolbar" aria-label={t("build.toolbar")}>
      <IconButton icon="undo" label={t("build.undo")} isDisabled={!draft.canUndo} onPress={draft.undo} />
      <IconButton icon="redo" label={t("build.redo")} isDisabled={!draft.canRedo} onPress={draft.redo} />
      <SaveState draft={draft} />
    </div>
  );
}

function SaveState({ draft }: TabProps): ReactNode {
  const t = useText();
  return (
    <span className="muted" role="status">
      {t(`build.${draft.saving}`)}
      {draft.saving === "failed" ? (
        <Button look="quiet" onPress={() => void draft.save().catch(() => undefined)}>
          {t("draft.retry")}
        </Button>
      ) : null}
    </span>
  );
}

interface TabSwitchProps {
  readonly name: string;
  readonly draft: Draft;
  readonly featureTabs: FeatureTabs;
}

function Tab({ name, draft, featureTabs }: TabSwitchProps): ReactNode {
  const t = useText();
  switch (name) {
    case "build":
      return <featureTabs.build draft={draft} />;
    case "settings":
      return <SettingsTab draft={draft} />;
    case "actions":
      return <ActionsTab draft={draft} />;
    case "share":
      return <ShareTab draft={draft} />;
    case "analytics":
      return <featureTabs.analytics formId={draft.form.id} />;
    case "history":
      return <HistoryTab draft={draft} />;
    default:
      return <Empty icon="search" title={t("nav.notFound")} />;
  }
}
