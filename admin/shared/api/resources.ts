/** Queries of `cf/v1`: one `queryOptions` for each resource. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  Answer,
  Form,
  FormList,
  FormSchema,
  Input,
  QueueEntry,
  QueueStats,
  Selected,
  Submission,
} from "../../../client/index.ts";
import type { Client } from "./client.ts";
import { type Days, keys, type SubmissionFilters } from "./keys.ts";

/** Members of a form that lists show. The HTML of hundreds of forms would be megabytes. */
const LIST_FIELDS = [
  "id",
  "title",
  "slug",
  "status",
  "url",
  "source",
  "has_schema",
  "submission_count",
  "created_at",
  "updated_at",
  "settings.opens_at",
  "settings.closes_at",
] as const;

export type ListedForm = Selected<FormList, (typeof LIST_FIELDS)[number]>[number];

export const formsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.forms,
    queryFn: ({ signal }): Promise<readonly ListedForm[]> => client.listForms({ _fields: LIST_FIELDS }, { signal }),
  });

export interface LoadedForm {
  readonly form: Form;
  readonly etag: string | null;
}

export const formQuery = (client: Client, id: number) =>
  queryOptions({
    queryKey: keys.form(id),
    queryFn: async ({ signal }): Promise<LoadedForm> => {
      const { data, etag } = await client.answer("getForm", { id }, { signal });
      return { form: data, etag };
    },
  });

/** Reads the form's schema; for a form without one, a schema generated from its HTML, which is not stored. */
export const schemaQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.schema(formId),
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<Pick<FormSchema, "fields">> => {
      const { source, has_schema: hasSchema } = await client.getForm(
        { id: formId, _fields: ["source", "has_schema"] },
        { signal },
      );
      if (source === "schema" && hasSchema)
        return (await client.getSchema({ id: formId }, { signal })) ?? { fields: [] };
      const generated = await client.generateSchema({ id: formId, preview: true }, { signal });
      return "schema" in generated ? generated.schema : generated;
    },
  });

export const revisionsQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.revisions(formId),
    queryFn: ({ signal }) => client.listRevisions({ id: formId, per_page: 50 }, { signal }),
  });

export const answerNamesQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.answerNames(formId),
    queryFn: ({ signal }) => client.listAnswerNames({ id: formId }, { signal }),
  });

export const editorPartsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.editorParts,
    staleTime: Infinity,
    queryFn: ({ signal }) => client.listEditorParts({}, { signal }),
  });

export const actionTypesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.actionTypes,
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => client.listActionTypes({}, { signal }),
  });

export const actionNamesQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.actionNames(formId),
    queryFn: ({ signal }) =>
      client.getForm(
        { id: formId, _fields: ["id", "settings.actions.action_id", "settings.actions.action_name"] },
        { signal },
      ),
  });

export const actionSettingsQuery = (client: Client, type: string, formId: number, index: number) =>
  queryOptions({
    queryKey: keys.actionSettings(type, formId, index),
    queryFn: ({ signal }) => client.getActionSettings({ type, form_id: formId, index }, { signal }),
  });

/** Reads the paths of the API's routes. The engine may be older than the admin. */
export const routesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.routes,
    staleTime: Infinity,
    queryFn: async ({ signal }) =>
      Object.keys((await client.getNamespaceIndex({ _fields: ["routes"] }, { signal })).routes),
  });

/** A page of a list. */
export interface PagedList<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

const pagedOf = <Item>({ data, total }: Answer<readonly Item[]>): PagedList<Item> => ({
  items: data,
  total: total ?? 0,
});

export const queueQuery = (client: Client, input: Input<"listQueueEntries">) =>
  queryOptions({
    queryKey: keys.queueList(input),
    queryFn: async ({ signal }) => pagedOf(await client.answer("listQueueEntries", input, { signal })),
  });

export const queueStatsQuery = (client: Client) =>
  queryOptions({ queryKey: keys.queueStats, queryFn: ({ signal }) => client.getQueueStats({}, { signal }) });

/** Members of a queue entry that the timeline shows while the entry waits. */
const WAITING_FIELDS = ["id", "status", "action_type", "action_name", "scheduled_at"] as const;
export type WaitingEntry = Pick<QueueEntry, (typeof WAITING_FIELDS)[number]>;

export const queueOfQuery = (client: Client, submissionId: number) =>
  queryOptions({
    queryKey: keys.queueOf(submissionId),
    queryFn: ({ signal }): Promise<readonly WaitingEntry[]> =>
      client.listQueueEntries(
        { submission_id: submissionId, per_page: 100, order: "asc", _fields: WAITING_FIELDS },
        { signal },
      ),
  });

export const logsQuery = (client: Client, input: Input<"listActionLogs">) =>
  queryOptions({
    queryKey: keys.logs(input),
    queryFn: async ({ signal }) => pagedOf(await client.answer("listActionLogs", input, { signal })),
  });

export const logStatsQuery = (client: Client) =>
  queryOptions({ queryKey: keys.logStats, queryFn: ({ signal }) => client.getActionLogStats({}, { signal }) });

export const failuresQuery = (client: Client) =>
  queryOptions({ queryKey: keys.failures, queryFn: ({ signal }) => client.listActionFailures({}, { signal }) });

