/** Filters of the queue and the log: status and form, in the URL. */
import type { ReactNode } from "react";
import { useForms } from "../../shared/api/queries.ts";
import { useText } from "../../shared/text/text.tsx";
import { useQueryState } from "../../ui/address.ts";
import { Select } from "../../ui/fields.tsx";

export interface RunFilters<Status extends string> {
  readonly status: Status | undefined;
  readonly formId: number | undefined;
  /** Titles of the forms, by id. */
  readonly titles: ReadonlyMap<number, string>;
  /** The controls. */
  readonly controls: ReactNode;
}

/** Returns the filters of the URL, and the controls that change them. */
export function useRunFilters<Status extends string>(
  statuses: readonly Status[],
  labelOf: (status: Status) => string,
): RunFilters<Status> {
  const t = useText();
  const [query, change] = useQueryState();
  const forms = useForms().data ?? [];
  const status = statuses.find((name) => name === query.get("status"));
  const formId = Number(query.get("form")) || undefined;
  const controls = (
    <div className="row">
      <Select
        label={t("common.status")}
        hideLabel
        value={status ?? "all"}
        onChange={(value) => change({ status: value === "all" ? null : value, page: null })}
        choices={[
          { value: "all", label: t("deliveries.allStates") },
          ...statuses.map((value) => ({ value, label: labelOf(value) })),
        ]}
      />
      <Select
        label={t("common.form")}
        hideLabel
        value={formId === undefined ? "all" : String(formId)}
        onChange={(value) => change({ form: value === "all" ? null : value, page: null })}
        choices={[
          { value: "all", label: t("inbox.allForms") },
          ...forms.map(({ id, title }) => ({ value: String(id), label: title })),
        ]}
      />
    </div>
  );
  return { status, formId, titles: new Map(forms.map(({ id, title }) => [id, title])), controls };
}
