//! The rules of a form: patterns, conditions, validation and template variables. All of it is pure and
//! synchronous, so that servers, browsers and tests get equal results.

pub mod answer;
pub mod calc;
pub mod calendar;
mod compare;
pub mod conditions;
pub mod dependency;
pub mod display;
pub mod holds;
mod html_template;
pub mod input;
pub mod localized;
pub mod number;
pub mod pattern;
pub mod phone;
pub mod pipe_renames;
pub mod piping;
pub mod prefill;
mod properties;
mod query;
pub mod rows;
pub mod template;
mod template_listing;
mod template_output;
mod template_rows;
pub mod validate;
