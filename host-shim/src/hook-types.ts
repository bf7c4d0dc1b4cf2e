/**
 * The engine's hooks: for each name, the arguments of its callbacks and the value that a filter returns. The tables of
 * docs/hooks.md are generated from the comments here. A plugin declares its own hooks by adding to these interfaces:
 * `declare module "cf-forms" { interface FilterHooks { acme_price: (price: number) => number } }`.
 */

import type { FormSchema } from "#load-engine";
import type { ActionSettingDescription } from "./actions.ts";
import type { ActionForm, ActionSettings, ActionSubmission } from "./action-values.ts";
import type { Principal } from "./ports.ts";

/** Answers of a visitor by the names of their fields. */
export type HookAnswers = Readonly<Record<string, unknown>>;

/** An error beside a field of the form. */
export interface HookFault {
  /** Name of the field; empty for an error above the form. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A file that a visitor sent before the submit. Its `id` is 0, and its `url` is empty. */
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
/** Described settings, by action type. */
export type ActionDescriptions = Readonly<Record<string, readonly ActionSettingDescription[]>>;
type Settings = Record<string, unknown>;
/** The result of `cf_validate_form`: a code, a text for the visitor, or errors. */
export type FormVerdict = string | readonly HookFault[];

/** Filters by name. The first argument is the value. */
export interface FilterHooks {
  /** `{type: label}`: the action types that the admin offers for a form */
  cf_available_form_actions: (types: Labels) => Labels;
  /** `{type: settings}`: the described settings of action types, as `forms.registerAction` takes them */
  cf_form_action_settings: (types: ActionDescriptions) => ActionDescriptions;
  /**
   * `[{type, label, field?}]`: additional field types in the form editor. `type` is a type of the schema, and `field`
   * contains initial members of a new field
   */
  cf_editor_field_types: (types: EditorFieldType[]) => readonly EditorFieldType[];
  /**
   * `[{title, types?, inputs: [{attribute, label, input?, options?, help?}]}]`: additional properties in the form editor,
   * for fields of all types or of the listed `types`. Each property is stored as an attribute of the field; its `input` is
   * `text`, `textarea`, `select` or `checkbox`
   */
  cf_editor_panels: (panels: EditorPanel[]) => readonly EditorPanel[];
  /**
   * the HTML made from a form's schema; `form` is null in `forms.renderSchema()`. For visitors it has the attributes that
   * the visitor's script reads: `data-cf-step`, `data-cf-step-title`, `data-cf-conditions`
   */
  cf_schema_markup: (html: string, schema: FormSchema, form: ActionForm | null) => string;
  /** the fields' HTML of a form's page */
  cf_form_markup: (html: string, form: ActionForm) => string;
  /** the whole form element */
  cf_form_html: (html: string, form: ActionForm) => string;
  /** the settings of a form that sets none; keys may be added */
  cf_form_default_settings: (settings: Settings) => Settings;
  /** the messages of a form that sets none; keys may be added */
  cf_form_default_messages: (messages: Labels) => Labels;
  /** names of answers that are not stored */
  cf_ignored_field_names: (names: string[]) => readonly string[];
  /**
   * `""` accepts the submit. `"spam"` marks it as spam; the visitor gets the same response as after a success. The key of
   * one of the form's messages rejects it with this message and the key as `code`, another text with this text and the
   * code `error`. A list of `{field, code, message}` rejects it with these `errors`, and the code of the first is the
   * response's `code`. Errors whose `field` is empty or no field of the form are not in `errors`: their messages, joined by
   * spaces, are `message.text`, which stands above the form. A rejection has status 400
   */
  cf_validate_form: (code: FormVerdict, form: ActionForm, data: HookAnswers) => FormVerdict;
  /**
   * `""` accepts a file that was [sent before the submit](api.md#store-files-before-the-submit). The key of one of the
   * form's messages rejects it with status 400 and this message, a text with a space with this text. `file` is `{id, field, name, size, type, url}`; its `id`
   * is 0, and its `url` is empty
   */
  cf_validate_upload: (code: string, form: ActionForm, file: HookFile) => string;
  /** `{is_spam, score, reasons}`; a filter may also return only `true` or `false` */
  cf_spam_check: (
    verdict: SpamVerdict,
    submission: ActionSubmission,
    form: ActionForm,
  ) => Partial<SpamVerdict> | boolean;
  /** the redirect after a success: a path, or a URL with http or https */
  cf_form_redirect_url: (url: string, form: ActionForm, data: HookAnswers) => string;
  /** the text of a message for visitors, such as `cf_form_message_success` */
  [code: `cf_form_message_${string}`]: (text: string, form: ActionForm) => string;
  /** the statuses that submissions may have; a filter can add statuses, but not remove any */
  cf_submission_statuses: (statuses: string[]) => readonly string[];
  /** whether the user may see a form's analytics */
  cf_can_view_form_analytics: (allowed: boolean, formId: number, user: Principal | null) => boolean;
  /** `{method, url, headers, body}`: the request of a webhook before it is signed */
  cf_webhook_request: (
    request: WebhookRequest,
    settings: ActionSettings,
    submission: ActionSubmission,
    form: ActionForm,
  ) => WebhookRequest;
}

/** Actions by name. */
export interface ActionHooks {
  /**
   * after the answers are validated and accepted by `cf_validate_form`, and before the submission is checked for spam and
   * stored; also for a submission that is spam already, whose answers may be invalid. It does not run for answers that are
   * rejected there, so `code` is always `""`; the store may still reject the submission. For rejections, use
   * `cf_form_response`. The `id` of the submission and of its files is 0, and a file's `url` is empty, but its `read()` works
   */
  cf_process_form: (form: ActionForm, submission: ActionSubmission, data: HookAnswers, code: string) => void;
  /** after a submission is stored with its queued actions */
  cf_submission_inserted: (submission: ActionSubmission, form: ActionForm) => void;
  /** after a submission is stored that is not spam, or when spam is restored for the first time */
  cf_form_success: (submission: ActionSubmission, form: ActionForm) => void;
  /** after a visitor saved progress to continue later; only the visitor can read it */
  cf_answers_saved: (formId: number) => void;
  /**
   * before the response to a new submission or a rejection; `submission` is null for a rejection. It does not run for
   * repeats, reviews, changes of rows, unreadable bodies and errors of the site
   */
  cf_form_response: (form: ActionForm, submission: ActionSubmission | null, code: string) => void;
  /** after the status of a submission was changed */
  cf_submission_status_changed: (submission: ActionSubmission, statusBefore: string, form: ActionForm) => void;
  /**
   * to run an action of this type. Callbacks that return `false` skip it as not configured. A thrown error fails the
   * action, which is retried unless the error is a `PermanentError`. `settings.idempotency_key` is the same for every
   * attempt. For built-in types, the callbacks run after the action and cannot change its result
   */
  [type: `cf_process_form_action_${string}`]: (
    settings: ActionSettings,
    submission: ActionSubmission,
    form: ActionForm,
  ) => unknown;
  /** to render the settings form of this type; a callback returns the HTML */
  [type: `cf_output_form_action_${string}_settings`]: (settings: Settings, index: number) => unknown;
  /** after an action failed without a further retry; `failure` is `{queue_id, action_type, message}` */
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
 * The callback of a filter with this signature; the engine awaits promises. The method type lets a callback declare
 * narrower parameters, such as `settings: { list: string }`.
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

/** Any name. Editors suggest the declared ones. */
export type AnyName<Declared> = Declared | (string & {});

/**
 * A declared name, or one outside the engine's hooks. Names that begin with `cf_` belong to the engine, so a mistyped one
 * is an error.
 */
export type HookName<Name, Declared> = Name extends keyof Declared
  ? Name
  : Name extends `cf_${string}`
    ? keyof Declared
    : Name;

/** The arguments of a hook; any for a hook that is not declared. */
export type HookArguments<Name, Declared> = Name extends keyof Declared
  ? Declared[Name] extends AnyFunction
    ? Parameters<Declared[Name]>
    : never
  : unknown[];

/** The result of a filter; unknown for a filter that is not declared. */
export type HookResult<Name, Declared> = Name extends keyof Declared
  ? Declared[Name] extends AnyFunction
    ? ReturnType<Declared[Name]>
    : never
  : unknown;
