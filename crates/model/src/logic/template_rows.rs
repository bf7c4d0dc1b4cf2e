//! The rows of repeating groups in templates.

use serde_json::{Map, Value};

use super::display::rows_text;
use crate::rows::RowGroups;
use crate::unicode::case::lowercase;
use crate::{Field, FormSchema};

/// Finds a field in rows by its name, in upper or lower case, and its answers in all rows.
pub(super) fn values_in_rows<'a>(
    schema: &'a FormSchema,
    groups: &RowGroups<'a>,
    data: &'a Map<String, Value>,
    name: &str,
) -> Option<(&'a Field, Vec<&'a Value>)> {
    let folded = lowercase(name);
    let mut names = groups.keys().copied();
    let exact = groups.get_key_value(name).map(|(name, _)| *name);
    let name = exact.or_else(|| names.find(|known| lowercase(known) == folded))?;
    let values = schema.values_of(groups, name, &|name| data.get(name));
    Some((schema.field(name)?, values))
}

/// The rows of a group as lines, with the names or the labels of the group's fields.
pub(super) fn lines_of_rows(
    columns: &[&Field],
    rows: &[Value],
    by_label: bool,
    text: &dyn Fn(&Field, &Value) -> String,
) -> String {
    rows_text(rows, &|row| {
        let cells = columns.iter().filter_map(|column| {
            let value = row.get(&column.name)?;
            let label = column.plain_label();
            let has_label = by_label && !label.is_empty();
            let title = if has_label {
                label.into_owned()
            } else {
                column.name.clone()
            };
            Some((title, text(column, value)))
        });
        cells.collect()
    })
}
