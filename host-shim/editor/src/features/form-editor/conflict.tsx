/** Somebody else changed the form meanwhile: both are shown, and one goes on. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/http.ts";
import type { Form } from "../../api/types.ts";
import { useText, useTextOf } from "../../text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { type Content, EMPTY_SCHEMA, type FormSchema } from "./model/content.ts";
import { differenceOf } from "./model/difference.ts";
import type { Converted, Editor } from "./use-editor.ts";

export function Conflict({ editor }: { readonly editor: Editor }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const api = useApi();
  const theirs = useQuery({
    queryKey: ["conflict", editor.form.id, editor.fault],
    queryFn: async (): Promise<Content> => {
      const { title, source, markup } = await api.send<Form>("GET", `/forms/${editor.form.id}`);
      const schema = source === "schema"
        ? (await api.send<FormSchema | null>("GET", `/forms/${editor.form.id}/schema`)) ?? EMPTY_SCHEMA
        : (await api.send<Converted>("POST", "/forms/preview", { query: { convert: true }, body: { title, markup } })).schema;
      return { title, source, markup, schema, settings: {}, messages: {} };
    },
  });
  return (
    <div className="trouble" role="alert">
      <div className="stack close">
        <strong>{t("build.conflict")}</strong>
        <p>{t("build.conflictText")}</p>
        <Loaded query={theirs}>
          {(other) => (
            <ul className="bullets">
              {differenceOf(other, editor.content).map(({ kind, what, members }, index) => (
                <li key={index}>{kind === "other" ? textOf("build.difference.part", what) : t(`build.difference.${kind}`, { what, members: members.join(", ") })}</li>
              ))}
            </ul>
          )}
        </Loaded>
        <div className="row"><Button onPress={() => void editor.discard()}>{t("build.takeTheirs")}</Button><Button look="danger" onPress={() => void editor.overwrite()}>{t("build.keepMine")}</Button></div>
      </div>
    </div>
  );
}
