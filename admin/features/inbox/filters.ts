/** Filters of the inbox, as the URL records them. */
import type { Submission } from "../../../client/index.ts";
import type { SubmissionFilters } from "../../shared/api/keys.ts";

/** The views, in their order on the screen. */
export const VIEWS = ["in", "new", "starred", "replied", "archived", "spam", "trash", "all"] as const;
export type View = (typeof VIEWS)[number];

/** The orders of the list. */
export const SORTS = ["newest", "oldest", "activity", "form", "status"] as const;
export type Sort = (typeof SORTS)[number];

/** Statuses of the view Inbox, in the order of the list that is sorted by status. */
export const INBOX_STATUSES: readonly string[] = ["new", "read", "replied"];
const HIDDEN_STATUSES: readonly string[] = ["spam", "trash"];

export interface Filters {
  readonly formId: number | null;
  readonly view: View;
  readonly search: string;
  /** First day, `YYYY-MM-DD`, in the user's time zone. */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
  /** Exact values by field name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly sort: Sort;
}

const FIELD_PREFIX = "field.";

export function filtersOf(query: URLSearchParams): Filters {
  const formId = Number(query.get("form"));
  return {
    formId: Number.isSafeInteger(formId) && formId > 0 ? formId : null,
    view: VIEWS.find((view) => view === query.get("view")) ?? "in",
    search: query.get("search") ?? "",
    from: query.get("from") ?? "",
    to: query.get("to") ?? "",
    fields: Object.fromEntries(
      [...query]
        .filter(([name]) => name.startsWith(FIELD_PREFIX))
        .map(([name, value]) => [name.slice(FIELD_PREFIX.length), value]),
    ),
    sort: SORTS.find((sort) => sort === query.get("sort")) ?? "newest",
  };
}

export const fieldParameter = (name: string): string => FIELD_PREFIX + name;

/** Whether the list is narrowed by more than its form and view. */
export const isNarrowed = ({ search, from, to, fields }: Filters): boolean =>
  search !== "" || from !== "" || to !== "" || Object.keys(fields).length > 0;

/** Whether the list can be sorted by last activity, which the API does not support for filtered lists. */
export const canSortByActivity = (filters: Filters): boolean => filters.view !== "starred" && !isNarrowed(filters);

/** Converts the filters to parameters of the API. */
export function apiFilters(filters: Filters): SubmissionFilters {
  const { formId, view, search, from, to, fields, sort } = filters;
  return {
    form_id: formId ?? undefined,
    status: view === "in" ? INBOX_STATUSES.join(",") : view === "all" || view === "starred" ? undefined : view,
    starred: view === "starred" ? true : undefined,
    search: search === "" ? undefined : search,
    after: startOf(from, 0, -1),
    before: startOf(to, 1, 0),
    field: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")),
    order: sort === "oldest" ? "asc" : undefined,
    orderby: sort === "activity" && canSortByActivity(filters) ? "modified_at" : undefined,
  };
}

/** Returns the start of a day in the user's time zone, plus an offset in days and milliseconds. */
function startOf(day: string, days: number, milliseconds: number): string | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const time = new Date(year, month - 1, date + days).getTime() + milliseconds;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Whether a submission belongs to the view. */
export function belongsTo({ status, starred }: Pick<Submission, "status" | "starred">, view: View): boolean {
  const isHidden = HIDDEN_STATUSES.includes(status);
  if (view === "in") return INBOX_STATUSES.includes(status);
  if (view === "all") return !isHidden;
  if (view === "starred") return starred && !isHidden;
  return status === view;
}
