//! The rows of repeating groups that a page shows.

use std::collections::BTreeMap;

use crate::forms::{Field, FormSchema};
use crate::logic::input::Input;
use crate::ordered::Gather;

/// The inputs of the buttons that add and remove a row.
pub const ADD_ROW_AND_REMOVE: [&str; 2] = ["_cf_add", "_cf_remove"];

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
        let [added, removed] = ADD_ROW_AND_REMOVE.map(|name| sent.value(name));
        let removed = removed.and_then(|value| {
            let (of, number) = value.rsplit_once('.')?;
            number.parse::<usize>().ok().filter(|_| of == group.name)
        });
        if removed.is_some_and(|_| numbers.len() > min) {
            numbers.retain(|number| Some(*number) != removed);
        }
        let more = usize::from(added == Some(&group.name));
        let least = (min.max(usize::from(removed.is_none())).max(numbers.len()) + more).min(max);
        let next = numbers.last().map_or(0, |last| last + 1);
        let missing = least.saturating_sub(numbers.len());
        numbers.extend((next..).take(missing));
        (group.name.clone(), numbers.into_iter().take(max).collect())
    });
    rows.gather()
}
