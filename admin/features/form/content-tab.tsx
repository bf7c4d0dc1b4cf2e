/** The form's HTML, and beside it the form as visitors would see it. */
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
  const [touched, setTouched] = useState(false);
  // What the schema renders to, so that its HTML can be read, taken over, and changed by hand.
  const rendered = useQuery({ ...schemaMarkupQuery(client, form), enabled: isFromSchema });
  useEffect(() => {
    if (!draft.isChanged) setTouched(false);
  }, [draft.isChanged]);
  const value = isFromSchema && !touched ? (rendered.data ?? "") : form.markup;
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
            setTouched(true);
            draft.change({ markup });
          }}
        />
      </Card>
      <FormPreview form={form} useSchema={isFromSchema && !touched} />
    </div>
  );
}
