//! The readers of the formats of other products, one for each.

pub mod fluent_forms;
pub mod formidable;
pub mod forminator;
pub mod formio;
pub mod google_forms;
pub mod jotform;
pub mod json_schema;
pub mod ninja_forms;
pub mod surveyjs;
pub mod tally;
pub mod typeform;
pub mod wpforms;
pub mod xlsform;
