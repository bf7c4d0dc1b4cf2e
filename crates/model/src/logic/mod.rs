//! What a form's rules mean: patterns, conditions, validation and template variables. All of it
//! is pure and synchronous, so that servers, the browser and tests get the same answers.

pub mod answer;
pub mod calendar;
mod compare;
pub mod conditions;
pub mod dependency;
pub mod display;
mod html_template;
pub mod input;
pub mod number;
pub mod pattern;
mod properties;
pub mod template;
pub mod validate;
