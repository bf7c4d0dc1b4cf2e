/** The list of forms while it is empty: the first templates, and other ways to create a form. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import type { Start } from "./starts.ts";
import { OtherStarts, TemplateCards } from "./template-cards.tsx";

const CreateFormDialog = lazy(() => import("./create-form-dialog.tsx"));

/** Number of templates that the page shows. */
const SHOWN_TEMPLATES = 6;

export default function FirstForm(): ReactNode {
  const t = useText();
  const [start, setStart] = useState<Start | null>(null);
  return (
    <section className="stack first-form">
      <div className="row apart">
        <div>
          <h2>{t("forms.empty")}</h2>
          <p className="muted">{t("forms.emptyText")}</p>
        </div>
        <ButtonLink to="/forms/new">{t("new.allTemplates")}</ButtonLink>
      </div>
      <TemplateCards onChoose={setStart} limit={SHOWN_TEMPLATES} />
      <OtherStarts onChoose={setStart} />
      {start === null ? null : (
        <Suspense fallback={null}>
          <CreateFormDialog start={start} onClose={() => setStart(null)} />
        </Suspense>
      )}
    </section>
  );
}
