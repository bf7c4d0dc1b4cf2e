//! The rows of repeating groups that a page shows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::file_notes::REMOVED;
use crate::forms::{Field, FormSchema};
use crate::logic::input::Input;
use crate::markup::escape::escaped;
use crate::ordered::Gather;
use model::markers::{ROW, ROWS};

/// The name of the buttons that add a row.
const ADDED: &str = "_cf_add";

/// Whether the visitor pressed a button that adds or removes a row. The checkboxes that remove kept files have the same
/// name as the buttons that remove a row.
pub fn changes_rows(schema: &FormSchema, sent: &Input) -> bool {
    let mut repeated = schema.fields.iter().filter(|field| field.is_repeat());
    repeated.any(|group| adds_row(group, sent) || removed_row(group, sent).is_some())
}

fn adds_row(group: &Field, sent: &Input) -> bool {
    sent.value(ADDED) == Some(&group.name)
}

/// The number of the row that the visitor removes from a group.
fn removed_row(group: &Field, sent: &Input) -> Option<usize> {
    let values = sent.all(REMOVED).unwrap_or_default();
    values.iter().find_map(|value| {
        let (of, number) = value.rsplit_once('.')?;
        number.parse().ok().filter(|_| of == group.name)
    })
}

/// Adds a hidden first button to a form with rows. Without script, Enter presses the first button, which must not add a
/// row.
pub fn add_enter_button(html: &mut String, schema: &FormSchema) {
    if schema.fields.iter().any(Field::is_repeat) {
        html.push_str(
            "<button type=\"submit\" class=\"cf-enter\" hidden formnovalidate></button>\n",
        );
    }
}

/// The sent answers without those of the row that the visitor removes.
pub fn remaining<'i>(schema: &FormSchema, sent: &'i Input) -> Cow<'i, Input> {
    let mut repeated = schema.fields.iter().filter(|field| field.is_repeat());
    let removed = repeated.find_map(|group| Some((group, removed_row(group, sent)?)));
    match removed {
        Some((group, number)) => Cow::Owned(sent.without_row(&group.name, number)),
        None => Cow::Borrowed(sent),
    }
}

/// The fields with the focus on the row that the visitor added, or after a removal on the button that adds rows. Else
/// the page would open at its top, and the visitor would look for the row.
pub fn focus_changed_row<'h>(schema: &FormSchema, sent: &Input, fields: &'h str) -> Cow<'h, str> {
    let mut repeated = schema.fields.iter().filter(|field| field.is_repeat());
    let place = repeated.find_map(|group| {
        let rows = [ROWS, "=\"", &escaped(&group.name), "\""].concat();
        let start = fields.find(&rows)?;
        let (element, attributes) = if adds_row(group, sent) {
            let numbers = shown_rows(schema, sent);
            let number = numbers.get(&group.name)?.last()?;
            (format!("{ROW}=\"{number}\""), " tabindex=\"-1\" autofocus")
        } else {
            removed_row(group, sent)?;
            (format!("name=\"{ADDED}\""), " autofocus")
        };
        let at = fields.get(start..)?.find(&element)?;
        Some((start + at + element.len(), attributes))
    });
    let Some((place, attributes)) = place else {
        return Cow::Borrowed(fields);
    };
    let (before, after) = fields.split_at_checked(place).unwrap_or((fields, ""));
    Cow::Owned([before, attributes, after].concat())
}

/// The row numbers by group: those that were sent, with one row added or removed as the visitor requested.
pub fn shown_rows(schema: &FormSchema, sent: &Input) -> BTreeMap<String, Vec<usize>> {
    let repeated = schema.fields.iter().filter(|field| field.is_repeat());
    let rows = repeated.map(|group| {
        let (min, max) = group.row_limits();
        let mut numbers = sent.row_numbers(&group.name);
        let removed = removed_row(group, sent);
        if removed.is_some_and(|_| numbers.len() > min) {
            numbers.retain(|number| Some(*number) != removed);
        }
        let more = usize::from(adds_row(group, sent));
        let least = (min.max(usize::from(removed.is_none())).max(numbers.len()) + more).min(max);
        let next = numbers.last().map_or(0, |last| last + 1);
        let missing = least.saturating_sub(numbers.len());
        numbers.extend((next..).take(missing));
        (group.name.clone(), numbers.into_iter().take(max).collect())
    });
    rows.gather()
}
