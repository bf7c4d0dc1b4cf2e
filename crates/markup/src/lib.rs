//! Markup and schema: reads a form's HTML as browsers do, and renders a schema as HTML (contract, section 4).
//!
//! - [`parse`] reads HTML into a schema, with warnings about content that the schema cannot hold.
//! - [`render()`] writes a schema as HTML. `parse(render(schema)).schema == schema` for every valid schema; the
//!   documented `data-cf-` attributes ([`markers`]) carry the members that plain HTML cannot.
//! - [`sanitize()`] removes parts of an author's HTML that could run script; [`without_reserved`] removes the attributes
//!   that only the engine may write.
//! - [`patched`] edits one field in the author's HTML and leaves every other byte unchanged; [`added`] inserts a new
//!   one.
//! - [`ids`] finds the ids of a page's elements.
//! - [`for_visitors`] marks steps, their titles and conditions in a page.
//! - [`with_whole_addresses`] prepares a form for a page of another site.
//! - [`fill()`] shows a visitor's answers and their faults, without script.
//!
//! All functions are pure, take time linear in their input, and never fail on bad HTML.

mod edit;
mod file_notes;
mod fill;
mod html;
mod pages;
mod pages_variants;
mod read;
mod render;
mod sanitize;
mod seats;

use model::{condition_text as conditions, warnings};

pub use model::markers;

pub use edit::{Change, NotPatched, Patched, added, patched};
pub use file_notes::{FileNote, KeptRow, with_file_notes};
pub use fill::{Filling, fill};
pub use html::tokens::Ambiguity;
pub use html::{plain_tokens, tag, tokens};
pub use model::warnings::{Warning, WarningCode};
pub use model::{collapse, escape};
pub use pages::{for_visitors, ids, with_whole_addresses, without_form_tags};
pub use pages_variants::with_variants;
pub use read::{MAX_MARKUP_BYTES, ParseError, Parsed, parse};
pub use render::{RenderOptions, render};
pub use sanitize::{sanitize, without_reserved};
pub use seats::{SeatNote, with_seats};
