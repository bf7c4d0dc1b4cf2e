//! Markup and schema: reading a form's HTML as browsers do, and writing a schema as HTML
//! (contract, section 4).
//!
//! - [`parse`] reads HTML into a schema and says what it could not carry over.
//! - [`render`] writes a schema as HTML. `parse(render(schema)).schema == schema` for every valid
//!   schema; what plain HTML cannot say is carried by the documented `data-cf-` attributes
//!   ([`markers`]).
//! - [`sanitize`] removes from an author's HTML what could run script, and [`without_reserved`] the
//!   attributes that are the engine's own.
//! - [`patched`] edits one field in the author's HTML and leaves every other byte alone; [`added`] puts
//!   a new one there.
//! - [`ids`] finds the ids of a page's elements.
//! - [`for_visitors`] says in a page what reading found: steps, their titles, conditions.
//! - [`with_whole_addresses`] makes a form fit for a page of another site.
//! - [`fill`] shows a visitor's input and the faults in it, without script.
//!
//! All of it is pure, takes time linear in its input, and never fails on bad HTML.

mod edit;
mod fill;
mod html;
mod pages;
mod read;
mod render;
mod sanitize;

use model::{condition_text as conditions, warnings};

pub use model::markers;

pub use edit::{Change, NotPatched, Patched, added, patched};
pub use fill::{Filling, fill};
pub use html::tokens::Ambiguity;
pub use html::{tag, tokens};
pub use model::warnings::{Warning, WarningCode};
pub use model::{collapse, escape};
pub use pages::{for_visitors, ids, with_whole_addresses, without_form_tags};
pub use read::{MAX_MARKUP_BYTES, ParseError, Parsed, parse};
pub use render::{RenderOptions, render};
pub use sanitize::{sanitize, without_reserved};
