/** Screen with the list of forms. */
import { lazy, type ReactNode, Suspense } from "react";
import { useChange, useForms } from "../../shared/api/queries.ts";
import type { ListedForm } from "../../shared/api/resources.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { useQueryState } from "../../ui/address.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { Checklist } from "./checklist.tsx";
import { exportFile } from "./export-file.ts";
import type { PublishDialogType } from "./form-menu.tsx";
import { FormRow } from "./form-row.tsx";

const FirstForm = lazy(() => import("./first-form.tsx"));
const FormTrash = lazy(() => import("./form-trash.tsx"));

/** Limit of the rows shown, because each row requests its counts. A search finds the other forms. */
const MAX_ROWS = 100;

export interface FormsPageProps {
  /** Dialog that publishes a form, provided by the feature `form`. */
  readonly publishDialog: PublishDialogType;
}

export default function FormsPage({ publishDialog }: FormsPageProps): ReactNode {
  const t = useText();
  const forms = useForms();
  const [query] = useQueryState();
  const isTrash = query.get("view") === "trash";
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
      {isTrash ? (
        <Suspense fallback={<Loading />}>
          <FormTrash />
        </Suspense>
      ) : (
        <Loaded query={forms}>
          {(all) => (
            <div className="stack">
              {all.length === 0 ? (
                <Suspense fallback={<Loading />}>
                  <FirstForm />
                </Suspense>
              ) : null}
              <Checklist forms={all} />
              {all.length === 0 ? null : <FormList forms={all} publishDialog={publishDialog} />}
            </div>
          )}
        </Loaded>
      )}
    </Page>
  );
}

interface FormListProps extends FormsPageProps {
  readonly forms: readonly ListedForm[];
}

/** The forms that match the search, as rows. */
function FormList({ forms, publishDialog }: FormListProps): ReactNode {
  const t = useText();
  const [query, change] = useQueryState();
  const search = query.get("search") ?? "";
  const words = search.toLowerCase().split(/\s+/);
  const found = forms.filter((form) =>
    words.every((word) => `${form.title} ${form.slug}`.toLowerCase().includes(word)),
  );
  return (
    <>
      <div className="row apart">
        <SearchField label={t("forms.search")} value={search} onChange={(value) => change({ search: value })} />
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
              <FormRow key={form.id} form={form} publishDialog={publishDialog} />
            ))}
          </ul>
        </div>
      )}
      {found.length > MAX_ROWS ? (
        <p className="muted">{t("forms.moreFound", { count: found.length - MAX_ROWS })}</p>
      ) : null}
    </>
  );
}

/** Button that downloads all forms with their schemas as one file, without secrets. */
function ExportAll(): ReactNode {
  const t = useText();
  const forms = useForms();
  const notices = useNotices();
  const save = useChange((client) => client.exportForms(), {
    then(content) {
      saveFile("forms.json", exportFile(content));
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
