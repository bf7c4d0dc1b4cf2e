/** Preview of the form in a sandboxed iframe, which can neither read nor change this page. */
import { type ReactNode, useEffect, useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import type { Form } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { Select } from "../../ui/fields.tsx";
import { HtmlFrame, pageForFrame } from "../../ui/html-frame.tsx";
import { ErrorMessage, Loading } from "../../ui/states.tsx";

const DEBOUNCE_MS = 500;
const WIDTHS = { full: "100%", tablet: "768px", phone: "390px" } as const;

/** Renders the edited HTML, or the schema if that is the form's source. */
export function FormPreview({
  form,
  isFromSchema,
}: {
  readonly form: Form;
  readonly isFromSchema: boolean;
}): ReactNode {
  const t = useText();
  const client = useClient();
  const [width, setWidth] = useState<keyof typeof WIDTHS>("full");
  const markup = useDebounced(form.markup);
  const title = useDebounced(form.title);
  const preview = useQuery({
    queryKey: ["preview", form.id, form.revision, isFromSchema, markup, title, form.messages, form.settings],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const schema = isFromSchema ? await client.getSchema({ id: form.id }, { signal }) : null;
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
      {preview.isError ? <ErrorMessage error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data === undefined ? (
        preview.isError ? null : (
          <Loading />
        )
      ) : (
        <HtmlFrame
          className="preview-frame"
          style={{ width: WIDTHS[width] }}
          title={t("preview.title")}
          sandbox="allow-scripts"
          html={pageForFrame(preview.data.html)}
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

/** Debounces a value. */
function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
