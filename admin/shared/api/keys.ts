/** Query keys, each declared once. Invalidating a key also invalidates every longer key that begins with it. */
import type { Input } from "../../../client/index.ts";

/** Filters of a list of submissions. */
export type SubmissionFilters = Pick<
  Input<"listSubmissions">,
  "form_id" | "status" | "starred" | "search" | "after" | "before" | "field" | "order" | "orderby"
>;

/** Part of a list that is sorted by form or by status: the submissions of one form or of one status. */
export type ListPart = Pick<SubmissionFilters, "form_id" | "status">;

/** First and last UTC day. */
export interface Days {
  readonly date_from: string;
  readonly date_to: string;
}

export const keys = {
  forms: ["forms"],
  formTrash: ["forms", "trash"],
  import: (id: number) => ["import", id] as const,
  form: (id: number) => ["form", id] as const,
  /** The fields of a form, published or read from its HTML. */
  schema: (formId: number) => ["schema", formId] as const,
  revisions: (formId: number) => ["revisions", formId] as const,
  revision: (formId: number, revision: number | null) => ["revision", formId, revision] as const,
  /** Content that the form editor opened: the draft; the live form if there is no draft. */
  editor: (formId: number) => ["editor", formId] as const,
  /** HTML of the fields of a published revision. */
  renderedHtml: (formId: number, revision: number) => ["rendered-html", formId, revision] as const,
  editorParts: ["editor-parts"],
  uploadLimit: ["upload-limit"],
  savedProgress: (formId: number) => ["saved-progress", formId] as const,
  answerNames: (formId: number) => ["answer-names", formId] as const,
  actionTypes: ["action-types"],
  actionNames: (formId: number) => ["action-names", formId] as const,
  actionSettings: (type: string, formId: number, index: number) => ["action-settings", type, formId, index] as const,
  routes: ["routes"],
  queue: ["queue"],
  queueList: (input: object) => ["queue", "list", input] as const,
  queueStats: ["queue", "stats"],
  queueOf: (submissionId: number) => ["queue", "of", submissionId] as const,
  logs: (input: object) => ["logs", input] as const,
  logStats: ["log-stats"],
  failures: ["failures"],
  submissions: ["submissions"],
  submissionList: (filters: SubmissionFilters, parts: readonly ListPart[] = []) =>
    ["submissions", filters, parts] as const,
  submission: ["submission"],
  oneSubmission: (id: number) => ["submission", id] as const,
  /** Poll of a list: its newest submission and its total. */
  poll: ["poll"],
  pollOf: (filters: SubmissionFilters) => ["poll", filters] as const,
  newest: ["newest"],
  newestAnswers: (formId: number) => ["newest", formId] as const,
  mailPreview: (body: unknown) => ["mail-preview", body] as const,
  formOfSubmission: (formId: number) => ["form-of-submission", formId] as const,
  timeline: ["timeline"],
  timelineOf: (submissionId: number) => ["timeline", submissionId] as const,
  counts: ["submission-counts"],
  countsOf: (formId: number | null) => ["submission-counts", formId] as const,
  failedEntries: ["queue", "failed"],
  fileCount: (formId: number) => ["file-count", formId] as const,
  formActions: (formId: number) => ["form-actions", formId] as const,
  unread: ["unread"],
  unreadOf: (formId: number) => ["unread", formId] as const,
  overview: ["overview"],
  numbers: (formId: number, name: string, days?: Days) => ["numbers", formId, name, days] as const,
  erasures: ["erasures"],
  account: ["account"],
  applicationPasswords: ["application-passwords"],
  users: ["users"],
  mails: ["mail"],
  mail: (address: string) => ["mail", address] as const,
  health: ["health"],
  mailServer: ["mail-server"],
} as const;

/** Keys to invalidate when a form changes. */
export const formKeys = (id: number) => [keys.forms, keys.form(id), keys.schema(id), keys.revisions(id)] as const;
