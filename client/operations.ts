/** The routes, what they take and what they answer. Made by scripts/client-operations.ts: do not edit. */

/** A type whose named members are required. */
export type Having<Type, Name extends keyof Type> = Type & { readonly [Member in Name]-?: Type[Member] };

/** Part of ActionFailureList. */
export type ActionFailure = ActionLog & {
  readonly form_title: string | null;
  /** When the entry runs again; null unless it is retried. */
  readonly queue_due_at: string | null;
  readonly queue_status: "pending" | "processing" | "completed" | "retrying" | "failed" | "cancelled" | null;
};

/** Answer of listActionFailures. */
export type ActionFailureList = readonly ActionFailure[];

/** Part of ActionFailure, ActionLogList and PersonalData. */
export interface ActionLog {
  /** The id of the form's action; empty for an action that was queued before ids existed. */
  readonly action_id: string;
  readonly action_type: string;
  readonly attempt: number;
  readonly created_at: string;
  /** Kept if the host sends no mail, or accepted by the receiver, which does not prove delivery; empty unless the run succeeded. */
  readonly detail: "" | "kept" | "accepted";
  readonly duration_ms: number;
  readonly form_id: number;
  readonly id: number;
  readonly message: string;
  /** The output of a failed run, such as {request, response}, without secrets and with long texts cut; null if there is none or too much. */
  readonly output: {
    readonly [name: string]: unknown;
  } | null;
  readonly queue_id: number;
  readonly status: "success" | "failed" | "skipped";
  readonly submission_id: number;
}

/** Answer of listActionLogs. */
export type ActionLogList = readonly ActionLog[];

/** Answer of getActionLogStats. */
export type ActionLogStats = ActionLogSums & {
  readonly by_action: readonly (ActionLogSums & {
    readonly action_type: string;
  })[];
  readonly last_24h: ActionLogSums;
};

/** Part of ActionLogStats. */
export interface ActionLogSums {
  readonly failed: number;
  readonly skipped: number;
  readonly success: number;
  /** The percentage of successful runs, without skipped ones. */
  readonly success_rate: number;
  readonly total: number;
}

/** Answer of composeMail and testAction. */
export interface ActionReport {
  readonly detail: "" | "kept" | "accepted";
  readonly duration_ms: number;
  readonly message: string;
  /** The output, such as the mail or the request. */
  readonly output: unknown;
  readonly status: "success" | "failed" | "skipped";
  readonly success: boolean;
}

/** A setting of a built-in action type; plugins render theirs. */
export interface ActionSetting {
  readonly default: string;
  readonly help: string;
  readonly input: "text" | "textarea" | "select" | "checkbox" | "password";
  readonly key: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly required: boolean;
  /** Masked on read. */
  readonly secret: boolean;
}

/** Answer of getActionSettings. */
export interface ActionSettings {
  readonly html: string;
  readonly index: number;
  readonly settings: {
    readonly [name: string]: unknown;
  };
  readonly type: string;
}

/** Part of ActionTypeList. */
export interface ActionType {
  readonly label: string;
  readonly settings: readonly ActionSetting[];
  readonly type: string;
}

/** Answer of listActionTypes. */
export type ActionTypeList = readonly ActionType[];

/** Answer of getAnalyticsOverview. */
export interface AnalyticsOverview {
  readonly forms: readonly (Funnel & {
    readonly form_id: number;
    readonly last_submission_at: string | null;
    readonly title: string;
  })[];
  readonly totals: Funnel;
}

/** Answer of listAnswerNames. */
export type AnswerNameList = readonly {
  /** The number of submissions with an answer of that name, including spam and trash. */
  readonly count: number;
  readonly name: string;
}[];

/** Part of AnswerSums. */
export interface AnswerSum {
  /** A histogram: each bar counts the numbers from `from` up to, but without, `to`. A bar with equal ends counts the greatest allowed number. */
  readonly bars?: readonly {
    readonly count: Count;
    readonly from: number;
    readonly to: number;
  }[];
  /** The number of submissions with an answer; for a number or range, the number of numbers. */
  readonly count: number;
  /** The beginning of the first filled bar. */
  readonly from?: number | null;
  readonly label: string;
  readonly mean?: number | null;
  readonly name: string;
  /** Net promoter score of a rating with the class `cf-nps`: promoters (9 and 10) less detractors (0 to 6), in percent of the answers. */
  readonly nps?: number | null;
  /** The options of a choice, the points of a rating, true and false of a consent or single checkbox. */
  readonly options?: readonly {
    readonly count: Count;
    readonly label: string;
    readonly value: string;
  }[];
  readonly other?: Count;
  /** Of a number or range. */
  readonly sum?: number;
  /** The end of the last bar. */
  readonly to?: number | null;
  readonly type: FieldType;
}

/** Answer of getAnswerSums. */
export type AnswerSums = readonly AnswerSum[];

/** Answer of getAttribution. */
export interface Attribution {
  readonly referrers: readonly {
    readonly count: number;
    /** `direct` without a referrer. */
    readonly referrer_domain: string;
  }[];
  readonly utm_sources: readonly {
    readonly count: number;
    readonly utm_campaign: string;
    readonly utm_medium: string;
    /** `direct` without a campaign in the page's URL. */
    readonly utm_source: string;
  }[];
}

/** Answer of bulkSubmissions. */
export interface BulkResult {
  readonly done: readonly number[];
  readonly not_found: readonly number[];
}

/** Part of Ending, FieldMembers and FormAction. */
export type Condition = {
  readonly action?: "show" | "hide";
  /** The name of the controlling field. */
  readonly field: string;
  readonly operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "is_empty" | "is_not_empty" | "greater_than" | "less_than" | "greater_or_equal" | "less_or_equal" | "in" | "not_in" | "matches" | "before" | "after" | "checked" | "not_checked";
  readonly value?: unknown;
} | {
  readonly action?: "show" | "hide";
  readonly any: readonly Condition[];
} | {
  readonly action?: "show" | "hide";
  readonly all: readonly Condition[];
};

/** Part of AnswerSum, FieldDropoff, Funnel and others. */
export type Count = number;

/** Answer of getDailyStats. */
export type DailyStats = readonly {
  readonly count: number;
  readonly date: string;
  readonly event_type: "abandon" | "field_interaction" | "spam" | "start" | "submit" | "view";
}[];

/** Answer of deleteDraft. */
export interface DeletedDraft {
  readonly deleted: true;
  readonly previous: WorkInProgress;
}

/** Answer of deleteField. */
export interface DeletedField {
  readonly deleted: true;
  readonly previous: Field;
  /** Only with report=true. */
  readonly warnings?: readonly MarkupWarning[];
}

/** Answer of deleteForm. */
export interface DeletedForm {
  readonly deleted: true;
  readonly previous: Form;
  /** Whether it is in the trash, from which it can be restored for 30 days. */
  readonly trashed: boolean;
}

/** Answer of deleteSubmission. */
export interface DeletedSubmission {
  readonly deleted: true;
  readonly previous: Submission;
}

/** Answer of addField and updateField. */
export type EditedField = Field & {
  /** Only with report=true. */
  readonly warnings?: readonly MarkupWarning[];
};

/** Answer of listEditorParts. */
export interface EditorParts {
  /** The result of the filter cf_editor_field_types. */
  readonly field_types: readonly {
    readonly [name: string]: unknown;
  }[];
  /** The result of the filter cf_editor_panels. */
  readonly panels: readonly {
    readonly [name: string]: unknown;
  }[];
}

/** An ending for visitors whose answers meet the conditions. Missing members come from the general ending. */
export interface Ending {
  readonly button?: EndingButton;
  readonly conditions?: readonly Condition[];
  readonly html?: string;
  /** A path, or an http or https URL. */
  readonly redirect_url?: string;
  readonly text?: string;
  readonly title?: string;
  readonly [name: string]: unknown;
}

/** Part of Ending and FormSettingsMembers. */
export interface EndingButton {
  readonly label?: string;
  /** A path, or an http or https URL. May contain template variables. */
  readonly url?: string;
  readonly [name: string]: unknown;
}

/** Answer of erasePersonalData. */
export type Erasure = ErasureReceipt & {
  /** Whether nothing is left. */
  readonly done: boolean;
  /** The number of files that could not be deleted; the log names them. */
  readonly files_left: number;
};

