/** Queries of the REST API `cf/v1`, as options for TanStack Query. */
import { queryOptions } from "@tanstack/react-query";
import type {
  Answer,
  Form,
  FormAction,
  FormList,
  FormSchema,
  Input,
  QueueEntry,
  QueueStats,
  Selected,
  SubmissionCounts,
} from "../../../client/index.ts";
import { fieldsInWords } from "../draft/pipes.ts";
import type { Client } from "./client.ts";
import { keys } from "./keys.ts";

/** Members that lists of forms need. The HTML is left out, because the HTML of hundreds of forms takes megabytes. */
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

/** Reads the progress of an import; while the import runs, every half second. */
export const importQuery = (client: Client, id: number) =>
  queryOptions({
    queryKey: keys.import(id),
    queryFn: ({ signal }) => client.getImport({ id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? 500 : false),
  });

const TRASH_FIELDS = ["id", "title", "submission_count", "trashed_at"] as const;

export type TrashedForm = Selected<FormList, (typeof TRASH_FIELDS)[number]>[number];

/** Reads the newest forms in the trash, up to 100. */
export const formTrashQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.formTrash,
    queryFn: ({ signal }): Promise<readonly TrashedForm[]> =>
      client.listForms({ status: "trash", per_page: 100, _fields: TRASH_FIELDS }, { signal }),
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

/**
 * Reads the stored schema of a form that was last edited as fields. For other forms, generates a schema from the HTML,
 * without storing it.
 */
export const schemaQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.schema(formId),
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<Pick<FormSchema, "fields">> => {
      const { source, has_schema: hasSchema } = await client.getForm(
        { id: formId, _fields: ["source", "has_schema"] },
        { signal },
      );
      if (source === "schema" && hasSchema) {
        const schema = await client.getSchema({ id: formId }, { signal });
        return { fields: fieldsInWords(schema?.fields ?? []) };
      }
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

/** Reads the site's upload limit in bytes from the HTML of a previewed file field; null without a limit. */
export const uploadLimitQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.uploadLimit,
    staleTime: Infinity,
    async queryFn({ signal }) {
      const schema = { fields: [{ name: "file", type: "file" as const }] };
      const { html } = await client.previewForm({ body: { title: "Limit", schema } }, { signal });
      const limit = /\sdata-max-bytes="(\d+)"/.exec(html)?.[1];
      return limit === undefined ? null : Number(limit);
    },
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

/** Reads the paths of the API's routes, because an engine that is older than the admin may lack some. */
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

/** Reads the number of unread submissions of all forms. */
export const unreadCountQuery = (client: Client) => ({
  ...countsQuery(client),
  select: ({ unread }: SubmissionCounts) => unread,
});

/** Reads the number of deliveries that failed in the last seven days and were neither retried nor dismissed. */
export const failedDeliveriesQuery = (client: Client) => ({
  ...queueStatsQuery(client),
  select: ({ needs_attention: count }: QueueStats) => count,
});

export const submissionQuery = (client: Client, id: number) =>
  queryOptions({ queryKey: keys.oneSubmission(id), queryFn: ({ signal }) => client.getSubmission({ id }, { signal }) });

export const timelineQuery = (client: Client, submissionId: number) =>
  queryOptions({
    queryKey: keys.timelineOf(submissionId),
    queryFn: ({ signal }) => client.getTimeline({ id: submissionId }, { signal }),
  });

/** Polling interval of the badges. */
const COUNTS_INTERVAL_MS = 30_000;

/** Counts the submissions in each view of the inbox, for one form or for all forms. */
export const countsQuery = (client: Client, formId: number | null = null) =>
  queryOptions({
    queryKey: keys.countsOf(formId),
    staleTime: 5_000,
    refetchInterval: COUNTS_INTERVAL_MS,
    refetchOnWindowFocus: "always",
    queryFn: ({ signal }) => client.countSubmissions({ form_id: formId ?? undefined }, { signal }),
  });

const FAILED_COUNT = 100;

const FAILED_FIELDS = ["form_id", "submission_id", "completed_at"] as const;
type FailedEntry = Pick<QueueEntry, (typeof FAILED_FIELDS)[number]>;

/** Reads the newest failed deliveries that were neither retried nor dismissed, up to `FAILED_COUNT`. */
const failedEntriesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.failedEntries,
    staleTime: 5_000,
    refetchInterval: COUNTS_INTERVAL_MS,
    queryFn: ({ signal }): Promise<readonly FailedEntry[]> =>
      client.listQueueEntries(
        { status: "failed", dismissed: false, per_page: FAILED_COUNT, order: "desc", _fields: FAILED_FIELDS },
        { signal },
      ),
  });