/** Returns the operation that lists the submissions of one form or of all. Both take the same parameters. */
const listOf = ({ form_id: formId }: SubmissionFilters) =>
  (formId === undefined ? "listSubmissions" : "listFormSubmissions") as "listSubmissions";

/** A page of the inbox's list. */
export interface SubmissionPage {
  readonly rows: readonly Submission[];
  readonly total: number;
  /** Whether the API stopped counting at `total`, so that there may be more. */
  readonly isLowerBound: boolean;
  readonly next: string | null;
}

const PAGE_SIZE = 100;

export const submissionsQuery = (client: Client, filters: SubmissionFilters) =>
  infiniteQueryOptions({
    queryKey: keys.submissionList(filters),
    initialPageParam: "",
    staleTime: 10_000,
    // Structural sharing would compare all loaded pages with each new one, at a cost that grows while scrolling.
    structuralSharing: false,
    queryFn: async ({ pageParam, signal }): Promise<SubmissionPage> => {
      const input = { ...filters, per_page: PAGE_SIZE, cursor: pageParam === "" ? undefined : pageParam };
      const { data, headers, total } = await client.answer(listOf(filters), input, { signal });
      return {
        rows: data,
        total: total ?? 0,
        isLowerBound: headers.get("x-cf-total-is-least") === "true",
        next: headers.get("x-cf-next-cursor"),
      };
    },
    getNextPageParam: (page: SubmissionPage) => page.next ?? undefined,
  });

/** Polls a list for its newest submission and its total. The API reads one row and a counter. */
export const pollQuery = (client: Client, filters: SubmissionFilters) =>
  queryOptions({
    queryKey: keys.pollOf(filters),
    queryFn: async ({ signal }) => {
      const { data, total } = await client.answer(
        listOf(filters),
        { ...filters, per_page: 1, _fields: ["id"] },
        { signal },
      );
      return { newest: data[0]?.id ?? 0, total: total ?? 0 };
    },
  });

export const unreadQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.unreadOf(formId),
    staleTime: 20_000,
    queryFn: async ({ signal }) =>
      (
        await client.answer(
          "listFormSubmissions",
          { form_id: formId, status: "new", per_page: 1, _fields: ["id"] },
          { signal },
        )
      ).total ?? 0,
  });

/** Reads how many submissions of all forms are unread, from a counter. */
export const unreadCountQuery = (client: Client) => ({
  ...pollQuery(client, { status: "new" }),
  select: ({ total }: { readonly total: number }) => total,
});

/** Reads how many deliveries failed and were neither retried nor dismissed. */
export const failedDeliveriesQuery = (client: Client) => ({
  ...queueStatsQuery(client),
  select: ({ failed }: QueueStats) => failed,
});

export const submissionQuery = (client: Client, id: number) =>
  queryOptions({ queryKey: keys.oneSubmission(id), queryFn: ({ signal }) => client.getSubmission({ id }, { signal }) });

export const timelineQuery = (client: Client, submissionId: number) =>
  queryOptions({
    queryKey: keys.timelineOf(submissionId),
    queryFn: ({ signal }) => client.getTimeline({ id: submissionId }, { signal }),
  });

/** Reads the forms of the newest submissions, of any status. */
export const newestQuery = (client: Client, count: number) =>
  queryOptions({
    queryKey: keys.newest,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      client.listSubmissions({ status: "any", per_page: count, _fields: ["id", "form_id"] }, { signal }),
  });

/** Reads the title and the fields that a submission holds of its form, for users who may not read forms. */
export const formOfSubmissionQuery = (client: Client, formId: number, submissionId: number) =>
  queryOptions({
    queryKey: keys.formOfSubmission(formId),
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      client.getSubmission({ id: submissionId, _fields: ["form_id", "form_title", "fields"] }, { signal }),
  });

export const overviewQuery = (client: Client) =>
  queryOptions({ queryKey: keys.overview, queryFn: ({ signal }) => client.getAnalyticsOverview({}, { signal }) });

export const funnelQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "funnel", days),
    queryFn: ({ signal }) => client.getFunnel({ form_id: formId, ...days }, { signal }),
  });

export const dailyQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "daily", days),
    queryFn: ({ signal }) => client.getDailyStats({ form_id: formId, ...days }, { signal }),
  });

export const dropoffQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "dropoff", days),
    queryFn: ({ signal }) => client.getFieldDropoff({ form_id: formId, ...days }, { signal }),
  });

export const attributionQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "attribution", days),
    queryFn: ({ signal }) => client.getAttribution({ form_id: formId, ...days }, { signal }),
  });

export const spamTrendsQuery = (client: Client, formId: number, days: Days) =>
  queryOptions({
    queryKey: keys.numbers(formId, "spam", days),
    queryFn: ({ signal }) => client.getSpamTrends({ form_id: formId, ...days }, { signal }),
  });

export const recommendationsQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.numbers(formId, "recommendations"),
    queryFn: ({ signal }) => client.getRecommendations({ form_id: formId }, { signal }),
  });

export const answerSumsQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.numbers(formId, "answers"),
    queryFn: ({ signal }) => client.getAnswerSums({ form_id: formId }, { signal }),
  });

export const erasuresQuery = (client: Client) =>
  queryOptions({ queryKey: keys.erasures, queryFn: ({ signal }) => client.listErasures({ per_page: 50 }, { signal }) });
