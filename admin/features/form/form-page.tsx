/** Screen of one form, with tabs for content, settings, messages, actions, sharing, analytics and history. */
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { formQuery, type LoadedForm } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, ErrorText, Loaded, Loading } from "../../ui/states.tsx";
import { FormState, stateOf } from "../../ui/form-state.tsx";
import { type FormDraft, type TabProps, useFormDraft } from "../../shared/form-draft.ts";

const ContentTab = lazy(() => import("./content-tab.tsx"));
const SettingsTab = lazy(() => import("./settings-tab.tsx"));
const MessagesTab = lazy(() => import("./messages-tab.tsx"));
const ActionsTab = lazy(() => import("./actions-tab.tsx"));
const ShareTab = lazy(() => import("./share-tab.tsx"));
const HistoryTab = lazy(() => import("./history-tab.tsx"));

const TABS = ["content", "build", "settings", "messages", "actions", "share", "numbers", "history"] as const;

/** Tabs that other features provide. */
export interface FeatureTabs {
  readonly build: ComponentType<TabProps>;
  readonly numbers: ComponentType<{ readonly formId: number }>;
}

export interface FormPageProps {
  readonly id: number;
  readonly tab: string;
  readonly featureTabs: FeatureTabs;
}

export default function FormPage({ id, ...rest }: FormPageProps): ReactNode {
  return (
    <Loaded query={useQuery(formQuery(useClient(), id))}>
      {(loaded) => <LoadedFormPage loaded={loaded} {...rest} />}
    </Loaded>
  );
}

interface LoadedFormPageProps extends Omit<FormPageProps, "id"> {
  readonly loaded: LoadedForm;
}

function LoadedFormPage({ loaded, tab, featureTabs }: LoadedFormPageProps): ReactNode {
  const t = useText();
  const draft = useFormDraft(loaded);
  const { form } = draft;
  const isOpen = stateOf(form) === "published";
  return (
    <Page
      title={form.title}
      badge={<FormState form={loaded.form} />}
      back={{ to: "/forms", label: t("forms.title") }}
      tabs={TABS.map((name) => ({
        to: name === "content" ? `/forms/${form.id}` : `/forms/${form.id}/${name}`,
        label: t(`form.tab.${name}`),
      }))}
      actions={
        <>
          <span className="wide-only">
            <ButtonLink to={`/inbox?form=${form.id}`} icon="inbox">
              {t("nav.inbox")}
            </ButtonLink>
          </span>
          <a className="button plain" href={form.url} target="_blank" rel="noopener">
            {t("forms.view")}
          </a>
          {form.status === "published" ? (
            <Button onPress={() => void draft.save({ status: "closed" })} isPending={draft.isSaving}>
              {t("forms.close")}
            </Button>
          ) : (
            <Button look="primary" onPress={() => void draft.save({ status: "published" })} isPending={draft.isSaving}>
              {t("forms.publish")}
            </Button>
          )}
        </>
      }
    >
      {isOpen || form.status !== "draft" ? null : <p className="hint">{t("form.draftHint")}</p>}
      {draft.warnings.length === 0 ? null : (
        <div className="hint" role="status">
          <strong>{t("form.warnings")}</strong>
          <ul className="bullets">
            {draft.warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <Suspense fallback={<Loading />}>
        <Tab name={tab} draft={draft} featureTabs={featureTabs} />
      </Suspense>
      <SaveBar draft={draft} />
    </Page>
  );
}

interface TabSwitchProps extends TabProps {
  readonly name: string;
  readonly featureTabs: FeatureTabs;
}

function Tab({ name, draft, featureTabs }: TabSwitchProps): ReactNode {
  const t = useText();
  switch (name) {
    case "content":
      return <ContentTab draft={draft} />;
    case "build":
      return <featureTabs.build draft={draft} />;
    case "settings":
      return <SettingsTab draft={draft} />;
    case "messages":
      return <MessagesTab draft={draft} />;
    case "actions":
      return <ActionsTab draft={draft} />;
    case "share":
      return <ShareTab draft={draft} />;
    case "numbers":
      return <featureTabs.numbers formId={draft.form.id} />;
    case "history":
      return <HistoryTab draft={draft} />;
    default:
      return <Empty icon="search" title={t("nav.notFound")} />;
  }
}

function SaveBar({ draft }: { readonly draft: FormDraft }): ReactNode {
  const t = useText();
  if (!draft.isChanged && draft.fault === null) return null;
  return (
    <div className="save-bar" role="region" aria-label={t("common.unsaved")}>
      <div className="save-bar-text">
        {draft.fault === null ? (
          <span>{t("common.unsaved")}</span>
        ) : (
          <div className="fault" role="alert">
            {draft.hasConflict ? <p>{t("form.behind")}</p> : <ErrorText error={draft.fault} />}
          </div>
        )}
      </div>
      <Button onPress={draft.discard}>{draft.hasConflict ? t("form.reload") : t("common.discard")}</Button>
      <Button
        look="primary"
        isDisabled={draft.hasConflict}
        isPending={draft.isSaving}
        onPress={() => void draft.save()}
      >
        {draft.isSaving ? t("common.saving") : t("common.save")}
      </Button>
    </div>
  );
}
