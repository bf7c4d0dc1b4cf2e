//! Adds the elements of variants to an author's HTML, as rendering does for visitors' pages: the places of a ranking,
//! the countries of a telephone number, and the column headings of a matrix.

use std::ops::Range;

use crate::edit::outline::{Element, Outline};
use crate::html::edits::Edits;
use crate::html::tag::Tag;
use crate::read::read;
use crate::render::{Part, RenderOptions, part};
use model::Field;

/// HTML without any of these texts has no such variant and stays unchanged.
const MARKS: [&str; 3] = ["data-phone", "data-rank", "cf-matrix"];

/// HTML with one of these texts already has its elements.
const DONE: [&str; 3] = ["cf-country", "cf-places", "cf-heads"];

/// Adds the elements of variants to the fields of a visitor's page.
pub fn with_variants(html: String, options: &RenderOptions) -> String {
    let has = |text: &&str| html.contains(*text);
    if !MARKS.iter().any(has) || DONE.iter().any(has) {
        return html;
    }
    let Ok(read) = read(&html) else { return html };
    let outline = Outline::of(&html);
    let mut edits = Edits::default();
    // The innermost element with this tag around a field's control.
    let around = |offset: u32, tag: Tag| -> Option<Element> {
        let control = outline.at(offset)?;
        let mut around = outline.with_around(&control);
        around.find(|element| element.tag == tag).cloned()
    };
    let mut put = |bytes: Range<usize>, html: String| edits.replace(bytes, html);
    let made = |kind: &Part, field: &Field| part(kind, field, &read.schema, options);
    let fields = || read.schema.fields.iter().zip(&read.places);
    for (field, place) in fields() {
        let offset = place.offset as usize;
        if field.is_ranking() {
            if let Some(set) = around(place.offset, Tag::Fieldset) {
                put(set.span, made(&Part::Ranking, field));
            }
        } else if field.is_phone() {
            // A label labels its first control, so the countries precede the label.
            let at = around(place.offset, Tag::Label).map_or(offset, |label| label.span.start);
            put(at..at, made(&Part::Countries, field));
        } else if field.is_matrix() {
            let first = fields().find(|(row, _)| row.group.as_deref() == Some(&field.name));
            let row = first.and_then(|(_, first)| around(first.offset, Tag::Fieldset));
            if let Some(row) = row.filter(|row| row.span.start > offset) {
                put(row.span.start..row.span.start, made(&Part::Heads, field));
            }
        }
    }
    edits.apply(&html)
}
