/** Menu that sorts the list. */
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import type { Form } from "../../../client/index.ts";
import type { ListPart } from "../../shared/api/keys.ts";
import { useText } from "../../shared/text/text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { canSortByActivity, type Filters, INBOX_STATUSES, SORTS, type Sort, type View } from "./filters.ts";

export interface SortMenuProps {
  readonly sort: Sort;
  readonly sorts: readonly Sort[];
  readonly onSort: (sort: Sort) => void;
}

export function SortMenu({ sort, sorts, onSort }: SortMenuProps): ReactNode {
  const t = useText();
  return (
    <MenuTrigger>
      <AriaButton className="button quiet sort" aria-label={`${t("inbox.sort")}: ${t(`triage.sort.${sort}`)}`}>
        <Icon name="sort" />
        {t(`triage.sort.${sort}`)}
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <AriaMenu
          className="menu"
          aria-label={t("inbox.sort")}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[sort]}
        >
          {sorts.map((choice) => (
            <MenuItem
              key={choice}
              id={choice}
              className="option"
              textValue={t(`triage.sort.${choice}`)}
              onAction={() => onSort(choice)}
            >
              {t(`triage.sort.${choice}`)}
              {choice === sort ? <Icon name="check" /> : null}
            </MenuItem>
          ))}
        </AriaMenu>
        <p className="help menu-note">{t("inbox.answersNotSorted")}</p>
      </Popover>
    </MenuTrigger>
  );
}

/** Members of a form that are needed to sort by it. */
export type SortableForm = Pick<Form, "id" | "title"> & { readonly submission_count?: number };

/** Views that hold several statuses, with these statuses in their order. */
const STATUSES: Readonly<Partial<Record<View, readonly string[]>>> = {
  in: INBOX_STATUSES,
  starred: [...INBOX_STATUSES, "archived"],
  all: [...INBOX_STATUSES, "archived"],
};

/** Views whose submissions are included in a form's count. */
const COUNTED: ReadonlySet<View> = new Set(["in", "new", "starred", "replied", "archived", "all"]);

export interface SortInput {
  readonly filters: Filters;
  /** All forms; undefined for users who may not list them. */
  readonly forms: readonly SortableForm[] | undefined;
  /** Whether submissions may have statuses of a plugin, which would be missing from a list sorted by status. */
  readonly hasOtherStatuses: boolean;
}

/** Returns the orders that the list can have. */
export function sortsFor({ filters, forms, hasOtherStatuses }: SortInput): readonly Sort[] {
  const { view, formId } = filters;
  const byForm = formId === null && forms !== undefined && COUNTED.has(view);
  const byStatus = STATUSES[view] !== undefined && (view === "in" || !hasOtherStatuses);
  const canSort: Readonly<Record<Sort, boolean>> = {
    newest: true,
    oldest: true,
    activity: canSortByActivity(filters),
    form: byForm,
    status: byStatus,
  };
  return SORTS.filter((sort) => canSort[sort]);
}

/** Returns the parts of the list in their order; none for a list that is sorted by time. */
export function partsOf(input: SortInput): readonly ListPart[] {
  const { filters, forms = [] } = input;
  if (!sortsFor(input).includes(filters.sort)) return [];
  if (filters.sort === "status") return (STATUSES[filters.view] ?? []).map((status) => ({ status }));
  if (filters.sort !== "form") return [];
  return forms
    .filter(({ submission_count: count = 1 }) => count > 0)
    .toSorted((one, other) => one.title.localeCompare(other.title) || one.id - other.id)
    .map(({ id }) => ({ form_id: id }));
}
