//! Reading a form's HTML into a schema (contract, section 4).
//!
//! - [`elements`], [`items`], [`opening`], [`collecting`]: what stands in the document, in one
//!   pass over its tokens.
//! - [`sets`]: which radios and checkboxes make one field, and what holds them.
//! - [`labels`]: what labels and describes a control.
//! - [`fields`], [`controls`], [`ticks`], [`structure`], [`attributes`], [`choices`]: the fields.
//! - [`layout`]: steps, form settings, and what refers to fields.

mod attributes;
mod choices;
mod collecting;
mod controls;
mod elements;
mod fields;
mod items;
mod labels;
mod layout;
mod opening;
mod sets;
mod structure;
mod ticks;

use serde::Serialize;
use thiserror::Error;

use self::items::Items;
use super::html::tokens;
use super::html::tree::Tree;
use super::warnings::{Warning, WarningCode};
use crate::forms::FormSchema;

/// The longest markup that is read, in bytes.
pub const MAX_MARKUP_BYTES: usize = 8 * 1024 * 1024;

/// The most items of a document, when the next is a control or holds others.
const MAX_ITEMS: usize = 100_000;

/// The most items of a document, when the next is a heading, a paragraph or a divider.
const MAX_TEXTS: usize = 90_000;

/// The most options that are read, of all fields together.
const MAX_CHOICES: usize = 100_000;

/// Why markup is not read at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// More than [`MAX_MARKUP_BYTES`].
    #[error("the markup is longer than {MAX_MARKUP_BYTES} bytes")]
    TooLarge,
    /// More controls, options or fields than a schema holds.
    #[error("the markup has too many fields or options")]
    TooManyFields,
}

/// What a document says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parsed {
    /// The schema; it passes [`crate::forms::check::parse_schema`].
    pub schema: FormSchema,
    /// What could not be carried over, in the order of the document.
    pub warnings: Vec<Warning>,
}

/// Reads a form's HTML as browsers do. Bad HTML never fails; only the limits do.
pub fn parse(html: &str) -> Result<Parsed, ParseError> {
    if html.len() > MAX_MARKUP_BYTES {
        return Err(ParseError::TooLarge);
    }
    let mut tree = Tree::new(Items::of(html));
    let read = tokens::read(html, &mut tree);
    let mut items = tree.finish();
    if items.is_full {
        return Err(ParseError::TooManyFields);
    }
    if let Err(offset) = read {
        items.warnings.add(
            WarningCode::NestedTooDeep,
            offset,
            "The elements are nested too deep; the rest was not read.",
        );
    }
    let (schema, warnings) = fields::build(items);
    if schema.fields.len() > crate::forms::check::MAX_FIELDS {
        return Err(ParseError::TooManyFields);
    }
    Ok(Parsed {
        schema,
        warnings: warnings.in_order(),
    })
}
