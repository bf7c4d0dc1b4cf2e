/** Filters of the inbox, as the URL records them. */
import type { Submission } from "../../../client/index.ts";
import type { SubmissionFilters } from "../../shared/api/keys.ts";

export const VIEWS = ["all", "new", "read", "starred", "replied", "archived", "spam", "trash"] as const;
export type View = (typeof VIEWS)[number];

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
}

const FIELD_PREFIX = "field.";

export function filtersOf(query: URLSearchParams): Filters {
  const formId = Number(query.get("form"));
  return {
    formId: Number.isSafeInteger(formId) && formId > 0 ? formId : null,
    view: VIEWS.find((view) => view === query.get("view")) ?? "all",
    search: query.get("search") ?? "",
    from: query.get("from") ?? "",
    to: query.get("to") ?? "",
    fields: Object.fromEntries(
      [...query]
        .filter(([name]) => name.startsWith(FIELD_PREFIX))
        .map(([name, value]) => [name.slice(FIELD_PREFIX.length), value]),
    ),
  };
}

export const fieldParameter = (name: string): string => FIELD_PREFIX + name;

/** Converts the filters to parameters of the API. */
export function apiFilters({ formId, view, search, from, to, fields }: Filters): SubmissionFilters {
  return {
    form_id: formId ?? undefined,
    status: view === "all" ? undefined : view === "starred" ? "any" : view,
    starred: view === "starred" ? true : undefined,
    search: search === "" ? undefined : search,
    after: startOf(from, 0, -1),
    before: startOf(to, 1, 0),
    field: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")),
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
export function belongsTo({ status, starred }: Submission, view: View): boolean {
  if (view === "all") return status !== "spam" && status !== "trash";
  if (view === "starred") return starred;
  return status === view;
}
