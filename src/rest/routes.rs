//! The route table, the single source of the dispatcher, the boundary's exports, and the API's reference.

use super::form_members::*;
use super::parameters::{Kind, Parameter};
pub use super::route::Route;
use super::route::fixed;
use super::route_parameters::*;
use super::{handlers, reference};
use crate::error::{Error, Missing};
use crate::forms::Among;
use crate::import;
use model::HAS_REFERENCE;

const SECRET: Error = Error::SecretRequired(String::new());
const UNKNOWN_FORMAT: Error = Error::UnknownFormat(import::ImportError::NONE);
const AMBIGUOUS_FORMAT: Error = Error::AmbiguousFormat(import::ImportError::NONE);
const NO_IMPORT: Error = Error::NotFound(Missing::Import);
const NO_FORM: Error = Error::NotFound(Missing::Form);
const NO_DRAFT: Error = Error::NotFound(Missing::Draft);
const NO_REVISION: Error = Error::NotFound(Missing::Revision);
const NO_SCHEMA: Error = Error::NotFound(Missing::Schema);
const NO_FIELD: Error = Error::NotFound(Missing::Field);
const NO_SUBMISSION: Error = Error::NotFound(Missing::Submission);
const NO_FILE: Error = Error::NotFound(Missing::File);
const NO_ENTRY: Error = Error::NotFound(Missing::QueueEntry);
const CHANGED: Error = Error::PreconditionFailed;
const CONFLICT: Error = Error::Conflict;
const NAME_TAKEN: Error = Error::DuplicateField(String::new());
const FIELD_IN_USE: Error = Error::FieldInUse {
    field: String::new(),
    used_by: Vec::new(),
};

const NOT_PATCHED: Error = Error::MarkupNotPatched(String::new());

