//! The rows of repeating groups that a page shows.

use std::collections::BTreeMap;

use super::file_notes::REMOVED;
use crate::forms::{Field, FormSchema};
use crate::logic::input::Input;
use crate::ordered::Gather;

/// The name of the buttons that add a row.
const ADDED: &str = "_cf_add";

/// Whether the visitor pressed a button that adds or removes a row. The boxes that remove kept files send the same name as
/// the buttons that remove a row.
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

/// Adds the button that Enter presses without script in a form with rows: the first one, which adds no row.
pub fn add_enter_button(html: &mut String, schema: &FormSchema) {
    if schema.fields.iter().any(Field::is_repeat) {
        html.push_str(
            "<button type=\"submit\" class=\"cf-enter\" hidden formnovalidate></button>\n",
        );
    }
}

/// The numbers of the rows by their groups: those that were sent, with one more or less as the visitor asks.
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
