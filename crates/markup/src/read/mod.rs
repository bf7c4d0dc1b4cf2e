//! Reads a form's HTML into a schema (contract, section 4).
//!
//! One pass over the tokens lists the items of the document ([`mod@items`]: [`opening`], [`closing`]). A second pass over
//! that list builds the fields ([`fields`]), and [`layout`] builds the parts that refer to fields.

mod around;
mod attributes;
mod choices;
mod closing;
mod columns;
mod controls;
mod elements;
mod fields;
mod fields_within;
mod found_steps;
mod item;
mod items;
mod labels;
mod layout;
mod losses;
mod names;
mod opening;
mod options;
mod recognize;
mod rows;
mod sets;
mod structure;
mod text_labels;
mod traps;
mod unite;

use serde::Serialize;
use thiserror::Error;

pub(super) use self::fields::{Place, Read};
use self::items::Items;
pub(super) use self::layout::step_id;
use super::html::tree;
use super::warnings::Warning;
use model::FormSchema;
pub(super) use model::step_words::StepWay;

/// Limit on the length of markup, in bytes.
pub const MAX_MARKUP_BYTES: usize = 8 * 1024 * 1024;

/// Limit on the controls of a document together with the elements that contain items.
const MAX_ITEMS: usize = 100_000;

/// Limit on the headings, paragraphs and dividers of a document. It leaves room for controls.
const MAX_TEXTS: usize = 90_000;

/// Limit on the options of all fields together.
const MAX_CHOICES: usize = 100_000;

/// The reason why markup is rejected as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// More than [`MAX_MARKUP_BYTES`].
    #[error("the markup is longer than {MAX_MARKUP_BYTES} bytes")]
    TooLarge,
    /// More controls, options or fields than a schema may hold.
    #[error("the markup has too many fields or options")]
    TooManyFields,
}

/// The result of reading a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parsed {
    /// The schema; it passes [`model::check::parse_schema`].
    pub schema: FormSchema,
    /// Warnings about content that the schema cannot hold, in document order.
    pub warnings: Vec<Warning>,
}

/// Reads a form's HTML as browsers do. Only the limits cause errors; bad HTML never does.
pub fn parse(html: &str) -> Result<Parsed, ParseError> {
    let read = read(html)?;
    Ok(Parsed {
        schema: read.schema,
        warnings: read.warnings.in_order(),
    })
}

/// Lists the items of a document.
fn items(html: &str, ignores_steps: bool) -> Items<'_> {
    let mut items = Items::of(html);
    items.ignores_steps = ignores_steps;
    tree::read(html, &mut items);
    items
}

/// Reads HTML into a schema with the places of its fields.
pub(super) fn read(html: &str) -> Result<Read<'_>, ParseError> {
    if html.len() > MAX_MARKUP_BYTES {
        return Err(ParseError::TooLarge);
    }
    let mut items = items(html, false);
    if items.has_no_steps() {
        items = self::items(html, true);
    }
    if items.is_full {
        return Err(ParseError::TooManyFields);
    }
    items.find_steps();
    items.number_steps();
    let read = fields::build(items);
    if read.schema.fields.len() > model::check::MAX_FIELDS {
        return Err(ParseError::TooManyFields);
    }
    Ok(read)
}
