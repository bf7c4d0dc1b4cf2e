/** Filters of the inbox: form, view, search words, days, and exact values of fields. */
import { type ReactNode, useEffect, useState } from "react";
import { labelOf, labelOfName } from "../../shared/field-label.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import type { Changes } from "../../ui/address.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchField, Select, TextField } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Badge } from "../../ui/page.tsx";
import type { AnswerField } from "./answers.ts";
import type { NamedForm } from "./columns.tsx";
import { fieldParameter, type Filters, type View, VIEWS } from "./filters.ts";
import { useEvent } from "../../shared/use-event.ts";

export interface FilterBarProps {
  readonly filters: Filters;
  readonly forms: readonly NamedForm[];
  readonly fields: readonly AnswerField[];
  /** Number of newest submissions whose forms are listed; absent if the list of forms is complete. */
  readonly newestCount?: number;
  /** Numbers of submissions by view; absent until they are read. */
  readonly counts: Readonly<Partial<Record<View, number>>>;
  /** Buttons at the end of the bar. */
  readonly actions: ReactNode;
  readonly change: (changes: Changes, shouldPush?: boolean) => void;
}

const SEARCH_DEBOUNCE_MS = 250;

/** Views whose number is shown beside their name. */
const COUNTED_VIEWS: ReadonlySet<View> = new Set(["new", "starred", "spam", "trash"]);

export function FilterBar(props: FilterBarProps): ReactNode {
  const { filters, forms, newestCount, actions, change } = props;
  const t = useText();
  const [search, setSearch] = useSearchWords(props);
  const [isOpen, setIsOpen] = useState(false);
  const clearedFields = Object.fromEntries(Object.keys(filters.fields).map((name) => [fieldParameter(name), null]));
  return (
    <div className="filters">
      <div className="filters-row">
        <h1 tabIndex={-1}>{t("inbox.title")}</h1>
        <Select
          label={t("inbox.form")}
          hideLabel
          value={String(filters.formId ?? "all")}
          choices={[
            { value: "all", label: t("inbox.allForms") },
            ...forms.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
          onChange={(value) => change({ ...clearedFields, form: value === "all" ? null : value, open: null }, true)}
        />
        <SearchField label={t("inbox.search")} value={search} onChange={setSearch} />
        <Button icon="filter" onPress={() => setIsOpen(true)}>
          {t("inbox.filter")}
        </Button>
        <span className="spacer" />
        {actions}
      </div>
      {newestCount === undefined ? null : <p className="help">{t("inbox.ofNewest", { count: newestCount })}</p>}
      <Views {...props} />
      <Chips {...props} />
      {isOpen ? <FilterDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}

/** The words of the search field, which filter the list when the user pauses. */
function useSearchWords({ filters, change }: FilterBarProps) {
  const [search, setSearch] = useState(filters.search);
  useEffect(() => setSearch(filters.search), [filters.search]);
  const applySearch = useEvent((words: string) => {
    if (words !== filters.search) change({ search: words });
  });
  useEffect(() => {
    const timer = setTimeout(() => applySearch(search), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search]);
  return [search, setSearch] as const;
}

/** Buttons of the views, some with the number of their submissions. */
function Views({ filters, counts, change }: FilterBarProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  return (
    <fieldset className="views" aria-label={t("inbox.views")}>
      {VIEWS.map((view) => (
        <button
          key={view}
          type="button"
          className="view"
          aria-pressed={filters.view === view}
          onClick={() => change({ view: view === "in" ? null : view, open: null }, true)}
        >
          {t(`inbox.view.${view}`)}
          {COUNTED_VIEWS.has(view) && (counts[view] ?? 0) > 0 ? (
            <span className="number count"> {formats.number(counts[view] ?? 0)}</span>
          ) : null}
        </button>
      ))}
    </fieldset>
  );
}

/** The filters by fields and days, each with a button that removes it. */
function Chips({ filters, fields, change }: FilterBarProps): ReactNode {
  const t = useText();
  return (
    <div className="row chips">
      {Object.entries(filters.fields).map(([name, value]) => (
        <Chip
          key={name}
          text={`${labelOfName(fields, name)}: ${value}`}
          onRemove={() => change({ [fieldParameter(name)]: null })}
        />
      ))}
      {filters.from === "" ? null : (
        <Chip text={t("inbox.since", { day: filters.from })} onRemove={() => change({ from: null })} />
      )}
      {filters.to === "" ? null : (
        <Chip text={t("inbox.until", { day: filters.to })} onRemove={() => change({ to: null })} />
      )}
    </div>
  );
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }): ReactNode {
  const t = useText();
  return (
    <Badge tone="info">
      {text}
      <IconButton icon="close" label={t("inbox.removeFilter", { filter: text })} onPress={onRemove} />
    </Badge>
  );
}

function FilterDialog({
  filters,
  fields,
  change,
  onClose,
}: Pick<FilterBarProps, "filters" | "fields" | "change"> & { readonly onClose: () => void }): ReactNode {
  const t = useText();
  const [from, setFrom] = useState(filters.from);
  const [to, setTo] = useState(filters.to);
  const [name, setName] = useState(fields[0]?.name ?? "");
  const [value, setValue] = useState("");
  const field = fields.find((candidate) => candidate.name === name);
  const apply = () => {
    change({ from, to, ...(value === "" || name === "" ? {} : { [fieldParameter(name)]: value }) }, true);
    onClose();
  };
  return (
    <Dialog
      title={t("inbox.filter")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" onPress={apply}>
            {t("inbox.apply")}
          </Button>
        </>
      }
    >
      <div className="columns">
        <TextField type="date" label={t("common.from")} value={from} onChange={setFrom} />
        <TextField type="date" label={t("common.to")} value={to} onChange={setTo} />
      </div>
      {filters.formId === null ? (
        <p className="help">{t("inbox.fieldNeedsForm")}</p>
      ) : (
        <div className="columns">
          <Select
            label={t("conditions.field")}
            value={name}
            choices={fields.map((choice) => ({ value: choice.name, label: labelOf(choice) }))}
            onChange={(next) => {
              setName(next);
              setValue("");
            }}
          />
          {field !== undefined && field.options.length > 0 ? (
            <Select label={t("conditions.value")} value={value} choices={field.options} onChange={setValue} />
          ) : (
            <TextField label={t("conditions.value")} value={value} onChange={setValue} help={t("inbox.wholeValue")} />
          )}
        </div>
      )}
    </Dialog>
  );
}
