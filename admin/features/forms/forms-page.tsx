/** Screen with the list of forms. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange, useForms } from "../../shared/api/queries.ts";
import { type ListedForm, unreadQuery } from "../../shared/api/resources.ts";
import type { FormExport, FormStatus } from "../../../client/index.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { useQueryState } from "../../ui/address.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton, saveFile, useCopy } from "../../ui/copy.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { MailNotice } from "../../ui/mail-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { FormState } from "../../ui/form-state.tsx";
import { Sparkline } from "./sparkline.tsx";

const FormTrash = lazy(() => import("./form-trash.tsx"));
const TrashFormDialog = lazy(() => import("../../ui/trash-form-dialog.tsx"));

/** Limit of the rows shown, because each row requests its counts. A search finds the others. */
const MAX_ROWS = 100;

export default function FormsPage(): ReactNode {
  const t = useText();
  const forms = useForms();
  const [query, change] = useQueryState();
  const search = query.get("search") ?? "";
  const isTrash = query.get("view") === "trash";
  const words = search.toLowerCase().split(/\s+/);
  const matches = (form: ListedForm) =>
    words.every((word) => `${form.title} ${form.slug}`.toLowerCase().includes(word));
  return (
    <Page
      title={t(isTrash ? "trash.title" : "forms.title")}
      actions={
        <>
          <span className="wide-only">
            <ExportAll />
          </span>
          <ButtonLink to={isTrash ? "/forms" : "/forms?view=trash"} icon={isTrash ? "back" : "trash"}>
            {t(isTrash ? "forms.title" : "trash.title")}
          </ButtonLink>
          <ButtonLink to="/forms/import">{t("forms.import")}</ButtonLink>
          <ButtonLink to="/forms/new" look="primary" icon="plus">
            {t("forms.new")}
          </ButtonLink>
        </>
      }
    >
      <MailNotice />
      {isTrash ? (
        <Suspense fallback={<Loading />}>
          <FormTrash />
        </Suspense>
      ) : (
        <Loaded query={forms}>
          {(all) => {
            if (all.length === 0) {
              return (
                <Empty icon="forms" title={t("forms.empty")}>
                  <p>{t("forms.emptyText")}</p>
                  <ButtonLink to="/forms/new" look="primary" icon="plus">
                    {t("forms.new")}
                  </ButtonLink>
                </Empty>
              );
            }
            const found = all.filter(matches);
            return (
              <div className="stack">
                <div className="row apart">
                  <SearchField
                    label={t("forms.search")}
                    value={search}
                    onChange={(value) => change({ search: value })}
                  />
                  <span className="muted">{t("forms.count", { count: found.length })}</span>
                </div>
                {found.length === 0 ? (
                  <Empty icon="search" title={t("forms.noneFound")} />
                ) : (
                  <div className="form-list">
                    <div className="form-row head" aria-hidden="true">
                      <span>{t("common.form")}</span>
                      <span>{t("numbers.submissions")}</span>
                      <span className="form-row-spark">{t("span.days", { days: 30 })}</span>
                      <span className="form-row-date">{t("forms.changed")}</span>
                      <span />
                    </div>
                    <ul>
                      {found.slice(0, MAX_ROWS).map((form) => (
                        <FormRow key={form.id} form={form} />
                      ))}
                    </ul>
                  </div>
                )}
                {found.length > MAX_ROWS ? (
                  <p className="muted">{t("forms.moreFound", { count: found.length - MAX_ROWS })}</p>
                ) : null}
              </div>
            );
          }}
        </Loaded>
      )}
    </Page>
  );
}

/** Button that downloads all forms with their schemas as one file, without secrets. */
function ExportAll(): ReactNode {
  const t = useText();
  const forms = useForms();
  const notices = useNotices();
  const save = useChange((client) => client.exportForms(), {
    then(content) {
      saveFile("forms.json", jsonFile(content));
      notices.show(t("forms.exported"));
    },
  });
  if (forms.data === undefined || forms.data.length === 0) return null;
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate(undefined)}>
      {t("forms.exportAll")}
    </Button>
  );
}

const jsonFile = (content: FormExport): Blob =>
  new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });

function FormRow({ form }: { readonly form: ListedForm }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { data: unread = 0 } = useQuery(unreadQuery(useClient(), form.id));
  return (
    <li className="form-row">
      <div className="form-row-title">
        <Link href={`/forms/${form.id}`} className="title clip">
          {form.title}
        </Link>
        <span className="row">
          <FormState form={form} />
          <span className="muted clip">/{form.slug}</span>
          <span className="form-row-copy">
            <CopyButton text={form.url} label={t("forms.copyAddressOf", { title: form.title })} />
          </span>
        </span>
      </div>
      <Link href={`/inbox?form=${form.id}`} className="form-row-count">
        <span className="number">{t("forms.submissions", { count: form.submission_count })}</span>
        {unread > 0 ? <span className="unread">{t("forms.unread", { count: unread })}</span> : null}
      </Link>
      <Link href={`/forms/${form.id}/analytics`} className="form-row-spark">
        <Sparkline formId={form.id} />
      </Link>
      <span className="muted form-row-date">{formats.day(form.updated_at)}</span>
      <FormMenu form={form} />
    </li>
  );
}

function FormMenu({ form }: { readonly form: ListedForm }): ReactNode {
  const t = useText();
  const copy = useCopy();
  const notices = useNotices();
  const [isTrashing, setIsTrashing] = useState(false);
  const [, navigate] = useLocation();
  const stale = [keys.forms, keys.form(form.id)];
  const setStatus = useChange((client, status: FormStatus) => client.updateForm({ id: form.id, body: { status } }), {
    stale,
  });
  const duplicate = useChange((client) => client.duplicateForm({ id: form.id }), {
    stale,
    then: (copied) => navigate(`/forms/${copied.id}`),
  });
  const save = useChange((client) => client.exportForms({ ids: [form.id] }), {
    then(content) {
      saveFile(`${form.slug}.json`, jsonFile(content));
      notices.show(t("forms.exported"));
    },
  });
  const entries: (MenuEntry | null)[] = [
    { id: "view", label: t("forms.view"), icon: "open", onAction: () => window.open(form.url, "_blank", "noopener") },
    { id: "address", label: t("forms.copyAddress"), icon: "copy", onAction: () => copy(form.url) },
    { id: "embed", label: t("forms.embed"), icon: "forms", onAction: () => navigate(`/forms/${form.id}/share`) },
    null,
    ...(form.status === "published"
      ? [{ id: "close", label: t("forms.close"), onAction: () => setStatus.mutate("closed") }]
      : [{ id: "publish", label: t("forms.publish"), onAction: () => setStatus.mutate("published") }]),
    { id: "duplicate", label: t("forms.duplicate"), onAction: () => duplicate.mutate(undefined) },
    { id: "export", label: t("forms.export"), icon: "download", onAction: () => save.mutate(undefined) },
    null,
    { id: "trash", label: t("trash.moveMenu"), icon: "trash", danger: true, onAction: () => setIsTrashing(true) },
  ];
  return (
    <>
      <Menu label={t("forms.menu", { title: form.title })} entries={entries} />
      {isTrashing ? (
        <Suspense fallback={null}>
          <TrashFormDialog form={form} onClose={() => setIsTrashing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
