/** Editor of the form's HTML, beside a preview. */
import { type ReactNode, useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { schemaMarkupQuery } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import type { TabProps } from "../../shared/form-draft.ts";
import { FormPreview } from "./preview.tsx";

export default function ContentTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const client = useClient();
  const { form } = draft;
  const isFromSchema = form.source === "schema";
  const [isTouched, setIsTouched] = useState(false);
  // Until it is edited, the editor shows the HTML that the schema renders to.
  const rendered = useQuery({ ...schemaMarkupQuery(client, form), enabled: isFromSchema });
  useEffect(() => {
    if (!draft.isChanged) setIsTouched(false);
  }, [draft.isChanged]);
  const value = isFromSchema && !isTouched ? (rendered.data ?? "") : form.markup;
  return (
    <div className="content-tab">
      <Card>
        {isFromSchema ? <p className="hint">{t("content.fromSchema")}</p> : null}
        <TextField
          label="HTML"
          value={value}
          rows={24}
          code
          help={t("content.help")}
          onChange={(markup) => {
            setIsTouched(true);
            draft.change({ markup });
          }}
        />
      </Card>
      <FormPreview form={form} isFromSchema={isFromSchema && !isTouched} />
    </div>
  );
}