/** Part of Erasure and ErasureReceiptList. */
export interface ErasureReceipt {
  readonly action_logs: number;
  /** A keyed hash; the email address itself is not stored. */
  readonly address_hash: string;
  readonly erased_at: string;
  readonly files: number;
  readonly id: string;
  readonly queue_entries: number;
  readonly submissions: number;
}

/** Answer of listErasures. */
export type ErasureReceiptList = readonly ErasureReceipt[];

/** Error answer of getNamespaceIndex, listActionLogs, listActionFailures and others. */
export interface Error {
  readonly code: string;
  readonly data: {
    readonly details?: {
      readonly [name: string]: ErrorDetail;
    };
    /** The names of the missing parameters, or a message for each wrong one. */
    readonly params?: readonly string[] | {
      readonly [name: string]: string;
    };
    /** Identifies the error in the site's log. */
    readonly request_id?: string;
    readonly status: number;
    /** The fields whose conditions refer to it. */
    readonly used_by?: readonly string[];
  };
  /** For people. */
  readonly message: string;
}

/** Part of Error. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
}

/** Part of DeletedField, EditedField, FieldList and others. */
export type Field = Having<FieldMembers, "name" | "type" | "label" | "placeholder" | "default_value" | "required" | "css_class" | "description" | "options" | "validation" | "conditions" | "attributes" | "position" | "group">;

/** Answer of getFieldDropoff. */
export type FieldDropoff = readonly {
  readonly drop_off_rate: Percent;
  readonly drop_offs: Count;
  readonly field_name: string;
  readonly interactions: Count;
  readonly label: string;
}[];

/** Answer of listFields. */
export type FieldList = readonly Field[];

/** Input of addField and updateField. */
export interface FieldMembers {
  readonly attributes?: {
    readonly [name: string]: string;
  };
  readonly conditions?: readonly Condition[];
  readonly css_class?: string;
  /** Several are joined by a line feed. */
  readonly default_value?: string;
  /** Help text shown below the field. */
  readonly description?: string;
  readonly group?: string | null;
  readonly label?: string;
  /** Unique in the schema. */
  readonly name?: string;
  readonly options?: readonly Option[];
  readonly placeholder?: string;
  readonly position?: number;
  readonly required?: boolean;
  readonly type?: FieldType;
  readonly validation?: Validation;
}

/** Part of AnswerSum and FieldMembers. */
export type FieldType = "text" | "email" | "url" | "tel" | "number" | "date" | "time" | "datetime-local" | "password" | "color" | "range" | "hidden" | "textarea" | "select" | "radio" | "checkbox" | "file" | "name" | "address" | "consent" | "rating" | "container" | "fieldset" | "heading" | "paragraph" | "divider" | "submit";

/** Answer of createForm, getForm, updateForm and others. */
export interface Form {
  readonly created_at: string;
  /** Former slugs whose URLs still lead to the form, newest first. */
  readonly former_slugs: readonly string[];
  readonly has_schema: boolean;
  readonly id: number;
  readonly markup: Markup;
  readonly messages: FormMessages;
  /** Counts the form's changes. */
  readonly revision: number;
  readonly settings: FormSettings;
  readonly slug: string;
  /** The source, which is rendered and validated: the side edited last. */
  readonly source: "markup" | "schema";
  /** A FormStatus, or trash for a deleted form, which can be restored for 30 days. */
  readonly status: "published" | "draft" | "closed" | "trash";
  /** Without spam and trash. */
  readonly submission_count: number;
  readonly title: string;
  /** Since when it is in the trash; absent for a form in use. */
  readonly trashed_at?: string;
  readonly updated_at: string;
  /** The URL of its page. */
  readonly url: string;
}

/** Part of FormSettingsMembers. */
export interface FormAction {
  readonly action_enabled?: boolean;
  /** The id of the action; generated if it is missing, empty or a duplicate. */
  readonly action_id?: string;
  readonly action_name?: string;
  readonly conditions?: readonly Condition[];
  readonly type: string;
  readonly [name: string]: unknown;
}

/** Part of FormExport and FormImport. */
export interface FormDraft {
  readonly markup: string;
  readonly messages: {
    readonly [name: string]: unknown;
  };
  readonly schema: FormSchema | null;
  readonly settings: {
    readonly [name: string]: unknown;
  };
  readonly slug: string;
  readonly source: "markup" | "schema";
  readonly status: FormStatus;
  readonly title: string;
}

/** Answer of exportForms. */
export interface FormExport {
  readonly format: "cf-forms";
  readonly forms: readonly FormDraft[];
  readonly version: 1;
}

/** Answer of uploadFormImage. */
export interface FormImage {
  /** A public address, whose picture never changes. Scripts and outside references are removed from SVG. */
  readonly url: string;
}

/** Answer of importForms. */
export interface FormImport {
  readonly format: "cf-forms" | "html-forms" | "contact-form-7" | "gravity-forms" | "emdash-forms" | "payload-form-builder" | "html" | "wpforms" | "fluent-forms" | "ninja-forms" | "forminator" | "formidable" | "typeform" | "google-forms" | "jotform" | "tally" | "formio" | "surveyjs" | "json-schema" | "xlsform" | "wordpress" | "gravity-entries" | "fluent-forms-entries" | "typeform-responses" | "jotform-submissions" | "tally-submissions" | "wpforms-entries" | "google-forms-responses" | "flamingo" | "submissions-csv";
  readonly forms: readonly (FormDraft & {
    /** null in a preview, for a new form. */
    readonly id: number | null;
    /** The result for the form's submissions in the file. */
    readonly submissions: {
      readonly found: number;
      /** The number that was already stored; null in a preview. */
      readonly known: number | null;
      /** The number of stored ones; null in a preview. */
      readonly stored: number | null;
    };
  })[];
  readonly report: readonly {
    readonly code: string;
    readonly message: string;
    readonly where: string;
  }[];
}

/** Answer of listForms. */
export type FormList = readonly Form[];

/** With all defaults filled in. */
export interface FormMessages {
  readonly success: string;
  readonly error: string;
  readonly required_field_missing: string;
  readonly invalid_email: string;
  readonly invalid_url: string;
  readonly invalid_number: string;
  readonly invalid_date: string;
  readonly invalid_option: string;
  readonly invalid_pattern: string;
  readonly too_short: string;
  readonly too_long: string;
  readonly too_small: string;
  readonly too_large: string;
  readonly spam: string;
  readonly rate_limited: string;
  readonly submission_limit_reached: string;
  readonly require_user_logged_in: string;
  readonly duplicate_submission: string;
  readonly file_too_large: string;
  readonly file_type_not_allowed: string;
  readonly file_type_mismatch: string;
  readonly file_upload_error: string;
  readonly calculation_failed: string;
  readonly not_repeated: string;
  readonly not_unique: string;
  readonly sold_out: string;
  readonly form_closed: string;
  readonly form_not_open: string;
  readonly [name: string]: string;
}

/** Texts by code; further codes are kept. */
export interface FormMessagesMembers {
  readonly [name: string]: string;
}

/** Answer of previewForm. */
export interface FormPreview {
  /** A whole page. */
  readonly html: string;
  /** Warnings about parts of the markup that the schema cannot hold. */
  readonly lost?: readonly MarkupWarning[];
  readonly markup?: string;
  readonly schema?: FormSchema;
  /** Parts of the markup that a save by this caller would remove. */
  readonly warnings: readonly MarkupWarning[];
}

/** Answer of putSchema. */
export interface FormSchema {
  readonly fields: FieldList;
  readonly form_settings: {
    readonly [name: string]: unknown;
  };
  readonly layout: Layout;
  readonly version: 1;
}

/** Input of composeMail, testAction, createForm and others. */
export interface FormSchemaMembers {
  readonly fields?: readonly FieldMembers[];
  readonly form_settings?: {
    readonly [name: string]: unknown;
  };
  readonly layout?: Layout;
  readonly version?: 1;
}

