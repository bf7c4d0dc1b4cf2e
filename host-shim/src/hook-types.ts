/**
 * The engine's hooks: for each name, the arguments of its callbacks and the value that a filter returns. The tables of
 * docs/hooks.md are made from the comments here. A plugin with hooks of its own adds them to these interfaces:
 * `declare module "cf-forms" { interface FilterHooks { acme_price: (price: number) => number } }`.
 */

import type { FormSchema } from "#load-engine";
import type { ActionForm, ActionSettings, ActionSubmission } from "./action-values.ts";
import type { Principal } from "./ports.ts";

/** Answers of a visitor by the names of their fields. */
export type HookAnswers = Readonly<Record<string, unknown>>;

/** An error beside a field of the form. */
export interface HookFault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A file that a visitor sent before the submit. Its `id` and `url` are empty. */
export interface HookFile {
  readonly id: number;
  readonly field: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly type: string;
  readonly url: string;
}

/** A verdict on spam. */
export interface SpamVerdict {
  readonly is_spam: boolean;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** A request of a webhook action. */
export interface WebhookRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An entry of the palette of the form editor. */
export interface EditorFieldType {
  readonly type: string;
  readonly label: string;
  /** Members that the new field begins with. */
  readonly field?: Readonly<Record<string, unknown>>;
}

/** A group of properties in the form editor. */
export interface EditorPanel {
  readonly title: string;
  /** Types of fields that have the properties; default: all. */
  readonly types?: readonly string[];
  readonly inputs: readonly EditorInput[];
}

/** A property in the form editor, which is an attribute of the field. */
export interface EditorInput {
  readonly attribute: string;
  readonly label: string;
  readonly input?: "text" | "textarea" | "select" | "checkbox";
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly help?: string;
  /** Whether a form with an empty value cannot be published in the admin. */
  readonly required?: boolean;
}

/** A failure of a queued action. */
export interface ActionFailure {
  readonly queue_id: number;
  readonly action_type: string;
  readonly message: string;
}

type Labels = Record<string, string>;
type Settings = Record<string, unknown>;
type Verdict = string | readonly HookFault[];

/** Filters by name. The first argument is the value. */
export interface FilterHooks {
  /** `{type: label}`: the action types that forms are offered */
  cf_available_form_actions: (types: Labels) => Labels;
  /**
   * `[{type, label, field?}]`: more to add in the form editor; a `type` of the schema, and the members that the new field
   * begins with
   */
  cf_editor_field_types: (types: EditorFieldType[]) => readonly EditorFieldType[];
  /**
   * `[{title, types?, inputs: [{attribute, label, input?, options?, help?}]}]`: more properties in the form editor, of all
   * fields or those of some types; each is an attribute of the field, its `input` is `text`, `textarea`, `select` or
   * `checkbox`
   */
  cf_editor_panels: (panels: EditorPanel[]) => readonly EditorPanel[];
  /**
   * the HTML made from a form's schema; `form` is null in `forms.renderSchema()`. For visitors it has the attributes that
   * their script follows: `data-cf-step`, `data-cf-step-title`, `data-cf-conditions`
   */
  cf_schema_markup: (html: string, schema: FormSchema, form: ActionForm | null) => string;
  /** the fields' HTML of a form's page */
  cf_form_markup: (html: string, form: ActionForm) => string;
  /** the whole form element */
  cf_form_html: (html: string, form: ActionForm) => string;
  /** what a form has that sets nothing itself; keys may be added */
  cf_form_default_settings: (settings: Settings) => Settings;
  /** the messages of a form that sets none itself; keys may be added */
  cf_form_default_messages: (messages: Labels) => Labels;
  /** names of answers that are not kept */
  cf_ignored_field_names: (names: string[]) => readonly string[];
  /**
   * `""` for what passes. `"spam"` takes it for spam, which is answered like success. The key of one of the form's messages
   * refuses it with that message and the key as `code`, a list of `{field, code, message}` with these `errors`: both are
   * answered with 400
   */
  cf_validate_form: (code: Verdict, form: ActionForm, data: HookAnswers) => Verdict;
  /**
   * `""` for a file that passes. The key of one of the form's messages refuses a file that was
   * [sent before the submit](api.md#store-files-before-the-submit), with that message: 400. `file` is
   * `{id, field, name, size, type, url}`, without an id and an address
   */
  cf_validate_upload: (code: string, form: ActionForm, file: HookFile) => string;
  /** `{is_spam, score, reasons}`; a bare `true` or `false` will do */
  cf_spam_check: (
    verdict: SpamVerdict,
    submission: ActionSubmission,
    form: ActionForm,
  ) => Partial<SpamVerdict> | boolean;
  /** where the visitor goes after a success: a path, or http(s) */
  cf_form_redirect_url: (url: string, form: ActionForm, data: HookAnswers) => string;
  /** what the visitor is told, such as `cf_form_message_success` */
  [code: `cf_form_message_${string}`]: (text: string, form: ActionForm) => string;
  /** the statuses that submissions may have; none can be taken away */
  cf_submission_statuses: (statuses: string[]) => readonly string[];
  /** whether the user may see a form's analytics */
  cf_can_view_form_analytics: (allowed: boolean, formId: number, user: Principal | null) => boolean;
  /** `{method, url, headers, body}`, before it is signed */
  cf_webhook_request: (
    request: WebhookRequest,
    settings: ActionSettings,
    submission: ActionSubmission,
    form: ActionForm,
  ) => WebhookRequest;
}

/** Actions by name. */
export interface ActionHooks {
  /** answers were read and checked; `code` is `""` where nothing is wrong; nothing is stored yet */
  cf_process_form: (form: ActionForm, submission: ActionSubmission, data: HookAnswers, code: string) => void;
  /** it is stored, with its queued actions */
  cf_submission_inserted: (submission: ActionSubmission, form: ActionForm) => void;
  /** it is stored and no spam; again when it leaves spam for the first time */
  cf_form_success: (submission: ActionSubmission, form: ActionForm) => void;
  /** before every answer to a visitor; `submission` is null where none was made */
  cf_form_response: (form: ActionForm, submission: ActionSubmission | null, code: string) => void;
  /** somebody gave it another status */
  cf_submission_status_changed: (submission: ActionSubmission, statusBefore: string, form: ActionForm) => void;
  /**
   * an action of that type runs. `false`: not configured; a throw: failed, and not tried again when it is a
   * `PermanentError`; else done. `settings.idempotency_key` is the same for every attempt. For built-in types the callbacks
   * are only told, after the work
   */
  [type: `cf_process_form_action_${string}`]: (
    settings: ActionSettings,
    submission: ActionSubmission,
    form: ActionForm,
  ) => unknown;
  /** the type's settings form is rendered; return its HTML */
  [type: `cf_output_form_action_${string}_settings`]: (settings: Settings, index: number) => unknown;
  /** `{queue_id, action_type, message}`: an action failed and is not tried again */
  cf_action_failed: (
    settings: ActionSettings,
    submission: ActionSubmission,
    form: ActionForm,
    failure: ActionFailure,
  ) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: any function has these parameters
type AnyFunction = (...args: any[]) => unknown;

/**
 * The callback of a filter with this signature; the engine awaits promises. As a method's, its parameters may be declared
 * narrower, such as `settings: { list: string }`.
 */
export type FilterCallback<Signature> = Signature extends AnyFunction
  ? {
      /** Returns the filtered value. */
      call(...args: Parameters<Signature>): ReturnType<Signature> | Promise<ReturnType<Signature>>;
    }["call"]
  : never;

/** The callback of an action with this signature; its parameters may be declared narrower. */
export type ActionCallback<Signature> = Signature extends AnyFunction
  ? {
      /** Acts; the result is ignored. */
      call(...args: Parameters<Signature>): unknown;
    }["call"]
  : never;

/** A name that is none of the engine's. Names that begin with `cf_` belong to the engine, so a mistyped one is an error. */
export type OtherHookName<Name extends string> = Name extends `cf_${string}` ? "a hook of cf-forms" : Name;
