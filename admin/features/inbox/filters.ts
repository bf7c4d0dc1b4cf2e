/** What the inbox shows, as it stands in the address. */
import type { Submission } from "../../../client/index.ts";
import type { SubmissionFilters } from "../../shared/api/keys.ts";

export const VIEWS = ["all", "new", "read", "starred", "replied", "archived", "spam", "trash"] as const;
export type View = (typeof VIEWS)[number];

export interface Filters {
  readonly formId: number | null;
  readonly view: View;
  readonly search: string;
  /** Days, `YYYY-MM-DD`, in the person's time zone, both included. */
  readonly from: string;
  readonly to: string;
  /** Whole values by field name. */
  readonly fields: Readonly<Record<string, string>>;
}

const FIELD = "field.";

export function filtersOf(query: URLSearchParams): Filters {
  const formId = Number(query.get("form"));
  return {
    formId: Number.isSafeInteger(formId) && formId > 0 ? formId : null,
    view: VIEWS.find((view) => view === query.get("view")) ?? "all",
    search: query.get("search") ?? "",
    from: query.get("from") ?? "",
    to: query.get("to") ?? "",
    fields: Object.fromEntries(
      [...query].filter(([name]) => name.startsWith(FIELD)).map(([name, value]) => [name.slice(FIELD.length), value]),
    ),
  };
}

export const fieldParameter = (name: string): string => FIELD + name;

/** The filters as the API takes them. */
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

/** The first moment of a day in the person's time zone, some days and milliseconds later. */
function startOf(day: string, days: number, milliseconds: number): string | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const moment = new Date(year, month - 1, date + days).getTime() + milliseconds;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

/** Whether a submission that was changed still belongs to the view. */
export function belongsTo({ status, starred }: Submission, view: View): boolean {
  if (view === "all") return status !== "spam" && status !== "trash";
  if (view === "starred") return starred;
  return status === view;
}