/** With every default filled in. */
export type FormSettings = Having<FormSettingsMembers, "actions" | "allowed_origins" | "auto_advance" | "closes_at" | "cover" | "email_fields" | "endings" | "file_link_days" | "hide_after_success" | "language" | "logo" | "opens_at" | "prefill" | "prevent_duplicates" | "rate_limit" | "redirect_url" | "require_user_logged_in" | "required_fields" | "retention_days" | "review" | "run_actions" | "save_submissions" | "shorten_ip" | "spam_checks" | "store_ip" | "store_user_agent" | "submission_limit" | "success_button" | "success_summary" | "success_title" | "theme" | "theme_values" | "upload_quota">;

/** Other keys belong to plugins: they are stored, and named in X-CF-Warning. */
export interface FormSettingsMembers {
  /** Actions that run after a submission, in order. */
  readonly actions?: readonly FormAction[];
  /** Origins whose pages may embed the form; empty for all pages to embed and none to frame it. */
  readonly allowed_origins?: readonly string[];
  /** Whether choosing an option shows the next question in a conversational form. */
  readonly auto_advance?: boolean;
  /** When the form closes for submissions, in ISO 8601; empty for never. */
  readonly closes_at?: string;
  /** Address of a wide picture at the top of the page; empty for none. */
  readonly cover?: string;
  /** Names of fields that must also contain an email address, separated by commas. */
  readonly email_fields?: string;
  /** Endings with conditions: the first whose conditions hold is shown. */
  readonly endings?: readonly Ending[];
  /** Days for which a mail's links to files work; 0 for no links. */
  readonly file_link_days?: number;
  /** Whether the ending replaces the form after a submit. */
  readonly hide_after_success?: boolean;
  /** Language of the form's own texts, such as `de`; `auto` for the visitor's; empty for English. */
  readonly language?: string;
  /** Address of a picture above the form; empty for none. */
  readonly logo?: string;
  /** When the form opens for submissions, in ISO 8601; empty for immediately. */
  readonly opens_at?: string;
  /** Whether parameters in the URL of the form's page fill in fields: those that visitors see, or none. */
  readonly prefill?: "visible" | "off";
  /** Whether a repeated submission is rejected. */
  readonly prevent_duplicates?: boolean;
  /** Maximum number of submissions per hour from one address; 0 for no limit. */
  readonly rate_limit?: number;
  /** Address that visitors go to after a submit: a path or an http or https address; empty for none. May contain template variables. */
  readonly redirect_url?: string;
  /** Whether only people who are signed in may submit. */
  readonly require_user_logged_in?: boolean;
  /** Names of fields that are also required, separated by commas. */
  readonly required_fields?: string;
  /** Days after which a submission is deleted; 0 for never. */
  readonly retention_days?: number;
  /** Whether visitors can review their answers before they send them. */
  readonly review?: boolean;
  /** When actions run: by the queue after the response, or while the visitor waits. */
  readonly run_actions?: "queue" | "inline";
  /** Whether submissions are kept after their actions have run. */
  readonly save_submissions?: boolean;
  /** Whether the address is kept without its last part, so that it identifies nobody. */
  readonly shorten_ip?: boolean;
  /** Spam checks in addition to those that every form has. */
  readonly spam_checks?: readonly SpamCheck[];
  /** Whether submissions keep the visitor's address. */
  readonly store_ip?: boolean;
  /** Whether submissions keep the name of the visitor's browser. */
  readonly store_user_agent?: boolean;
  /** Number of submissions after which the form closes; 0 for none. */
  readonly submission_limit?: number;
  /** Button of the ending; empty for none. */
  readonly success_button?: EndingButton;
  /** Whether the ending lists the answers. */
  readonly success_summary?: boolean;
  /** Title of the ending. May contain template variables. */
  readonly success_title?: string;
  /** Preset of the style; empty for `calm`. */
  readonly theme?: "" | "calm" | "paper" | "bold" | "contrast";
  /** Values of the style, such as `{"accent": "#1d5c46"}`, by the names of docs/theming.md. */
  readonly theme_values?: {
    readonly [name: string]: string;
  };
  /** Maximum total size of the form's files in bytes; 0 for no limit. */
  readonly upload_quota?: number;
  readonly [name: string]: unknown;
}

/** Whether visitors can reach the form: only editors can reach a draft, and a closed form says that it is closed. */
export type FormStatus = "published" | "draft" | "closed";

/** Answer of getFunnel. */
export interface Funnel {
  readonly abandonment_rate: Percent;
  readonly abandonments: Count;
  readonly completion_rate: Percent;
  readonly spam: Count;
  readonly spam_rate: Percent;
  readonly start_rate: Percent;
  readonly starts: Count;
  /** Without spam. */
  readonly submissions: number;
  readonly views: Count;
  /** The estimated visitors of each day; a visitor on two days counts twice. */
  readonly visitors: number;
}

/** Answer of generateSchema. */
export type GeneratedSchema = FormSchema | {
  readonly schema: FormSchema;
  readonly warnings: readonly MarkupWarning[];
};

/** Answer of getNamespaceIndex. */
export interface Index {
  readonly _links: {
    readonly [name: string]: unknown;
  };
  readonly namespace: "cf/v1";
  readonly routes: {
    readonly [name: string]: IndexRoute;
  };
}

/** Part of Index. */
export interface IndexRoute {
  readonly _links?: {
    readonly [name: string]: unknown;
  };
  readonly endpoints: readonly {
    readonly args: {
      readonly [name: string]: {
        readonly [name: string]: unknown;
      };
    };
    readonly methods: readonly Method[];
  }[];
  readonly methods: readonly Method[];
  readonly namespace: "cf/v1";
}

/** Part of FormSchema and FormSchemaMembers. */
export interface Layout {
  readonly steps?: readonly {
    readonly fields?: readonly string[];
    readonly id: string;
    readonly title?: string;
  }[];
  readonly type: "single" | "multi-step" | "conversational";
}

/** HTML, without the form element. */
export type Markup = string;

/** Part of DeletedField, EditedField, FormPreview and others. */
export interface MarkupWarning {
  readonly code: string;
  readonly message: string;
  /** In bytes from the start of the markup. */
  readonly offset: number;
  /** The login of the author whose save it was removed from. */
  readonly user?: string;
}

/** Part of IndexRoute. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Answer of getOpenApi. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly paths: {
    readonly [name: string]: unknown;
  };
  readonly info: unknown;
  readonly servers: unknown;
  readonly security: unknown;
  readonly components: unknown;
}

/** Part of ActionSetting and FieldMembers. */
export interface Option {
  /** An image: an https URL, or a path of the site. */
  readonly image?: string;
  readonly label: string;
  readonly value: string;
}

/** Answer of getSchema. */
export type OptionalFormSchema = FormSchema | null;

/** In percent, to one decimal; 0 without data. It exceeds 100 if browsers block views or starts. */
export type Percent = number;

/** Answer of exportPersonalData. */
export interface PersonalData {
  readonly email: string;
  readonly exported_at: string;
  readonly submissions: readonly {
    readonly action_logs: readonly ActionLog[];
    readonly events?: readonly TimelineEntry[];
    readonly id: number;
    readonly queue_entries: readonly {
      readonly [name: string]: unknown;
    }[];
    /** null if the form stores no submissions and only logs remain. */
    readonly submission: Submission | null;
  }[];
}

/** Answer of publishDraft. */
export type PublishedForm = Form & {
  /** Parts that were removed because their author may not store them, at a save of the draft or now. */
  readonly warnings: readonly MarkupWarning[];
};

/** Answer of cancelQueueEntry, dismissQueueEntry and retryQueueEntry. */
export interface QueueEntry {
  /** The id of the form's action; empty for an action that was queued before ids existed. */
  readonly action_id: string;
  readonly action_index: number;
  readonly action_name: string;
  readonly action_type: string;
  readonly attempts: number;
  readonly completed_at: string | null;
  readonly created_at: string;
  /** When somebody took the failed entry out of those that need attention. */
  readonly dismissed_at: string | null;
  readonly form_id: number;
  readonly id: number;
  readonly last_error: string;
  /** The last run of a completed entry; only in lists. */
  readonly last_run?: null | {
    readonly detail: "" | "kept" | "accepted";
    readonly message: string;
    readonly status: "success" | "failed" | "skipped";
  };
  readonly max_retries: number;
  /** Lower runs first. */
  readonly priority: number;
  readonly scheduled_at: string;
  /** The action's settings at the time of the submission. */
  readonly settings: {
    readonly [name: string]: unknown;
  };
  readonly started_at: string | null;
  readonly status: "pending" | "processing" | "completed" | "retrying" | "failed" | "cancelled";
  readonly submission_id: number;
}

