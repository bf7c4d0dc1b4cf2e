//! Code that the formats' readers share: the form under construction, its rules, mails and texts, and the maps of types
//! and operators.

pub mod builder;
pub mod expressions;
pub mod html_text;
pub mod item;
pub mod jumps;
pub mod logic;
pub mod mail;
pub mod maps;
pub mod outcomes;
pub mod rules;
pub mod shown;
pub mod templates;
