/** What of the inbox is shown: the form, the view, words, days, and one answer's value. */
import { type ReactNode, useEffect, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import type { Changes } from "../../ui/address.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchField, Select, TextField } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Badge } from "../../ui/page.tsx";
import type { AnswerField } from "./answers.ts";
import type { NamedForm } from "./columns.tsx";
import { fieldParameter, type Filters, VIEWS } from "./filters.ts";

export interface FilterBarProps {
  readonly filters: Filters;
  readonly forms: readonly NamedForm[];
  readonly fields: readonly AnswerField[];
  /** The forms are those of so many of the newest submissions. */
  readonly ofNewest?: number;
  readonly change: (changes: Changes, asNew?: boolean) => void;
}

const SEARCH_WAIT_MS = 250;

export function FilterBar({ filters, forms, fields, ofNewest, change }: FilterBarProps): ReactNode {
  const t = useText();
  const [search, setSearch] = useState(filters.search);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setSearch(filters.search), [filters.search]);
  useEffect(() => {
    if (search === filters.search) return;
    const timer = setTimeout(() => change({ search }), SEARCH_WAIT_MS);
    return () => clearTimeout(timer);
  }, [search]);
  const noFields = Object.fromEntries(Object.keys(filters.fields).map((name) => [fieldParameter(name), null]));
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label || name;
  return (
    <div className="filters">
      <div className="row">
        <Select
          label={t("inbox.form")}
          hideLabel
          value={String(filters.formId ?? "all")}
          choices={[
            { value: "all", label: t("inbox.allForms") },
            ...forms.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
          onChange={(value) => change({ ...noFields, form: value === "all" ? null : value, open: null }, true)}
        />
        <SearchField label={t("inbox.search")} value={search} onChange={setSearch} />
        <Button icon="filter" onPress={() => setIsOpen(true)}>
          {t("inbox.filter")}
        </Button>
      </div>
      {ofNewest === undefined ? null : <p className="help">{t("inbox.ofNewest", { count: ofNewest })}</p>}
      <div className="views" role="group" aria-label={t("inbox.views")}>
        {VIEWS.map((view) => (
          <button
            key={view}
            type="button"
            className="view"
            aria-pressed={filters.view === view}
            onClick={() => change({ view: view === "all" ? null : view, open: null }, true)}
          >
            {t(`inbox.view.${view}`)}
          </button>
        ))}
      </div>
      <div className="row">
        {Object.entries(filters.fields).map(([name, value]) => (
          <Chip
            key={name}
            text={`${labelOf(name)}: ${value}`}
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
      {isOpen ? (
        <FilterDialog filters={filters} fields={fields} change={change} onClose={() => setIsOpen(false)} />
      ) : null}
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
}: Omit<FilterBarProps, "forms"> & { readonly onClose: () => void }): ReactNode {
  const t = useText();
  const [from, setFrom] = useState(filters.from);
  const [to, setTo] = useState(filters.to);
  const [name, setName] = useState(fields[0]?.name ?? "");
  const [value, setValue] = useState("");
  const field = fields.find((own) => own.name === name);
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
            choices={fields.map((own) => ({ value: own.name, label: own.label || own.name }))}
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