/** Answer of listQueueEntries and resendActions. */
export type QueueEntryList = readonly QueueEntry[];

/** Answer of getQueueStats. */
export interface QueueStats {
  readonly cancelled: number;
  readonly completed: number;
  readonly failed: number;
  /** Entries that failed in the last seven days and were neither retried nor dismissed; counted up to 1,000. */
  readonly needs_attention: number;
  readonly oldest_pending_seconds: number;
  readonly pending: number;
  readonly processing: number;
  readonly retrying: number;
}

/** Answer of getRecommendations. */
export type RecommendationList = readonly {
  readonly code: string;
  /** The field that it is about. */
  readonly field?: string;
  readonly message: string;
  readonly metric: string;
  readonly severity: "critical" | "warning" | "info";
  readonly threshold: number;
  readonly title: string;
  readonly value: number;
}[];

/** Part of RevisionList. */
export interface Revision {
  readonly created_at: string;
  readonly revision: number;
  /** A short summary of the change. */
  readonly summary: string;
  /** The login of the author. */
  readonly user: string;
}

/** Answer of getRevision. */
export interface RevisionContent {
  readonly created_at: string;
  readonly markup: Markup;
  readonly messages: FormMessages;
  readonly revision: number;
  readonly schema: OptionalFormSchema;
  readonly settings: FormSettings;
  readonly source: "markup" | "schema";
  /** A short summary of the change. */
  readonly summary: string;
  readonly title: string;
  /** The login of the author. */
  readonly user: string;
}

/** Answer of listRevisions. */
export type RevisionList = readonly Revision[];

/** Answer of revokeFormLinks and revokeSubmissionLinks. */
export interface RevokedLinks {
  readonly revoked: true;
}

/** Answer of getSchemaMarkup. */
export interface SchemaMarkup {
  readonly markup: string;
}

/** A spam check: links, deny_list, turnstile, hcaptcha, recaptcha, akismet, or a plugin's. */
export interface SpamCheck {
  readonly enabled?: boolean;
  readonly type: string;
  readonly [name: string]: unknown;
}

/** Answer of getSpamTrends. */
export interface SpamTrends {
  readonly by_day: readonly {
    readonly date: string;
    readonly spam: Count;
    readonly spam_rate: Percent;
    readonly submissions: Count;
  }[];
  readonly by_reason: readonly {
    readonly count: number;
    readonly reason: string;
  }[];
  readonly days: number;
  readonly spam_rate: Percent;
  readonly total_spam: Count;
  readonly total_submissions: Count;
}

/** Part of Submission and SubmissionMembers. */
export interface StoredFile {
  readonly field: string;
  /** Unique in its submission. */
  readonly id: number;
  /** The visitor's file name, cleaned. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The media type that the visitor's browser gave it. */
  readonly type: string;
  /** The URL of the file's bytes in this API. */
  readonly url: string;
}

/** Answer of getSubmission and updateSubmission. */
export interface Submission {
  /** The answers by field name; of renamed fields by the current name. */
  readonly data: {
    readonly [name: string]: unknown;
  };
  /** The form's current fields for answers, when a caller who may only read submissions reads one. */
  readonly fields?: readonly Field[];
  readonly files: readonly StoredFile[];
  readonly form_id: number;
  /** Only when a caller who may only read submissions reads one. */
  readonly form_title?: string | null;
  readonly id: number;
  /** Empty if the form does not store it. */
  readonly ip_address: string;
  readonly is_spam: boolean;
  /** The labels of the chosen options, by field name, joined by commas. Fields without options are left out. */
  readonly labels: {
    readonly [name: string]: string;
  };
  readonly modified_at: string;
  /** The page that held the form. */
  readonly page_url: string;
  /** The page that led to the form's page. */
  readonly referer_url: string;
  /** The form's revision that the answers were validated against. */
  readonly schema_revision: number;
  readonly spam_reasons: readonly string[];
  /** The score of the spam checks, from 0 to 100. */
  readonly spam_score: number;
  readonly starred: boolean;
  /** new, read, replied, archived, spam, trash, or a plugin's status. */
  readonly status: string;
  readonly submitted_at: string;
  /** Since when it is in the trash, which is emptied after 30 days; absent for any other. */
  readonly trashed_at?: string;
  readonly user_agent: string;
}

/** Answer of countSubmissions. */
export interface SubmissionCounts {
  /** All but spam and trash. */
  readonly all: number;
  readonly archived: number;
  /** The files of the form's submissions, of any status; only with form_id and files. */
  readonly files?: number;
  /** New, read and replied ones. */
  readonly inbox: number;
  readonly replied: number;
  readonly spam: number;
  /** Without spam and trash. */
  readonly starred: number;
  readonly trash: number;
  readonly unread: number;
}

/** With `columns`, only these members of each submission. */
export type SubmissionExport = readonly SubmissionMembers[];

/** The bytes. */
export type SubmissionFile = string;

/** Answer of listFormSubmissions and listSubmissions. */
export type SubmissionList = readonly Submission[];

/** Part of SubmissionExport. */
export interface SubmissionMembers {
  /** The answers by field name; of renamed fields by the current name. */
  readonly data?: {
    readonly [name: string]: unknown;
  };
  /** The form's current fields for answers, when a caller who may only read submissions reads one. */
  readonly fields?: readonly Field[];
  readonly files?: readonly StoredFile[];
  readonly form_id?: number;
  /** Only when a caller who may only read submissions reads one. */
  readonly form_title?: string | null;
  readonly id?: number;
  /** Empty if the form does not store it. */
  readonly ip_address?: string;
  readonly is_spam?: boolean;
  /** The labels of the chosen options, by field name, joined by commas. Fields without options are left out. */
  readonly labels?: {
    readonly [name: string]: string;
  };
  readonly modified_at?: string;
  /** The page that held the form. */
  readonly page_url?: string;
  /** The page that led to the form's page. */
  readonly referer_url?: string;
  /** The form's revision that the answers were validated against. */
  readonly schema_revision?: number;
  readonly spam_reasons?: readonly string[];
  /** The score of the spam checks, from 0 to 100. */
  readonly spam_score?: number;
  readonly starred?: boolean;
  /** new, read, replied, archived, spam, trash, or a plugin's status. */
  readonly status?: string;
  readonly submitted_at?: string;
  /** Since when it is in the trash, which is emptied after 30 days; absent for any other. */
  readonly trashed_at?: string;
  readonly user_agent?: string;
}

/** Answer of getTimeline. */
export type Timeline = readonly TimelineEntry[];

/** Answer of addNote. */
export interface TimelineEntry {
  readonly action_id?: string;
  /** The label of the action's type. */
  readonly action_label?: string;
  /** The action's current name; empty if the form no longer has the action. */
  readonly action_name?: string;
  readonly action_type?: string;
  readonly at: string;
  readonly attempt?: number;
  /** For an action that succeeded: kept, where the host sends no mail, or else accepted by the receiver. */
  readonly detail?: "" | "kept" | "accepted";
  /** The status before. */
  readonly from?: string;
  readonly kind: "received" | "edited" | "status" | "note" | "action";
  readonly message?: string;
  /** The answers before an edit, by name; null for a missing answer. */
  readonly previous?: {
    readonly [name: string]: unknown;
  };
  readonly queue_id?: number;
  /** The result of a run: success, failed or skipped. */
  readonly status?: string;
  /** Of a note. */
  readonly text?: string;
  /** The status after. */
  readonly to?: string;
  /** The login of the user; null without one. */
  readonly user: string | null;
}

/** Part of FieldMembers. */
export interface Validation {
  readonly max?: number;
  readonly min?: number;
  /** The whole value must match it. */
  readonly pattern?: string;
}

