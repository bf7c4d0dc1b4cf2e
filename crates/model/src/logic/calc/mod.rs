//! Calculations: expressions over the answers of a form, such as `qty * 19.99`.
//!
//! A number, text, date or hidden field with `data-calc` has the value of its expression; a value that is sent under
//! its name is ignored. `data-min` and `data-max` bound answers by expressions. The visitor's script evaluates the
//! same trees (`visitor/script/calculate.ts`).

mod call;
mod dates;
pub mod decimal;
pub mod eval;
pub mod fields;
pub mod format;
pub mod outcome;
mod parser;
pub mod renames;
pub mod syntax;
pub mod value;