/// Passes the route table to a macro: here to define [`ROUTES`], and in `src/wasm` to define the exports.
macro_rules! route_table {
    ($consume:ident) => {
        $consume! {
            list_forms "listForms" GET "/cf/v1/forms" "List the forms."
                [
                    PAGE_NUMBER,
                    Parameter::query("per_page", PER_PAGE, "The page size. Default: all."),
                    Parameter::query("search", Kind::Text(200), "Only forms whose title or slug contains this text."),
                    Parameter::query("slug", Kind::Text(200), "Only the form with exactly this slug."),
                    Parameter::query("status", ANY_FORM_STATUS, "Only forms with this status; `trash` for the forms in the trash. Default: all forms that are not in the trash."),
                    Parameter::query("orderby", Kind::Enum(&["id", "title", "created_at", "updated_at"]), "The sort key.").or("\"id\""),
                    DESCENDING,
                    PAGE_OFFSET,
                ]
                200 "FormList" handlers::forms::list;
            create_form "createForm" POST "/cf/v1/forms" "Create a form."
                [
                    Parameter::body("title", TITLE, "The form's title.").required(),
                    Parameter::body("slug", Kind::Slug, "The last part of the form's URL. If another form has it, a number is added. Default: made from the title."),
                    Parameter::body("status", FORM_STATUS, "Whether visitors can reach the form. Default: published."),
                    Parameter::body("markup", MARKUP, "The HTML, without the form element."),
                    Parameter::body("schema", SCHEMA, "The schema. If sent, it becomes the form's source."),
                    Parameter::body("settings", SETTINGS, "The settings that differ from the defaults."),
                    Parameter::body("messages", MESSAGES, "The messages that differ from the defaults."),
                ]
                201 "Form" [SECRET, Error::MarkupAmbiguous, CONFLICT] handlers::forms::create;
            export_forms "exportForms" GET "/cf/v1/forms/export" "Download forms with their schemas, without secrets, to import them on another site."
                [Parameter::query("ids", Kind::Ids(import::MAX_FORMS), "Only these forms. Default: all.")]
                200 "FormExport" [NO_FORM] handlers::transfer::export;
            import_forms "importForms" POST "/cf/v1/forms/import" "Create forms from a web page, or from an export of this engine or another form plugin, including submissions."
                [
                    Parameter::body("content", Kind::File(8_000_000), "The file's text.").required(),
                    Parameter::body("format", Kind::Enum(&import::FORMATS), "The file's format. Default: detected."),
                    Parameter::body("form_id", SOME_ID, "The form that receives the file's submissions; no form is created."),
                    Parameter::body("mapping", Kind::Object, "How to read a CSV file of submissions. `columns` maps each heading to a field, a part such as address.city, or @submitted_at, @ip_address or @status. Further members: time_zone, dates, decimal, lists, yes, no."),
                    Parameter::body("time_zone", Kind::Text(100), "The time zone of times without one, such as Europe/Berlin. Default: UTC."),
                    Parameter::query("preview", Kind::Boolean, "Whether to return the result without storing it.").or("false"),
                    Parameter::query("keep_scripts", Kind::Boolean, "Whether to keep scripts. Only callers with the capability unfiltered_html can keep them.").or("false"),
                ]
                200 "FormImport" [UNKNOWN_FORMAT, AMBIGUOUS_FORMAT, SECRET, CONFLICT, NO_FORM] handlers::imports::import;
            create_import "createImport" POST "/cf/v1/imports" "Upload a file of at most 64 MB for an import. Returns a description of its forms and submissions."
                [Parameter::query("format", Kind::Enum(&import::FORMATS), "The file's format. Default: detected.")]
                201 "Import" [UNKNOWN_FORMAT, AMBIGUOUS_FORMAT, Error::PayloadTooLarge] handlers::large_imports::create;
            get_import "getImport" GET "/cf/v1/imports/{id}" "Read the progress of an import."
                [ID] 200 "ImportProgress" [NO_IMPORT] handlers::large_imports::get;
            start_import "startImport" POST "/cf/v1/imports/{id}/start" "Start an import, which runs in the background."
                [
                    ID,
                    Parameter::body("forms", Kind::Array, "The indexes of the forms to create. Default: all."),
                    Parameter::body("form_id", SOME_ID, "The form that receives the file's submissions; no form is created."),
                    Parameter::body("mapping", Kind::Object, "How to read a CSV file of submissions, as for importForms."),
                    Parameter::body("time_zone", Kind::Text(100), "The time zone of times without one, such as Europe/Berlin. Default: UTC."),
                    Parameter::body("fetch_files", Kind::Boolean, "Whether to fetch the files of submissions. Default: false, which stores the links to the files in notes."),
                    Parameter::query("keep_scripts", Kind::Boolean, "Whether to keep scripts. Only callers with the capability unfiltered_html can keep them.").or("false"),
                ]
                202 "ImportProgress" [NO_IMPORT, UNKNOWN_FORMAT, AMBIGUOUS_FORMAT, CONFLICT, NO_FORM] handlers::large_imports::start;
            cancel_import "cancelImport" POST "/cf/v1/imports/{id}/cancel" "Cancel an import, and delete everything that it has created."
                [ID] 200 "ImportProgress" [NO_IMPORT, CONFLICT] handlers::large_imports::cancel;
            get_form "getForm" GET "/cf/v1/forms/{id}" "Read a form."
                [ID, Parameter::query("status", Kind::Enum(&[Among::TRASH]), "`trash` to read a form in the trash.")]
                200 "Form" [NO_FORM] handlers::forms::get;
            update_form "updateForm" PATCH "/cf/v1/forms/{id}" "Change members of a form. Members that are not sent stay."
                [
                    ID,
                    Parameter::body("title", TITLE, "The new title."),
                    Parameter::body("slug", Kind::Slug, "The new slug, which no other form may have."),
                    Parameter::body("former_slugs", Kind::Array, "The former slugs to keep. Slugs can be removed from the list, but not added."),
                    Parameter::body("status", FORM_STATUS, "Whether visitors can reach the form."),
                    Parameter::body("markup", MARKUP, "The new HTML, which becomes the form's source. Unchanged HTML becomes the source only if no title is sent."),
                    Parameter::body("settings", SETTINGS, "The settings to replace; the others stay."),
                    Parameter::body("messages", MESSAGES, "The messages to replace; the others stay."),
                ]
                200 "Form" [NO_FORM, SECRET, Error::MarkupAmbiguous, Error::SlugExists, CHANGED, CONFLICT] handlers::forms::update;
            delete_form "deleteForm" DELETE "/cf/v1/forms/{id}" "Move a form to the trash for 30 days, or delete it permanently with its submissions and all other data."
                [ID, Parameter::query("force", Kind::Boolean, "Whether to delete the form permanently, whether it is in the trash or not.").or("false")]
                200 "DeletedForm" [NO_FORM, CHANGED, CONFLICT] handlers::forms::delete;
            restore_form "restoreForm" POST "/cf/v1/forms/{id}/restore" "Restore a form from the trash with its former status. If another form has its slug, a number is added."
                [ID] 200 "Form" [NO_FORM, CHANGED, CONFLICT] handlers::forms::restore;
            duplicate_form "duplicateForm" POST "/cf/v1/forms/{id}/duplicate" "Copy a form. The copy is a draft with another slug and without submissions."
                [ID] 201 "Form" [NO_FORM, CONFLICT] handlers::forms::duplicate;
            preview_form "previewForm" POST "/cf/v1/forms/preview" "Render a form's page as visitors would see it. Nothing is stored, counted or sent."
                [
                    Parameter::body("title", TITLE, "The form's title.").required(),
                    Parameter::body("markup", MARKUP, "The HTML, without the form element."),
                    Parameter::body("schema", SCHEMA, "The schema. If sent, it becomes the form's source."),
                    Parameter::body("settings", SETTINGS, "The settings that differ from the defaults."),
                    Parameter::body("messages", MESSAGES, "The messages that differ from the defaults."),
                    Parameter::body("edit", Kind::Object, "An edit of the markup to apply before rendering: {name, field} changes a field, {field} adds one, {name} removes one."),
                    Parameter::query("convert", Kind::Boolean, "Whether to return the schema and the markup too, converting one from the other."),
                ]
                200 "FormPreview" [NOT_PATCHED] handlers::forms::preview;
            list_revisions "listRevisions" GET "/cf/v1/forms/{id}/revisions" "List the revisions of a form, newest first."
                [ID, PAGE_NUMBER, PAGE_SIZE, PAGE_OFFSET]
                200 "RevisionList" [NO_FORM] handlers::revisions::list;
            get_revision "getRevision" GET "/cf/v1/forms/{id}/revisions/{revision}" "Read the content of a form at a revision."
                [ID, REVISION] 200 "RevisionContent" [NO_FORM, NO_REVISION] handlers::revisions::get;
            restore_revision "restoreRevision" POST "/cf/v1/forms/{id}/revisions/{revision}/restore" "Restore the content of a form to a revision. Its slug and status stay."
                [ID, REVISION] 200 "Form" [NO_FORM, NO_REVISION, Error::MarkupAmbiguous, CHANGED, CONFLICT] handlers::revisions::restore;
            get_draft "getDraft" GET "/cf/v1/forms/{id}/draft" "Read the draft of a form."
                [ID] 200 "WorkInProgress" [NO_FORM, NO_DRAFT] handlers::drafts::get;
            put_draft "putDraft" PUT "/cf/v1/forms/{id}/draft" "Store the draft of a form. Drafts are not checked, and visitors do not see them."
                [
                    ID,
                    Parameter::body("base_revision", SOME_ID, "The form's revision that the draft is based on.").required(),
                    Parameter::body("title", Kind::Any, "The new title."),
                    Parameter::body("markup", Kind::Any, "The new HTML."),
                    Parameter::body("schema", Kind::Any, "The new schema."),
                    Parameter::body("settings", Kind::Any, "The settings to replace."),
                    Parameter::body("messages", Kind::Any, "The messages to replace."),
                    Parameter::body("source", Kind::Any, "The form's source after publishing: markup or schema. Default: the one that changed."),
                ]
                200 "WorkInProgress" [NO_FORM, SECRET, Error::MarkupAmbiguous, CHANGED, Error::PayloadTooLarge] handlers::drafts::put;
            delete_draft "deleteDraft" DELETE "/cf/v1/forms/{id}/draft" "Discard the draft of a form."
                [ID] 200 "DeletedDraft" [NO_FORM, NO_DRAFT, CHANGED] handlers::drafts::delete;
            publish_draft "publishDraft" POST "/cf/v1/forms/{id}/publish" "Check the draft of a form and publish it as one revision."
                [
                    ID,
                    Parameter::body("status", FORM_STATUS, "The form's status after publishing. A request with a status needs no draft."),
                ]
                200 "PublishedForm" [NO_FORM, NO_DRAFT, Error::InvalidParameters(Vec::new()), Error::MarkupAmbiguous, CHANGED, CONFLICT] handlers::drafts::publish;
            upload_form_image "uploadFormImage" POST "/cf/v1/forms/{id}/images" "Store an image of a form, such as its logo. The multipart body contains a PNG, JPEG, WebP or SVG file of at most 1 MB."
                [ID] 201 "FormImage" [NO_FORM, Error::InvalidParameters(Vec::new()), Error::MissingParameters(Vec::new()), Error::PayloadTooLarge] handlers::images::upload;
            revoke_form_links "revokeFormLinks" POST "/cf/v1/forms/{id}/links/revoke" "Revoke the mailed links to files of a form's submissions."
                [ID] 200 "RevokedLinks" [NO_FORM] handlers::links::revoke_of_form;
            get_saved_answers "getSavedAnswers" GET "/cf/v1/forms/{id}/saved" "Count the visitors with saved progress. The API cannot read their answers."
                [ID] 200 "SavedAnswers" [NO_FORM] handlers::saved::figures;
            delete_saved_answers "deleteSavedAnswers" DELETE "/cf/v1/forms/{id}/saved" "Delete the saved progress of a form's visitors."
                [ID] 200 "DeletedSavedAnswers" [NO_FORM] handlers::saved::delete;
            list_answer_names "listAnswerNames" GET "/cf/v1/forms/{id}/answer-names" "List the names of the stored answers with their counts, oldest first."
                [ID] 200 "AnswerNameList" [NO_FORM] handlers::analytics::answer_names;
            get_schema_markup "getSchemaMarkup" GET "/cf/v1/forms/{id}/schema/markup" "Render the stored schema of a form as HTML."
                [ID] 200 "SchemaMarkup" [NO_FORM, NO_SCHEMA] handlers::schema::markup;
            get_schema "getSchema" GET "/cf/v1/forms/{id}/schema" "Read the schema of a form; null if it has none."
                [ID] 200 "OptionalFormSchema" [NO_FORM] handlers::schema::get;
            put_schema "putSchema" PUT "/cf/v1/forms/{id}/schema" "Store the schema of a form, which becomes the form's source."
                [
                    ID,
                    Parameter::body("fields", Kind::Any, "The fields.").required(),
                    Parameter::members("FormSchemaMembers"),
                ]
                200 "FormSchema" [NO_FORM, CHANGED, CONFLICT] handlers::schema::put;
            generate_schema "generateSchema" POST "/cf/v1/forms/{id}/schema/generate" "Generate the schema of a form from its markup."
                [
                    ID,
                    Parameter::query("preview", Kind::Boolean, "Whether to return the schema without storing it."),
                    Parameter::query("report", Kind::Boolean, "Whether to return warnings about parts of the markup that a schema cannot contain."),
                ]
                200 "GeneratedSchema" [NO_FORM, CHANGED, CONFLICT] handlers::schema::generate;
            list_fields "listFields" GET "/cf/v1/forms/{id}/fields" "List the fields of a form's schema."
                [ID] 200 "FieldList" [NO_FORM] handlers::fields::list;
            add_field "addField" POST "/cf/v1/forms/{id}/fields" "Add a field to a form's schema."
                [
                    ID, PATCH_MARKUP, PATCH_ONLY, EDIT_REPORT,
                    Parameter::body("name", Kind::Any, "The name, unique in the schema.").required(),
                    Parameter::body("type", Kind::Any, "The type of the field.").required(),
                    Parameter::members("FieldMembers"),
                ]
                201 "EditedField" [NO_FORM, NAME_TAKEN, NOT_PATCHED, CHANGED, CONFLICT] handlers::fields::add;
            update_field "updateField" PATCH "/cf/v1/forms/{id}/fields/{name}" "Change members of a field. Members that are not sent stay."
                [
                    ID,
                    FIELD_NAME, PATCH_MARKUP, PATCH_ONLY, EDIT_REPORT,
                    Parameter::members("FieldMembers"),
                ]
                200 "EditedField" [NO_FORM, NO_SCHEMA, NO_FIELD, NAME_TAKEN, NOT_PATCHED, CHANGED, CONFLICT] handlers::fields::update;
            delete_field "deleteField" DELETE "/cf/v1/forms/{id}/fields/{name}" "Remove a field from a form's schema."
                [
                    ID,
                    FIELD_NAME, PATCH_MARKUP, PATCH_ONLY, EDIT_REPORT,
                    Parameter::query("force", Kind::Boolean, "Whether to delete the field even if others refer to it: drops their conditions, and shows fallback words in their texts."),
                ]
                200 "DeletedField" [NO_FORM, NO_SCHEMA, NO_FIELD, FIELD_IN_USE, NOT_PATCHED, CHANGED, CONFLICT] handlers::fields::delete;
            list_submissions "listSubmissions" GET "/cf/v1/submissions" "List submissions, newest first."
                [
                    PAGE_NUMBER, PAGE_SIZE, PAGE_OFFSET, CURSOR, OF_FORM, WITH_STATUS, WITH_WORDS, STARRED, WITH_ANSWERS,
                    AFTER, BEFORE, SUBMISSIONS_BY, DESCENDING,
                ]
                200 "SubmissionList" handlers::submission_lists::list;
            list_form_submissions "listFormSubmissions" GET "/cf/v1/forms/{form_id}/submissions" "List a form's submissions, newest first."
                [
                    FORM_ID, PAGE_NUMBER, PAGE_SIZE, PAGE_OFFSET, CURSOR, WITH_STATUS, WITH_WORDS, STARRED, WITH_ANSWERS,
                    AFTER, BEFORE, SUBMISSIONS_BY, DESCENDING,
                ]
                200 "SubmissionList" [NO_FORM] handlers::submission_lists::list_of_form;
            export_submissions "exportSubmissions" GET "/cf/v1/forms/{form_id}/submissions/export" "Download a form's submissions, newest first."
                [
                    FORM_ID,
                    Parameter::query("format", Kind::Enum(&["csv", "xlsx", "json", "ndjson"]), "The format: a CSV table, a spreadsheet of at most 50,000 submissions, a JSON array, or JSON lines.").or("\"csv\""),
                    Parameter::query("bom", Kind::Boolean, "Whether a CSV file begins with a byte order mark, by which Excel detects UTF-8.").or("false"),
                    Parameter::query("labels", Kind::Boolean, "Whether a CSV file contains the labels of options instead of their values.").or("false"),
                    Parameter::query("titles", Kind::Enum(&["names", "labels"]), "The titles of a table's columns: the names of the fields, or their labels.").or("\"names\""),
                    Parameter::query("separator", Kind::Enum(&[",", ";", "\t", "tab"]), "The separator of a CSV file; `tab` for a tab.").or("\",\""),
                    Parameter::query("columns", Kind::Text(2_000), "The columns of a table or the members of JSON, in order, separated by commas. Default: all. The name of an address, name or consent field selects all of its columns. A former name of a field selects the field."),
                    WITH_STATUS, WITH_WORDS, STARRED, WITH_ANSWERS, AFTER, BEFORE,
                ]
                200 "SubmissionExport" [NO_FORM, Error::ExportTooLarge] handlers::exports::submissions;
            count_submissions "countSubmissions" GET "/cf/v1/submissions/counts" "Count submissions by status, and the unread and starred ones."
                [OF_FORM, Parameter::query("files", Kind::Boolean, "Whether to count the form's files too. Needs form_id.")] 200 "SubmissionCounts" handlers::submission_lists::counts;
            get_submission "getSubmission" GET "/cf/v1/submissions/{id}" "Read a submission."
                [ID] 200 "Submission" [NO_SUBMISSION] handlers::submissions::get;
            get_submission_file "getSubmissionFile" GET "/cf/v1/submissions/{id}/files/{file_id}" "Download a file of a submission."
                [
                    ID,
                    Parameter::id("file_id", "The id of the file."),
                    Parameter::query("inline", Kind::Boolean, "Whether browsers may show the file, if it is a PNG, JPEG, GIF or WebP image. Other files are always downloaded."),
                ]
                200 "SubmissionFile" [NO_SUBMISSION, NO_FILE, Error::FileFetchRefused] handlers::submissions::file;
            update_submission "updateSubmission" PATCH "/cf/v1/submissions/{id}" "Change the status, the star or the answers of a submission. At least one of them must be sent."
                [
                    ID,
                    Parameter::body("status", STATUS, "The new status. When a submission leaves spam for the first time, the actions that were withheld run."),
                    Parameter::body("starred", Kind::Boolean, "Whether the submission is starred."),
                    Parameter::body("data", Kind::Object, "The answers to replace, by field name; null removes one. They are checked like a visitor's answers. Files and passwords cannot be replaced."),
                ]
                200 "Submission" [NO_SUBMISSION, Error::MissingParameters(Vec::new()), CHANGED, CONFLICT] handlers::submissions::update;
            delete_submission "deleteSubmission" DELETE "/cf/v1/submissions/{id}" "Delete a submission with its files, queue entries and logs."
                [ID] 200 "DeletedSubmission" [NO_SUBMISSION, CHANGED] handlers::submissions::delete;
            get_timeline "getTimeline" GET "/cf/v1/submissions/{id}/timeline" "List the events of a submission, oldest first."
                [ID] 200 "Timeline" [NO_SUBMISSION] handlers::timeline::get;
            add_note "addNote" POST "/cf/v1/submissions/{id}/notes" "Add a note to a submission."
                [ID, Parameter::body("text", Kind::Text(10_000), "The note.").required()]
                201 "TimelineEntry" [NO_SUBMISSION] handlers::timeline::add_note;
            resend_actions "resendActions" POST "/cf/v1/submissions/{id}/actions" "Queue the form's current actions again for a submission."
                [ID, Parameter::body("action_ids", Kind::Array, "The ids of the actions. Default: all enabled actions.")]
                201 "QueueEntryList" [NO_SUBMISSION, Error::SubmissionIsSpam, CONFLICT] handlers::resend::resend;
            revoke_submission_links "revokeSubmissionLinks" POST "/cf/v1/submissions/{id}/links/revoke" "Revoke the mailed links to files of a submission."
                [ID] 200 "RevokedLinks" [NO_SUBMISSION] handlers::links::revoke_of_submission;
            bulk_submissions "bulkSubmissions" POST "/cf/v1/submissions/bulk" "Change the status of many submissions, or delete them."
                [
                    Parameter::body("ids", Kind::Ids(handlers::submissions::MAX_BULK), "The submissions, at most 100.").required(),
                    Parameter::body("action", Kind::Enum(&["set_status", "delete"]), "The change to make.").required(),
                    Parameter::body("status", STATUS, "The new status, for set_status."),
                ]
                200 "BulkResult" [CONFLICT] handlers::submissions::bulk;
            list_action_logs "listActionLogs" GET "/cf/v1/action-logs" "List runs of actions, newest first."
                [
                    PAGE_NUMBER, PAGE_SIZE, PAGE_OFFSET, CURSOR, OF_FORM, OF_SUBMISSION,
                    Parameter::query("status", Kind::Enum(&["success", "failed", "skipped"]), "Only runs with this result."),
                    AFTER, BEFORE, CREATED_BY, DESCENDING,
                ]
                200 "ActionLogList" handlers::workflows::list_logs;
            get_action_log_stats "getActionLogStats" GET "/cf/v1/action-logs/stats" "Count runs of actions by result and by action type."
                [OF_FORM]
                200 "ActionLogStats" handlers::workflows::log_stats;
            list_action_failures "listActionFailures" GET "/cf/v1/action-logs/failures" "List the newest 20 failed runs of actions."
                [] 200 "ActionFailureList" handlers::workflows::list_failures;
            list_queue_entries "listQueueEntries" GET "/cf/v1/action-queue" "List queued actions, newest first."
                [
                    PAGE_NUMBER, PAGE_SIZE, PAGE_OFFSET, CURSOR, OF_FORM, OF_SUBMISSION,
                    Parameter::query("status", Kind::Enum(&handlers::workflows::STATES), "Only entries in this state."),
                    Parameter::query("dismissed", Kind::Boolean, "true for only dismissed failed entries, false for only failed entries that were not dismissed."),
                    AFTER, BEFORE, CREATED_BY, DESCENDING,
                ]
                200 "QueueEntryList" handlers::workflows::list_queue;
            get_queue_stats "getQueueStats" GET "/cf/v1/action-queue/stats" "Count queued actions by state."
                [] 200 "QueueStats" handlers::workflows::queue_stats;
            retry_queue_entry "retryQueueEntry" POST "/cf/v1/action-queue/{id}/retry" "Queue a failed action again."
                [
                    ID,
                    Parameter::query("settings", Kind::Enum(&["stored", handlers::workflows::CURRENT]), "Whether to use the stored settings, or the form's current ones.").or("\"stored\""),
                ]
                200 "QueueEntry" [NO_ENTRY, Error::RetryFailed, Error::ActionGone] handlers::workflows::retry_entry;
            cancel_queue_entry "cancelQueueEntry" POST "/cf/v1/action-queue/{id}/cancel" "Cancel an action that waits in the queue, for its first run or a retry."
                [ID] 200 "QueueEntry" [NO_ENTRY, Error::CancelFailed] handlers::workflows::cancel_entry;
            dismiss_queue_entry "dismissQueueEntry" POST "/cf/v1/action-queue/{id}/dismiss" "Dismiss a failed action, so that it no longer needs attention. It can still be retried."
                [ID] 200 "QueueEntry" [NO_ENTRY, Error::DismissFailed] handlers::workflows::dismiss_entry;
            list_editor_parts "listEditorParts" GET "/cf/v1/editor" "List the field types and panels that plugins add to the form editor."
                [] 200 "EditorParts" handlers::workflows::editor_parts;
            list_action_types "listActionTypes" GET "/cf/v1/actions" "List the available action types."
                [] 200 "ActionTypeList" handlers::workflows::list_actions;
            test_action "testAction" POST "/cf/v1/actions/test" "Run an action with sample data. Nothing is stored."
                [
                    Parameter::body("action_type", Kind::Text(100), "The action's type.").required(),
                    Parameter::body("form_id", SOME_ID, "The form that the action is for."),
                    Parameter::body("settings", Kind::Object, "The action's settings.").or("{}"),
                    Parameter::body("test_data", Kind::Object, "The answers, by field name.").or("{}"),
                    Parameter::body("schema", SCHEMA, "A schema that replaces the form's, such as that of a draft."),
                ]
                200 "ActionReport" [NO_FORM, SECRET, Error::UnknownActionType] handlers::workflows::test_action;
            compose_mail "composeMail" POST "/cf/v1/actions/compose" "Compose the mail of an action with sample data, ignoring its conditions. Nothing is sent."
                [
                    Parameter::body("action_type", Kind::Text(100), "The type of an action that sends mails.").required(),
                    Parameter::body("form_id", SOME_ID, "The form that the action is for."),
                    Parameter::body("settings", Kind::Object, "The action's settings.").or("{}"),
                    Parameter::body("test_data", Kind::Object, "The answers, by field name.").or("{}"),
                    Parameter::body("schema", SCHEMA, "A schema that replaces the form's, such as that of a draft."),
                ]
                200 "ActionReport" [NO_FORM, SECRET, Error::UnknownActionType] handlers::workflows::compose_mail;
            get_action_settings "getActionSettings" GET "/cf/v1/actions/{type}/settings" "Render an action type's settings form."
                [
                    Parameter::segment("type", "The action's type."),
                    Parameter::query("form_id", SOME_ID, "The form that the action is for."),
                    Parameter::query("index", Kind::Integer(0, 999), "The action's index in the form's list.").or("0"),
                ]
                200 "ActionSettings" [NO_FORM, Error::UnknownActionType] handlers::workflows::action_settings;
            get_analytics_overview "getAnalyticsOverview" GET "/cf/v1/analytics/overview" "Show the totals of all forms, and the forms with the most submissions."
                [] 200 "AnalyticsOverview" handlers::analytics::overview;
            get_funnel "getFunnel" GET "/cf/v1/analytics/{form_id}/funnel" "Count the visitors who see, start and submit a form, by default of all time."
                [FORM_ID, DATE_FROM, DATE_TO] 200 "Funnel" [NO_FORM] handlers::analytics::funnel;
            get_daily_stats "getDailyStats" GET "/cf/v1/analytics/{form_id}/daily" "Count a form's events by day, for at most 366 days."
                [FORM_ID, DATE_FROM.required(), DATE_TO.required()] 200 "DailyStats" [NO_FORM] handlers::analytics::daily;
            get_field_dropoff "getFieldDropoff" GET "/cf/v1/analytics/{form_id}/field-dropoff" "Show the fields at which visitors leave a form, by default of all time."
                [FORM_ID, DATE_FROM, DATE_TO] 200 "FieldDropoff" [NO_FORM] handlers::analytics::field_dropoff;
            get_answer_sums "getAnswerSums" GET "/cf/v1/analytics/{form_id}/answers" "Summarize all answers: choices by option, numbers as a histogram."
                [FORM_ID] 200 "AnswerSums" [NO_FORM] handlers::analytics::answers;
            get_attribution "getAttribution" GET "/cf/v1/analytics/{form_id}/attribution" "Show the sources of a form's submissions, by default of all time."
                [FORM_ID, DATE_FROM, DATE_TO] 200 "Attribution" [NO_FORM] handlers::analytics::attribution;
            get_spam_trends "getSpamTrends" GET "/cf/v1/analytics/{form_id}/spam-trends" "Show the share of spam by day, and the reasons for it."
                [
                    FORM_ID,
                    Parameter::query("days", Kind::Integer(1, 365), "The number of days up to today. Ignored with dates.").or("30"),
                    DATE_FROM,
                    DATE_TO,
                ]
                200 "SpamTrends" [NO_FORM] handlers::analytics::spam_trends;
            get_recommendations "getRecommendations" GET "/cf/v1/analytics/{form_id}/recommendations" "List recommendations based on the analytics of the last four weeks."
                [FORM_ID] 200 "RecommendationList" [NO_FORM] handlers::analytics::recommendations;
            export_personal_data "exportPersonalData" POST "/cf/v1/privacy/export" "Download everything that is stored about the owner of an email address."
                [EMAIL] 200 "PersonalData" handlers::privacy::export;
            erase_personal_data "erasePersonalData" POST "/cf/v1/privacy/erase" "Erase everything that is stored about the owner of an email address. Repeat the request while `done` is false."
                [EMAIL] 200 "Erasure" handlers::privacy::erase;
            list_erasures "listErasures" GET "/cf/v1/privacy/erasures" "List the receipts of erasures, newest first."
                [PAGE_NUMBER, PAGE_SIZE, PAGE_OFFSET, CURSOR, DESCENDING] 200 "ErasureReceiptList" handlers::privacy::erasures;
            get_namespace_index "getNamespaceIndex" GET "/cf/v1" "List the routes of the namespace."
                [] 200 "Index" reference::index;
            get_openapi "getOpenApi" GET "/cf/v1/openapi.json" "Describe the API as OpenAPI 3.1."
                [] 200 "OpenApi" reference::openapi;
        }
    };
}
#[cfg(target_arch = "wasm32")]
pub(crate) use route_table;

macro_rules! routes {
    ($($name:ident $operation:literal $method:ident $path:literal $summary:literal
        [$($parameter:expr),* $(,)?]
        $status:literal $response:literal $([$($error:expr),*])? $handler:path;)*) => {
        /// All routes, in the order in which the OpenAPI document lists them.
        pub static ROUTES: &[Route] = &[$(Route {
            method: stringify!($method),
            path: $path,
            fixed: fixed($path),
            operation: $operation,
            summary: if HAS_REFERENCE { $summary } else { "" },
            parameters: &[$($parameter),*],
            status: $status,
            response: $response,
            errors: if HAS_REFERENCE { &[$($($error),*)?] } else { &[] },
            handler: |call| Box::pin($handler(call)),
        }),*];
    };
}
route_table!(routes);

/// The route with an operation id.
#[cfg(target_arch = "wasm32")]
pub(crate) fn route_of(operation: &str) -> Option<&'static Route> {
    ROUTES.iter().find(|route| route.operation == operation)
}