/** Reads the ids of the submissions whose deliveries failed, from `failedEntriesQuery`. */
export const failedSubmissionsQuery = (client: Client) => ({
  ...failedEntriesQuery(client),
  select: (entries: readonly FailedEntry[]) => entries.flatMap(({ submission_id: id }) => (id === null ? [] : [id])),
});

const ATTENTION_MS = 7 * 86_400_000;

/** Reads the ids of the forms whose deliveries failed in the last seven days, from `failedEntriesQuery`. */
export const failedFormsQuery = (client: Client) => ({
  ...failedEntriesQuery(client),
  select: (entries: readonly FailedEntry[]): ReadonlySet<number> =>
    new Set(
      entries
        .filter(({ completed_at: at }) => at !== null && Date.parse(at) > Date.now() - ATTENTION_MS)
        .map(({ form_id: id }) => id),
    ),
});

/** Counts the files of all submissions of a form, including spam and trash. */
export const fileCountQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.fileCount(formId),
    gcTime: 0,
    queryFn: async ({ signal }): Promise<number> =>
      (await client.countSubmissions({ form_id: formId, files: true }, { signal })).files ?? 0,
  });

/** Reads the actions of a form. */
export const formActionsQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.formActions(formId),
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<readonly FormAction[]> =>
      (await client.getForm({ id: formId, _fields: ["settings.actions"] }, { signal })).settings.actions ?? [],
  });

/** Reads the answers of a form's newest submission that is neither spam nor trash; null if there is none. */
export const newestAnswersQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.newestAnswers(formId),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [newest] = await client.listFormSubmissions(
        { form_id: formId, per_page: 1, _fields: ["data"] },
        { signal },
      );
      return newest?.data ?? null;
    },
  });

/** Composes the mail of an action without sending it. */
export const mailPreviewQuery = (client: Client, body: Input<"composeMail">["body"]) =>
  queryOptions({
    queryKey: keys.mailPreview(body),
    staleTime: 60_000,
    gcTime: 60_000,
    queryFn: ({ signal }) => client.composeMail({ body }, { signal }),
  });

/** Reads the form ids of the newest `count` submissions, including spam and trash. */
export const newestQuery = (client: Client, count: number) =>
  queryOptions({
    queryKey: keys.newest,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      client.listSubmissions({ status: "any", per_page: count, _fields: ["id", "form_id"] }, { signal }),
  });

/** Reads the title and the fields of a form through one of the form's submissions, for users who may not read forms. */
export const formOfSubmissionQuery = (client: Client, formId: number, submissionId: number) =>
  queryOptions({
    queryKey: keys.formOfSubmission(formId),
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      client.getSubmission({ id: submissionId, _fields: ["form_id", "form_title", "fields"] }, { signal }),
  });

export const erasuresQuery = (client: Client) =>
  queryOptions({ queryKey: keys.erasures, queryFn: ({ signal }) => client.listErasures({ per_page: 50 }, { signal }) });

/** Reads the number and the size of a form's saved progress. */
export const savedProgressQuery = (client: Client, formId: number) =>
  queryOptions({
    queryKey: keys.savedProgress(formId),
    queryFn: ({ signal }) => client.getSavedAnswers({ id: formId }, { signal }),
  });