/** Answer of getDraft and putDraft. */
export interface WorkInProgress {
  /** The logins of all authors, the latest last. */
  readonly authors: readonly string[];
  /** The form's revision that the draft is based on. */
  readonly base_revision: number;
  /** As sent; null if it was not sent. */
  readonly markup: unknown;
  /** As sent; null if they were not sent. */
  readonly messages: unknown;
  /** As sent; null if it was not sent. */
  readonly schema: unknown;
  /** As sent, with masked secrets; null if they were not sent. */
  readonly settings: unknown;
  /** The source after publishing, as sent; null if it was not sent. */
  readonly source: unknown;
  /** As sent; null if it was not sent. */
  readonly title: unknown;
  readonly updated_at: string;
  /** The login of the last author. */
  readonly user: string;
  /** Parts that were removed at a save, because the author lacks unfiltered_html. */
  readonly warnings: readonly MarkupWarning[];
}

/** Input and output of each operation, by its name. */
export interface Operations {
  /** List the routes of the namespace. */
  readonly getNamespaceIndex: {
    readonly input: {};
    readonly output: Index;
  };
  /** List runs of actions, newest first. */
  readonly listActionLogs: {
    readonly input: {
      /** The page number. */
      readonly page?: number;
      /** The page size. */
      readonly per_page?: number;
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
      /** The value of X-CF-Next-Cursor, or empty for the first page; instead of a page. The cost is the same at any depth. */
      readonly cursor?: string;
      /** Only of this form. */
      readonly form_id?: number;
      /** Only of this submission. */
      readonly submission_id?: number;
      /** Only runs with this result. */
      readonly status?: "success" | "failed" | "skipped";
      /** Only after this time. */
      readonly after?: string;
      /** Only before this time. */
      readonly before?: string;
      /** The sort key. */
      readonly orderby?: "created_at" | "date" | "id";
      /** The sort direction. */
      readonly order?: "asc" | "desc";
    };
    readonly output: ActionLogList;
  };
  /** List the newest failures. */
  readonly listActionFailures: {
    readonly input: {};
    readonly output: ActionFailureList;
  };
  /** Count runs of actions. */
  readonly getActionLogStats: {
    readonly input: {
      /** Only of this form. */
      readonly form_id?: number;
    };
    readonly output: ActionLogStats;
  };
  /** List queued actions, newest first. */
  readonly listQueueEntries: {
    readonly input: {
      /** The page number. */
      readonly page?: number;
      /** The page size. */
      readonly per_page?: number;
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
      /** The value of X-CF-Next-Cursor, or empty for the first page; instead of a page. The cost is the same at any depth. */
      readonly cursor?: string;
      /** Only of this form. */
      readonly form_id?: number;
      /** Only of this submission. */
      readonly submission_id?: number;
      /** Only entries in this state. */
      readonly status?: "pending" | "processing" | "completed" | "retrying" | "failed" | "cancelled";
      /** Only failed entries that were dismissed, or only failed entries that were not. */
      readonly dismissed?: boolean;
      /** Only after this time. */
      readonly after?: string;
      /** Only before this time. */
      readonly before?: string;
      /** The sort key. */
      readonly orderby?: "created_at" | "date" | "id";
      /** The sort direction. */
      readonly order?: "asc" | "desc";
    };
    readonly output: QueueEntryList;
  };
  /** Count queued actions by state. */
  readonly getQueueStats: {
    readonly input: {};
    readonly output: QueueStats;
  };
  /** Cancel a waiting action. */
  readonly cancelQueueEntry: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: QueueEntry;
  };
  /** Dismiss a failed action, which then needs no attention and can still be retried. */
  readonly dismissQueueEntry: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: QueueEntry;
  };
  /** Queue a failed action again. */
  readonly retryQueueEntry: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** Whether to use the stored settings, or the form's current ones. */
      readonly settings?: "stored" | "current";
    };
    readonly output: QueueEntry;
  };
  /** List the available action types. */
  readonly listActionTypes: {
    readonly input: {};
    readonly output: ActionTypeList;
  };
  /** Compose the mail of an action with sample data, whatever its conditions; nothing is sent. */
  readonly composeMail: {
    readonly input: {
      readonly body: {
        /** The type of an action that sends mails. */
        readonly action_type: string;
        /** The form that the action is for. */
        readonly form_id?: number | null;
        readonly schema?: FormSchemaMembers | null;
        /** The action's settings. */
        readonly settings?: {
          readonly [name: string]: unknown;
        } | null;
        /** The answers, by field name. */
        readonly test_data?: {
          readonly [name: string]: unknown;
        } | null;
      };
    };
    readonly output: ActionReport;
  };
  /** Run an action with sample data; nothing is stored. */
  readonly testAction: {
    readonly input: {
      readonly body: {
        /** The action's type. */
        readonly action_type: string;
        /** The form that the action is for. */
        readonly form_id?: number | null;
        readonly schema?: FormSchemaMembers | null;
        /** The action's settings. */
        readonly settings?: {
          readonly [name: string]: unknown;
        } | null;
        /** The answers, by field name. */
        readonly test_data?: {
          readonly [name: string]: unknown;
        } | null;
      };
    };
    readonly output: ActionReport;
  };
  /** Render an action type's settings form. */
  readonly getActionSettings: {
    readonly input: {
      /** The action's type. */
      readonly type: string;
      /** The form that the action is for. */
      readonly form_id?: number;
      /** The action's index in the form's list. */
      readonly index?: number;
    };
    readonly output: ActionSettings;
  };
  /** Show the forms with the most submissions, and the totals of all. */
  readonly getAnalyticsOverview: {
    readonly input: {};
    readonly output: AnalyticsOverview;
  };
  /** Sum all answers: choices by option, numbers as a histogram. */
  readonly getAnswerSums: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
    };
    readonly output: AnswerSums;
  };
  /** Show the sources of a form's submissions. Default: all time. */
  readonly getAttribution: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The first UTC day. */
      readonly date_from?: string;
      /** The last UTC day. */
      readonly date_to?: string;
    };
    readonly output: Attribution;
  };
  /** Count a form's events by day, for at most 366 days. */
  readonly getDailyStats: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The first UTC day. */
      readonly date_from: string;
      /** The last UTC day. */
      readonly date_to: string;
    };
    readonly output: DailyStats;
  };
  /** Show the fields at which visitors leave. Default: all time. */
  readonly getFieldDropoff: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The first UTC day. */
      readonly date_from?: string;
      /** The last UTC day. */
      readonly date_to?: string;
    };
    readonly output: FieldDropoff;
  };
  /** Count the visitors who see, start and submit a form. Default: all time. */
  readonly getFunnel: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The first UTC day. */
      readonly date_from?: string;
      /** The last UTC day. */
      readonly date_to?: string;
    };
    readonly output: Funnel;
  };
  /** List recommendations from the analytics of four weeks. */
  readonly getRecommendations: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
    };
    readonly output: RecommendationList;
  };
  /** Show the share of spam by day, and the reasons. */
  readonly getSpamTrends: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The number of days up to today, without dates. */
      readonly days?: number;
      /** The first UTC day. */
      readonly date_from?: string;
      /** The last UTC day. */
      readonly date_to?: string;
    };
    readonly output: SpamTrends;
  };
  /** List the field types and panels that plugins add to the form editor. */
  readonly listEditorParts: {
    readonly input: {};
    readonly output: EditorParts;
  };
  /** List the forms. */
  readonly listForms: {
    readonly input: {
      /** The page number. */
      readonly page?: number;
      /** The page size. Default: all. */
      readonly per_page?: number;
      /** Words of the title or slug. */
      readonly search?: string;
      /** The slug, exactly. */
      readonly slug?: string;
      /** Only forms with this status; trash lists the forms in the trash. */
      readonly status?: "published" | "draft" | "closed" | "trash";
      /** The sort key. */
      readonly orderby?: "id" | "title" | "created_at" | "updated_at";
      /** The sort direction. */
      readonly order?: "asc" | "desc";
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
    };
    readonly output: FormList;
  };
  /** Create a form. */
  readonly createForm: {
    readonly input: {
      readonly body: {
        readonly markup?: Markup | null;
        readonly messages?: FormMessagesMembers | null;
        readonly schema?: FormSchemaMembers | null;
        readonly settings?: FormSettingsMembers | null;
        /** The last part of the public URL; a number is added if it is taken. Default: from the title. */
        readonly slug?: string | null;
        /** Whether visitors can reach the form. Default: published. */
        readonly status?: "published" | "draft" | "closed";
        /** The form's title. */
        readonly title: string;
      };
    };
    readonly output: Form;
  };
  /** Download forms with their schemas for an import elsewhere, without secrets. */
  readonly exportForms: {
    readonly input: {
      /** Only these forms. Default: all. */
      readonly ids?: readonly number[];
    };
    readonly output: FormExport;
  };
  /** Create forms from an export of this engine or another form plugin, including its submissions, or from a web page. */
  readonly importForms: {
    readonly input: {
      /** Whether to return the result without storing it. */
      readonly preview?: boolean;
      /** Whether to keep scripts, for callers with the capability unfiltered_html. */
      readonly keep_scripts?: boolean;
      readonly body: {
        /** The file's text. */
        readonly content: string;
        /** The form that receives the file's submissions; no form is created. */
        readonly form_id?: number | null;
        /** The file's format. Default: detected. */
        readonly format?: "cf-forms" | "html-forms" | "contact-form-7" | "gravity-forms" | "emdash-forms" | "payload-form-builder" | "html" | "wpforms" | "fluent-forms" | "ninja-forms" | "forminator" | "formidable" | "typeform" | "google-forms" | "jotform" | "tally" | "formio" | "surveyjs" | "json-schema" | "xlsform" | "wordpress" | "gravity-entries" | "fluent-forms-entries" | "typeform-responses" | "jotform-submissions" | "tally-submissions" | "wpforms-entries" | "google-forms-responses" | "flamingo" | "submissions-csv";
        /** How a CSV file of submissions is read: columns (each heading with a field, a part such as address.city, or @submitted_at, @ip_address, @status), time_zone, dates, decimal, lists, yes, no. */
        readonly mapping?: {
          readonly [name: string]: unknown;
        } | null;
        /** The time zone of times in the file that name none, such as Europe/Berlin. Default: UTC. */
        readonly time_zone?: string | null;
      };
    };
    readonly output: FormImport;
  };
  /** Render the page for visitors, without storing, counting or sending anything. */
  readonly previewForm: {
    readonly input: {
      /** Whether to return the schema and the markup too, one converted from the other. */
      readonly convert?: boolean;
      readonly body: {
        /** An edit of the markup to apply first: {name, field} changes a field, {field} adds one, {name} removes one. */
        readonly edit?: {
          readonly [name: string]: unknown;
        } | null;
        readonly markup?: Markup | null;
        readonly messages?: FormMessagesMembers | null;
        readonly schema?: FormSchemaMembers | null;
        readonly settings?: FormSettingsMembers | null;
        /** The form's title. */
        readonly title: string;
      };
    };
    readonly output: FormPreview;
  };
  /** List a form's submissions, newest first. */
  readonly listFormSubmissions: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The page number. */
      readonly page?: number;
      /** The page size. */
      readonly per_page?: number;
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
      /** The value of X-CF-Next-Cursor, or empty for the first page; instead of a page. The cost is the same at any depth. */
      readonly cursor?: string;
      /** Only this status, or any of these, separated by commas; any for all. Default: all but spam and trash. */
      readonly status?: string;
      /** Only with all of these words or prefixes of words in the answers, the IP address or the id. */
      readonly search?: string;
      /** Only starred submissions, or only others. */
      readonly starred?: boolean;
      /** Only with these exact answers: field[name]=value, at most 10. */
      readonly field?: {
        readonly [name: string]: string;
      };
      /** Only after this time. */
      readonly after?: string;
      /** Only before this time. */
      readonly before?: string;
      /** The sort key. Default: submitted_at; a search is always by id, the order of arrival. modified_at is the last activity; it takes no search, starred, field, after or before. */
      readonly orderby?: "submitted_at" | "date" | "id" | "modified_at";
      /** The sort direction. */
      readonly order?: "asc" | "desc";
    };
    readonly output: SubmissionList;
  };
  /** Download a form's submissions, newest first. */
  readonly exportSubmissions: {
    readonly input: {
      /** The id of the form. */
      readonly form_id: number;
      /** The format: a table, a sheet of at most 50,000 submissions, a JSON array, or JSON lines. */
      readonly format?: "csv" | "xlsx" | "json" | "ndjson";
      /** Whether a CSV file begins with a byte order mark, so that Excel detects UTF-8. */
      readonly bom?: boolean;
      /** Whether a CSV file has the labels of options instead of their values. */
      readonly labels?: boolean;
      /** The titles of a table's columns: the names of the fields, or their labels. */
      readonly titles?: "names" | "labels";
      /** The separator of a CSV file; `tab` is a tab. */
      readonly separator?: "," | ";" | "\t" | "tab";
      /** The columns of a CSV file or the members of JSON, in order, separated by commas. Default: all. The name of an address, a name or a consent means all of its columns; a former name of a field means the field. */
      readonly columns?: string;
      /** Only this status, or any of these, separated by commas; any for all. Default: all but spam and trash. */
      readonly status?: string;
      /** Only with all of these words or prefixes of words in the answers, the IP address or the id. */
      readonly search?: string;
      /** Only starred submissions, or only others. */
      readonly starred?: boolean;
      /** Only with these exact answers: field[name]=value, at most 10. */
      readonly field?: {
        readonly [name: string]: string;
      };
      /** Only after this time. */
      readonly after?: string;
      /** Only before this time. */
      readonly before?: string;
    };
    readonly output: Response;
  };
  /** Move a form to the trash for 30 days, or delete it with its submissions and all other data. */
  readonly deleteForm: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** Whether to delete the form permanently, in use or in the trash. */
      readonly force?: boolean;
    };
    readonly output: DeletedForm;
  };
  /** Read a form. */
  readonly getForm: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** Use trash to read a form in the trash. */
      readonly status?: "trash";
    };
    readonly output: Form;
  };
  /** Change the sent members of a form. */
  readonly updateForm: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body?: {
        /** The former slugs that still lead to the form; none can be added. */
        readonly former_slugs?: readonly unknown[] | null;
        readonly markup?: Markup | null;
        readonly messages?: FormMessagesMembers | null;
        readonly settings?: FormSettingsMembers | null;
        /** The new slug; no other form may have it. */
        readonly slug?: string | null;
        /** Whether visitors can reach the form. */
        readonly status?: "published" | "draft" | "closed";
        /** The new title. */
        readonly title?: string | null;
      };
    };
    readonly output: Form;
  };
  /** List the names under which answers are stored, oldest first. */
  readonly listAnswerNames: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: AnswerNameList;
  };
  /** Discard the draft of a form. */
  readonly deleteDraft: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: DeletedDraft;
  };
  /** Read the draft of a form. */
  readonly getDraft: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: WorkInProgress;
  };
  /** Store the draft of a form, unchecked and invisible to visitors. */
  readonly putDraft: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body: {
        /** The form's revision that the draft is based on. */
        readonly base_revision: number;
        readonly markup?: unknown | null;
        readonly messages?: unknown | null;
        readonly schema?: unknown | null;
        readonly settings?: unknown | null;
        readonly source?: unknown | null;
        readonly title?: unknown | null;
      };
    };
    readonly output: WorkInProgress;
  };
  /** Copy a form as a draft with another slug and without submissions. */
  readonly duplicateForm: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: Form;
  };
  /** List the fields of a form's schema. */
  readonly listFields: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: FieldList;
  };
  /** Add a field to a form's schema. */
  readonly addField: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** Whether to edit the author's markup in place if it is the form's source. */
      readonly patch_markup?: boolean;
      /** Whether to edit the author's markup in place, and reject the edit if that is impossible. */
      readonly patch_only?: boolean;
      /** Whether to report the effect on the markup. */
      readonly report?: boolean;
      readonly body: Having<FieldMembers, "name" | "type">;
    };
    readonly output: EditedField;
  };
  /** Remove a field from a form's schema. */
  readonly deleteField: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** The name of the field. */
      readonly name: string;
      /** Whether to edit the author's markup in place if it is the form's source. */
      readonly patch_markup?: boolean;
      /** Whether to edit the author's markup in place, and reject the edit if that is impossible. */
      readonly patch_only?: boolean;
      /** Whether to report the effect on the markup. */
      readonly report?: boolean;
      /** Whether to drop conditions that refer to the field. */
      readonly force?: boolean;
    };
    readonly output: DeletedField;
  };
  /** Change the sent members of a field. */
  readonly updateField: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** The name of the field. */
      readonly name: string;
      /** Whether to edit the author's markup in place if it is the form's source. */
      readonly patch_markup?: boolean;
      /** Whether to edit the author's markup in place, and reject the edit if that is impossible. */
      readonly patch_only?: boolean;
      /** Whether to report the effect on the markup. */
      readonly report?: boolean;
      readonly body?: FieldMembers;
    };
    readonly output: EditedField;
  };
  /** Store a picture of a form, such as its logo: a PNG, JPEG, WebP or SVG file of at most 1 MB in a multipart body. */
  readonly uploadFormImage: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body: FormData;
    };
    readonly output: FormImage;
  };
  /** Revoke the mailed links to files of a form's submissions. */
  readonly revokeFormLinks: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: RevokedLinks;
  };
  /** Check the draft of a form and publish it as one revision. */
  readonly publishDraft: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body?: {
        /** Whether visitors can reach the form afterwards. With it, no draft is needed. */
        readonly status?: "published" | "draft" | "closed";
      };
    };
    readonly output: PublishedForm;
  };
  /** Restore a form from the trash with its former status; the slug gets a number if another form has it. */
  readonly restoreForm: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: Form;
  };
  /** List the revisions of a form, newest first. */
  readonly listRevisions: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** The page number. */
      readonly page?: number;
      /** The page size. */
      readonly per_page?: number;
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
    };
    readonly output: RevisionList;
  };
  /** Read a form as of a revision. */
  readonly getRevision: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** The number of the revision. */
      readonly revision: number;
    };
    readonly output: RevisionContent;
  };
  /** Restore a form to a revision, except its slug and status. */
  readonly restoreRevision: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** The number of the revision. */
      readonly revision: number;
    };
    readonly output: Form;
  };
  /** Read the schema of a form; null if it has none. */
  readonly getSchema: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: OptionalFormSchema;
  };
  /** Store the schema of a form. It becomes the form's source. */
  readonly putSchema: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body: Having<FormSchemaMembers, "fields">;
    };
    readonly output: FormSchema;
  };
  /** Generate the schema of a form from its markup. */
  readonly generateSchema: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** Whether to return the schema without storing it. */
      readonly preview?: boolean;
      /** Whether to report what could not be carried over. */
      readonly report?: boolean;
    };
    readonly output: GeneratedSchema;
  };
  /** Render the stored schema of a form as HTML. */
  readonly getSchemaMarkup: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: SchemaMarkup;
  };
  /** Describe the API as OpenAPI 3.1. */
  readonly getOpenApi: {
    readonly input: {};
    readonly output: OpenApi;
  };
  /** Erase everything that is stored about the owner of an email address. Repeat while done is false. */
  readonly erasePersonalData: {
    readonly input: {
      readonly body: {
        /** The email address, in any letter case. */
        readonly email: string;
      };
    };
    readonly output: Erasure;
  };
  /** List the receipts of erasures, newest first. */
  readonly listErasures: {
    readonly input: {
      /** The page number. */
      readonly page?: number;
      /** The page size. */
      readonly per_page?: number;
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
      /** The value of X-CF-Next-Cursor, or empty for the first page; instead of a page. The cost is the same at any depth. */
      readonly cursor?: string;
      /** The sort direction. */
      readonly order?: "asc" | "desc";
    };
    readonly output: ErasureReceiptList;
  };
  /** Download everything that is stored about the owner of an email address. */
  readonly exportPersonalData: {
    readonly input: {
      readonly body: {
        /** The email address, in any letter case. */
        readonly email: string;
      };
    };
    readonly output: PersonalData;
  };
  /** List submissions, newest first. */
  readonly listSubmissions: {
    readonly input: {
      /** The page number. */
      readonly page?: number;
      /** The page size. */
      readonly per_page?: number;
      /** The number of items to skip, instead of a page. */
      readonly offset?: number;
      /** The value of X-CF-Next-Cursor, or empty for the first page; instead of a page. The cost is the same at any depth. */
      readonly cursor?: string;
      /** Only of this form. */
      readonly form_id?: number;
      /** Only this status, or any of these, separated by commas; any for all. Default: all but spam and trash. */
      readonly status?: string;
      /** Only with all of these words or prefixes of words in the answers, the IP address or the id. */
      readonly search?: string;
      /** Only starred submissions, or only others. */
      readonly starred?: boolean;
      /** Only with these exact answers: field[name]=value, at most 10. */
      readonly field?: {
        readonly [name: string]: string;
      };
      /** Only after this time. */
      readonly after?: string;
      /** Only before this time. */
      readonly before?: string;
      /** The sort key. Default: submitted_at; a search is always by id, the order of arrival. modified_at is the last activity; it takes no search, starred, field, after or before. */
      readonly orderby?: "submitted_at" | "date" | "id" | "modified_at";
      /** The sort direction. */
      readonly order?: "asc" | "desc";
    };
    readonly output: SubmissionList;
  };
  /** Change the status of many submissions, or delete them. */
  readonly bulkSubmissions: {
    readonly input: {
      readonly body: {
        /** The change. */
        readonly action: "set_status" | "delete";
        /** The submissions, at most 100. */
        readonly ids: readonly number[];
        /** The new status, for set_status. */
        readonly status?: string | null;
      };
    };
    readonly output: BulkResult;
  };
  /** Count the submissions in the views of an inbox. */
  readonly countSubmissions: {
    readonly input: {
      /** Only of this form. */
      readonly form_id?: number;
      /** Whether to count the files of the form too. */
      readonly files?: boolean;
    };
    readonly output: SubmissionCounts;
  };
  /** Delete a submission with its files, queue entries and logs. */
  readonly deleteSubmission: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: DeletedSubmission;
  };
  /** Read a submission. */
  readonly getSubmission: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: Submission;
  };
  /** Change the status, the star or the answers of a submission; one of them must be sent. */
  readonly updateSubmission: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body?: {
        /** The answers to replace, by name, checked as in a submit; null removes one. No files or passwords. */
        readonly data?: {
          readonly [name: string]: unknown;
        } | null;
        /** Whether the submission is starred. */
        readonly starred?: boolean | null;
        /** The new status. Leaving spam runs the actions that were withheld, once. */
        readonly status?: string | null;
      };
    };
    readonly output: Submission;
  };
  /** Queue the form's current actions for a submission again. */
  readonly resendActions: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body?: {
        /** Only these actions. Default: all enabled ones. */
        readonly action_ids?: readonly unknown[] | null;
      };
    };
    readonly output: QueueEntryList;
  };
  /** Download a file of a submission. */
  readonly getSubmissionFile: {
    readonly input: {
      /** The id. */
      readonly id: number;
      /** The id of the file. */
      readonly file_id: number;
      /** Whether to show a PNG, JPEG, GIF or WebP image; other files are always downloads. */
      readonly inline?: boolean;
    };
    readonly output: Response;
  };
  /** Revoke the mailed links to files of a submission. */
  readonly revokeSubmissionLinks: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: RevokedLinks;
  };
  /** Add a note to a submission. */
  readonly addNote: {
    readonly input: {
      /** The id. */
      readonly id: number;
      readonly body: {
        /** The note. */
        readonly text: string;
      };
    };
    readonly output: TimelineEntry;
  };
  /** List the events of a submission, oldest first. */
  readonly getTimeline: {
    readonly input: {
      /** The id. */
      readonly id: number;
    };
    readonly output: Timeline;
  };
}

