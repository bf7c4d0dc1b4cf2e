/** Screen that creates a form: from a template, from scratch, or from pasted HTML. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Page } from "../../ui/page.tsx";
import type { Start } from "./starts.ts";
import { OtherStarts, TemplateCards } from "./template-cards.tsx";

const CreateFormDialog = lazy(() => import("./create-form-dialog.tsx"));

export default function NewFormPage(): ReactNode {
  const t = useText();
  const [start, setStart] = useState<Start | null>(null);
  return (
    <Page title={t("new.title")} back={{ to: "/forms", label: t("forms.title") }}>
      <div className="stack">
        <OtherStarts onChoose={setStart} />
        <h2>{t("new.templates")}</h2>
        <TemplateCards onChoose={setStart} />
      </div>
      {start === null ? null : (
        <Suspense fallback={null}>
          <CreateFormDialog start={start} onClose={() => setStart(null)} />
        </Suspense>
      )}
    </Page>
  );
}
