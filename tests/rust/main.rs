//! Tests of the engine in one binary.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that meets what it did not expect fails"
)]

mod actions;
mod actions_labels;
mod actions_webhooks;
mod analytics;
mod analytics_advice;
mod analytics_completion;
mod analytics_events;
mod analytics_fixture;
mod analytics_numbers;
mod autoresponders;
mod cases;
mod choices;
mod engine;
mod entities;
mod exports;
mod field_kinds;
mod file_types;
mod forms_change;
mod forms_check;
mod forms_delete;
mod forms_edit;
mod forms_laws;
mod forms_meta;
mod forms_settings;
mod forms_trash;
mod front_captcha;
mod front_fixture;
mod front_page;
mod front_page_faults;
mod front_submit;
mod front_submit_keys;
mod front_submit_rejections;
mod front_uploads;
mod fuzzed;
mod fuzzed_drafts;
mod fuzzed_frames;
mod fuzzed_imports;
mod hooks;
mod hooks_in_tasks;
mod host;
mod host_database;
mod host_effects;
mod import;
mod import_cf7;
mod import_cf7_markup;
mod import_circles;
mod import_gravity;
mod import_members;
mod import_other_systems;
mod import_report;
mod import_samples;
mod import_whole;
mod imports;
mod letter_case;
mod logic_conditions;
mod logic_fault_words;
mod logic_template;
mod logic_template_injection;
mod logic_uploads;
mod logic_validation;
mod markup_cases;
mod markup_consents;
mod markup_documents;
mod markup_edit;
mod markup_edit_laws;
mod markup_edit_options;
mod markup_fill;
mod markup_fuzzed_schemas;
mod markup_fuzzed_texts;
mod markup_hostile;
mod markup_html;
mod markup_labels;
mod markup_laws;
mod markup_losses;
mod markup_sanitize;
mod markup_schema_words;
mod markup_schemas;
mod markup_texts;
mod markup_traps;
mod matching;
mod model_cases;
mod multipart;
mod mutations;
mod openapi;
mod privacy;
mod queue;
mod queue_leases;
mod queue_purge;
mod queue_rest;
mod queue_spam;
mod queue_states;
mod rest_cases;
mod rest_routes;
mod review;
mod search_folding;
mod secrets;
mod spam_checks;
mod spam_settings;
mod stopwatch;
mod submissions_by_activity;
mod submissions_changes;
mod submissions_fixture;
mod submissions_lists;
mod submissions_search;
mod submissions_store;
mod upgrade;
mod upkeep;
