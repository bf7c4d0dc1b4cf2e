/** The form as visitors would see it, in a frame that can neither read nor change this page. */
import { type ReactNode, useEffect, useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import type { Form } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { Select } from "../../ui/fields.tsx";
import { HtmlFrame, workingPage } from "../../ui/html-frame.tsx";
import { Trouble, Waiting } from "../../ui/states.tsx";

const WAIT_MS = 500;
const WIDTHS = { full: "100%", tablet: "768px", phone: "390px" } as const;

/** What is shown: the HTML in the editor, or, where the schema is the form's source, what it renders to. */
export function FormPreview({ form, useSchema }: { readonly form: Form; readonly useSchema: boolean }): ReactNode {
  const t = useText();
  const client = useClient();
  const [width, setWidth] = useState<keyof typeof WIDTHS>("full");
  const markup = useSettled(form.markup);
  const title = useSettled(form.title);
  const preview = useQuery({
    queryKey: ["preview", form.id, form.revision, useSchema, markup, title, form.messages, form.settings],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const schema = useSchema ? await client.getSchema({ id: form.id }, { signal }) : null;
      const body = {
        title,
        ...(schema === null ? { markup } : { schema }),
        messages: form.messages,
        settings: { ...form.settings, actions: [], spam_checks: [] },
      };
      return client.previewForm({ body }, { signal });
    },
  });
  return (
    <section className="preview" aria-label={t("preview.title")}>
      <div className="row apart">
        <h2>{t("preview.title")}</h2>
        <Select
          label={t("preview.width")}
          hideLabel
          value={width}
          onChange={(value) => setWidth(value as keyof typeof WIDTHS)}
          choices={[
            { value: "full", label: t("preview.full") },
            { value: "tablet", label: t("preview.tablet") },
            { value: "phone", label: t("preview.phone") },
          ]}
        />
      </div>
      {preview.isError ? <Trouble error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data === undefined ? (
        preview.isError ? null : (
          <Waiting />
        )
      ) : (
        <HtmlFrame
          className="preview-frame"
          style={{ width: WIDTHS[width] }}
          title={t("preview.title")}
          sandbox="allow-scripts"
          html={workingPage(preview.data.html)}
        />
      )}
      {(preview.data?.warnings ?? []).length === 0 ? null : (
        <ul className="bullets muted">
          {preview.data?.warnings.map((warning, index) => (
            <li key={index}>{warning.message}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
