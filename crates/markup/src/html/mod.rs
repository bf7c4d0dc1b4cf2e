//! HTML below the level of forms: tokens, the tree's rules, text and escaping.

pub(crate) mod attributes;
mod bytes;
pub(crate) mod edits;
pub(crate) mod entities;
pub mod escape;
mod foreign;
pub(crate) mod growth;
pub(crate) mod kept_tags;
pub(crate) mod nearby;
mod skipped;
pub mod tag;
pub(crate) mod text;
mod tokenizer;
pub mod tokens;
pub(crate) mod tree;
mod white_space;
