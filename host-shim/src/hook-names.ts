/** Names of the engine's hooks. `node scripts/doc-tables.ts` writes them from `hook-types.ts`. */

export const FILTER_NAMES: readonly string[] = [
  "cf_available_form_actions",
  "cf_form_action_settings",
  "cf_editor_field_types",
  "cf_editor_panels",
  "cf_schema_markup",
  "cf_form_markup",
  "cf_form_html",
  "cf_form_default_settings",
  "cf_form_default_messages",
  "cf_ignored_field_names",
  "cf_validate_form",
  "cf_validate_upload",
  "cf_spam_check",
  "cf_form_redirect_url",
  "cf_form_message_{code}",
  "cf_submission_statuses",
  "cf_can_view_form_analytics",
  "cf_webhook_request",
];

export const ACTION_NAMES: readonly string[] = [
  "cf_process_form",
  "cf_submission_inserted",
  "cf_form_success",
  "cf_answers_saved",
  "cf_form_response",
  "cf_submission_status_changed",
  "cf_process_form_action_{type}",
  "cf_output_form_action_{type}_settings",
  "cf_action_failed",
];
