/** What the admin reads of `cf/v1`: of each resource, the members that its screens show. */
import type { ActionFailureList, ActionLog as Log, AnswerSums, Condition, FieldType, FormAction, Validation } from "../../../client/operations.ts";

export type {
  ActionLogStats, ActionReport, AnalyticsOverview, Attribution, Condition, DailyStats,
  FieldDropoff, FormExport, FormImport, Funnel, PersonalData, RecommendationList, SpamTrends,
} from "../../../client/operations.ts";

export type FormStatus = "published" | "draft" | "closed";

export interface FormSettings {
  readonly actions: readonly Action[];
  readonly [name: string]: unknown;
}

export interface Form {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly status: FormStatus;
  readonly url: string;
  readonly former_slugs: readonly string[];
  readonly markup: string;
  readonly settings: FormSettings;
  readonly messages: Readonly<Record<string, string>>;
  readonly source: "markup" | "schema";
  readonly has_schema: boolean;
  readonly revision: number;
  readonly submission_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export type Action = FormAction & {
  readonly action_id?: string;
  readonly action_name?: string;
  readonly action_enabled?: boolean;
};

export interface Revision {
  readonly revision: number;
  readonly created_at: string;
  readonly user: string;
  readonly summary: string;
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly label: string;
  readonly options: readonly FieldOption[];
  readonly required: boolean;
  readonly group: string | null;
  readonly validation: Validation;
  readonly conditions: readonly Condition[];
}

export interface Schema {
  readonly fields: readonly Field[];
}

export interface SubmissionFile {
  readonly id: number;
  readonly field: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly url: string;
}

export interface Submission {
  readonly id: number;
  readonly form_id: number;
  readonly status: string;
  readonly starred?: boolean;
  readonly is_spam: boolean;
  readonly spam_score: number;
  readonly spam_reasons: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** What the chosen options are called, by field name. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly files: readonly SubmissionFile[];
  readonly ip_address: string;
  readonly user_agent: string;
  readonly referer_url: string;
  readonly page_url: string;
  readonly submitted_at: string;
  readonly modified_at: string;
  /** For people who may not read the form: what its answers mean. */
  readonly fields?: readonly Pick<Field, "name" | "type" | "label" | "options">[];
}

export interface TimelineEntry {
  readonly at: string;
  readonly kind: "received" | "edited" | "status" | "note" | "action";
  readonly user?: string | null;
  readonly [name: string]: unknown;
}

export interface QueueEntry {
  readonly id: number;
  readonly form_id: number;
  readonly submission_id: number;
  readonly action_type: string;
  readonly action_name?: string;
  readonly action_index: number;
  readonly status: "pending" | "processing" | "completed" | "retrying" | "failed" | "cancelled";
  readonly attempts: number;
  readonly max_retries: number;
  readonly last_error: string;
  readonly scheduled_at: string;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What newer engines tell of a run besides. */
interface RunFacts {
  readonly action_name?: string;
  /** As `POST /actions/test` answers it. */
  readonly output?: unknown;
}
export type ActionLog = Log & RunFacts;
export type ActionFailure = ActionFailureList[number] & RunFacts;

export type QueueStats = Readonly<Record<QueueEntry["status"] | "oldest_pending_seconds", number>>;

export interface ActionSetting {
  readonly key: string;
  readonly label: string;
  readonly input: "text" | "textarea" | "select" | "checkbox" | "password";
  readonly default: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly options: readonly FieldOption[];
  readonly help: string;
}

export interface ActionType {
  readonly type: string;
  readonly label: string;
  readonly settings: readonly ActionSetting[];
}

/** What `GET /analytics/{id}/answers` gives for one field. */
export type AnswerSum = AnswerSums[number];
