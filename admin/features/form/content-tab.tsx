/** The form's HTML, and beside it the form as visitors would see it. */
import { type ReactNode, useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../shared/api/http.ts";
import { useText } from "../../shared/text/text.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import type { TabProps } from "../../shared/form-draft.ts";
import { FormPreview } from "./preview.tsx";

export default function ContentTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const api = useApi();
  const { form } = draft;
  const isFromSchema = form.source === "schema";
  const [touched, setTouched] = useState(false);
  // What the schema renders to, so that its HTML can be read, taken over, and changed by hand.
  const rendered = useQuery({
    queryKey: ["schema-markup", form.id, form.revision],
    enabled: isFromSchema,
    queryFn: async ({ signal }) => (await api.send<{ readonly markup: string }>("GET", `/forms/${form.id}/schema/markup`, { signal })).markup,
  });
  useEffect(() => {
    if (!draft.isChanged) setTouched(false);
  }, [draft.isChanged]);
  const value = isFromSchema && !touched ? (rendered.data ?? "") : form.markup;
  return (
    <div className="content-tab">
      <Card>
        {isFromSchema ? <p className="hint">{t("content.fromSchema")}</p> : null}
        <TextField
          label="HTML" value={value} rows={24} code help={t("content.help")}
          onChange={(markup) => {
            setTouched(true);
            draft.change({ markup });
          }}
        />
      </Card>
      <FormPreview form={form} useSchema={isFromSchema && !touched} />
    </div>
  );
}
