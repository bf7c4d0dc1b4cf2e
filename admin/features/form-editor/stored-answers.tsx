/** Hint for stored answers whose option is removed or gets another label. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import type { Field } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";

/** Lists options of the published form that were removed or got another label. */
export function ChangedOptions({ field, editor }: { readonly field: Field; readonly editor: Draft }): ReactNode {
  const t = useText();
  const before = editor.live.content.schema.fields.find(({ name }) => name === field.name)?.options ?? [];
  const removed = before.filter(({ value }) => !field.options.some((option) => option.value === value));
  const relabelled = before.filter(({ value, label }) =>
    field.options.some((option) => option.value === value && option.label !== label),
  );
  if (removed.length === 0 && relabelled.length === 0) return null;
  return (
    <div className="hint" role="status">
      {removed.length === 0 ? null : (
        <p>{t("build.optionsGone", { options: removed.map(({ label }) => label).join(", ") })}</p>
      )}
      {relabelled.length === 0 ? null : (
        <p>{t("build.optionsRelabelled", { options: relabelled.map(({ label }) => label).join(", ") })}</p>
      )}
    </div>
  );
}
