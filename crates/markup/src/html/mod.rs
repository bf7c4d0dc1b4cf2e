//! HTML below the level of forms: tokens, the tree's rules and text.

pub(crate) mod attributes;
pub(crate) mod edits;
pub(crate) mod entities;
pub mod plain_tokens;
pub mod tag;
pub(crate) mod text;
pub mod tokens;
pub(crate) mod tree;

/// Converts an offset or count in a document to `u32`, which suffices for `MAX_MARKUP_BYTES`.
pub(crate) fn place(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
