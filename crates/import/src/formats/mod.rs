//! The readers of most formats of other products.

mod fluent_fields;
pub mod fluent_forms;
pub mod formidable;
mod formidable_fields;
pub mod forminator;
pub mod formio;
pub mod google_forms;
pub mod jotform;
mod json_kinds;
pub mod json_schema;
pub mod ninja_forms;
pub mod surveyjs;
mod surveyjs_fields;
pub mod tally;
mod tally_text;
pub mod typeform;
pub mod wpforms;
mod wpforms_fields;
pub mod xlsform;
mod xlsform_sheets;