/** Route of each operation. */
export const OPERATIONS = {
  getNamespaceIndex: {"method":"GET","path":"/cf/v1","query":[],"answer":"json"},
  listActionLogs: {"method":"GET","path":"/cf/v1/action-logs","query":["page","per_page","offset","cursor","form_id","submission_id","status","after","before","orderby","order"],"answer":"json"},
  listActionFailures: {"method":"GET","path":"/cf/v1/action-logs/failures","query":[],"answer":"json"},
  getActionLogStats: {"method":"GET","path":"/cf/v1/action-logs/stats","query":["form_id"],"answer":"json"},
  listQueueEntries: {"method":"GET","path":"/cf/v1/action-queue","query":["page","per_page","offset","cursor","form_id","submission_id","status","dismissed","after","before","orderby","order"],"answer":"json"},
  getQueueStats: {"method":"GET","path":"/cf/v1/action-queue/stats","query":[],"answer":"json"},
  cancelQueueEntry: {"method":"POST","path":"/cf/v1/action-queue/{id}/cancel","query":[],"answer":"json"},
  dismissQueueEntry: {"method":"POST","path":"/cf/v1/action-queue/{id}/dismiss","query":[],"answer":"json"},
  retryQueueEntry: {"method":"POST","path":"/cf/v1/action-queue/{id}/retry","query":["settings"],"answer":"json"},
  listActionTypes: {"method":"GET","path":"/cf/v1/actions","query":[],"answer":"json"},
  composeMail: {"method":"POST","path":"/cf/v1/actions/compose","query":[],"answer":"json"},
  testAction: {"method":"POST","path":"/cf/v1/actions/test","query":[],"answer":"json"},
  getActionSettings: {"method":"GET","path":"/cf/v1/actions/{type}/settings","query":["form_id","index"],"answer":"json"},
  getAnalyticsOverview: {"method":"GET","path":"/cf/v1/analytics/overview","query":[],"answer":"json"},
  getAnswerSums: {"method":"GET","path":"/cf/v1/analytics/{form_id}/answers","query":[],"answer":"json"},
  getAttribution: {"method":"GET","path":"/cf/v1/analytics/{form_id}/attribution","query":["date_from","date_to"],"answer":"json"},
  getDailyStats: {"method":"GET","path":"/cf/v1/analytics/{form_id}/daily","query":["date_from","date_to"],"answer":"json"},
  getFieldDropoff: {"method":"GET","path":"/cf/v1/analytics/{form_id}/field-dropoff","query":["date_from","date_to"],"answer":"json"},
  getFunnel: {"method":"GET","path":"/cf/v1/analytics/{form_id}/funnel","query":["date_from","date_to"],"answer":"json"},
  getRecommendations: {"method":"GET","path":"/cf/v1/analytics/{form_id}/recommendations","query":[],"answer":"json"},
  getSpamTrends: {"method":"GET","path":"/cf/v1/analytics/{form_id}/spam-trends","query":["days","date_from","date_to"],"answer":"json"},
  listEditorParts: {"method":"GET","path":"/cf/v1/editor","query":[],"answer":"json"},
  listForms: {"method":"GET","path":"/cf/v1/forms","query":["page","per_page","search","slug","status","orderby","order","offset"],"answer":"json"},
  createForm: {"method":"POST","path":"/cf/v1/forms","query":[],"answer":"json"},
  exportForms: {"method":"GET","path":"/cf/v1/forms/export","query":["ids"],"answer":"json"},
  importForms: {"method":"POST","path":"/cf/v1/forms/import","query":["preview","keep_scripts"],"answer":"json"},
  previewForm: {"method":"POST","path":"/cf/v1/forms/preview","query":["convert"],"answer":"json"},
  listFormSubmissions: {"method":"GET","path":"/cf/v1/forms/{form_id}/submissions","query":["page","per_page","offset","cursor","status","search","starred","field","after","before","orderby","order"],"answer":"json"},
  exportSubmissions: {"method":"GET","path":"/cf/v1/forms/{form_id}/submissions/export","query":["format","bom","labels","titles","separator","columns","status","search","starred","field","after","before"],"answer":"response"},
  deleteForm: {"method":"DELETE","path":"/cf/v1/forms/{id}","query":["force"],"answer":"json"},
  getForm: {"method":"GET","path":"/cf/v1/forms/{id}","query":["status"],"answer":"json"},
  updateForm: {"method":"PATCH","path":"/cf/v1/forms/{id}","query":[],"answer":"json"},
  listAnswerNames: {"method":"GET","path":"/cf/v1/forms/{id}/answer-names","query":[],"answer":"json"},
  deleteDraft: {"method":"DELETE","path":"/cf/v1/forms/{id}/draft","query":[],"answer":"json"},
  getDraft: {"method":"GET","path":"/cf/v1/forms/{id}/draft","query":[],"answer":"json"},
  putDraft: {"method":"PUT","path":"/cf/v1/forms/{id}/draft","query":[],"answer":"json"},
  duplicateForm: {"method":"POST","path":"/cf/v1/forms/{id}/duplicate","query":[],"answer":"json"},
  listFields: {"method":"GET","path":"/cf/v1/forms/{id}/fields","query":[],"answer":"json"},
  addField: {"method":"POST","path":"/cf/v1/forms/{id}/fields","query":["patch_markup","patch_only","report"],"answer":"json"},
  deleteField: {"method":"DELETE","path":"/cf/v1/forms/{id}/fields/{name}","query":["patch_markup","patch_only","report","force"],"answer":"json"},
  updateField: {"method":"PATCH","path":"/cf/v1/forms/{id}/fields/{name}","query":["patch_markup","patch_only","report"],"answer":"json"},
  uploadFormImage: {"method":"POST","path":"/cf/v1/forms/{id}/images","query":[],"answer":"json"},
  revokeFormLinks: {"method":"POST","path":"/cf/v1/forms/{id}/links/revoke","query":[],"answer":"json"},
  publishDraft: {"method":"POST","path":"/cf/v1/forms/{id}/publish","query":[],"answer":"json"},
  restoreForm: {"method":"POST","path":"/cf/v1/forms/{id}/restore","query":[],"answer":"json"},
  listRevisions: {"method":"GET","path":"/cf/v1/forms/{id}/revisions","query":["page","per_page","offset"],"answer":"json"},
  getRevision: {"method":"GET","path":"/cf/v1/forms/{id}/revisions/{revision}","query":[],"answer":"json"},
  restoreRevision: {"method":"POST","path":"/cf/v1/forms/{id}/revisions/{revision}/restore","query":[],"answer":"json"},
  getSchema: {"method":"GET","path":"/cf/v1/forms/{id}/schema","query":[],"answer":"json"},
  putSchema: {"method":"PUT","path":"/cf/v1/forms/{id}/schema","query":[],"answer":"json"},
  generateSchema: {"method":"POST","path":"/cf/v1/forms/{id}/schema/generate","query":["preview","report"],"answer":"json"},
  getSchemaMarkup: {"method":"GET","path":"/cf/v1/forms/{id}/schema/markup","query":[],"answer":"json"},
  getOpenApi: {"method":"GET","path":"/cf/v1/openapi.json","query":[],"answer":"json"},
  erasePersonalData: {"method":"POST","path":"/cf/v1/privacy/erase","query":[],"answer":"json"},
  listErasures: {"method":"GET","path":"/cf/v1/privacy/erasures","query":["page","per_page","offset","cursor","order"],"answer":"json"},
  exportPersonalData: {"method":"POST","path":"/cf/v1/privacy/export","query":[],"answer":"json"},
  listSubmissions: {"method":"GET","path":"/cf/v1/submissions","query":["page","per_page","offset","cursor","form_id","status","search","starred","field","after","before","orderby","order"],"answer":"json"},
  bulkSubmissions: {"method":"POST","path":"/cf/v1/submissions/bulk","query":[],"answer":"json"},
  countSubmissions: {"method":"GET","path":"/cf/v1/submissions/counts","query":["form_id","files"],"answer":"json"},
  deleteSubmission: {"method":"DELETE","path":"/cf/v1/submissions/{id}","query":[],"answer":"json"},
  getSubmission: {"method":"GET","path":"/cf/v1/submissions/{id}","query":[],"answer":"json"},
  updateSubmission: {"method":"PATCH","path":"/cf/v1/submissions/{id}","query":[],"answer":"json"},
  resendActions: {"method":"POST","path":"/cf/v1/submissions/{id}/actions","query":[],"answer":"json"},
  getSubmissionFile: {"method":"GET","path":"/cf/v1/submissions/{id}/files/{file_id}","query":["inline"],"answer":"response"},
  revokeSubmissionLinks: {"method":"POST","path":"/cf/v1/submissions/{id}/links/revoke","query":[],"answer":"json"},
  addNote: {"method":"POST","path":"/cf/v1/submissions/{id}/notes","query":[],"answer":"json"},
  getTimeline: {"method":"GET","path":"/cf/v1/submissions/{id}/timeline","query":[],"answer":"json"},
} as const;
