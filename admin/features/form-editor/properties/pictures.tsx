/** Logo and cover image of the form. */
import type { ReactNode } from "react";
import type { Draft } from "../../../shared/draft/draft.ts";
import { useText } from "../../../shared/text/text.tsx";
import { PictureControl } from "./picture-control.tsx";

/** Settings with their labels. */
const PICTURES = { logo: "build.logo", cover: "build.cover" } as const;

export default function Pictures({ editor }: { readonly editor: Draft }): ReactNode {
  const t = useText();
  const { settings } = editor.content;
  return Object.entries(PICTURES).map(([key, label]) => (
    <PictureControl
      key={key}
      id={`${editor.form.id}/${key}`}
      formId={editor.form.id}
      label={t(label)}
      value={String(settings[key] ?? "")}
      onChange={(url) => editor.setSetting(key, url)}
    />
  ));
}
