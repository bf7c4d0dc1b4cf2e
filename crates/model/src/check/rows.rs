//! Checks repeating groups: the number of their rows, and the fields in them.

use std::collections::BTreeMap;

use super::super::fault::{At, FaultCode, Faults};
use super::super::field::Field;
use super::super::schema::FormSchema;
use crate::rows::{MAX_ROW_FIELDS, MAX_ROWS, REPEAT, RowGroups};

/// Checks a field that is a repeating group or inside one, and a name that a group's rows send.
pub(super) fn check_rows(
    field: &Field,
    schema: &FormSchema,
    positions: &BTreeMap<&str, usize>,
    groups: &RowGroups<'_>,
    at: &At<'_>,
    faults: &Faults,
) {
    let attributes_at = at.member("attributes");
    let add = |message: String| {
        faults.add(
            &attributes_at.member(REPEAT),
            FaultCode::OutOfBounds,
            message,
        );
    };
    let group = groups.get(field.name.as_str());
    if field.is_repeat() {
        let (_, max) = field.validation.bounds();
        #[expect(clippy::cast_precision_loss, reason = "a small constant")]
        let most = MAX_ROWS as f64;
        if max.is_some_and(|max| max > most) {
            add(format!("A repeating group has at most {MAX_ROWS} rows."));
        }
        if group.is_some() {
            add("A repeating group can’t be in another one.".to_owned());
        }
        let columns = groups.values().filter(|group| group.name == field.name);
        if columns.count() * field.row_limits().1 > MAX_ROW_FIELDS {
            add(format!(
                "All rows together have at most {MAX_ROW_FIELDS} fields."
            ));
        }
    } else if group.is_some() && field.kind.takes_files() {
        let message = "Files can’t be in a repeating group.";
        faults.add(&at.member("group"), FaultCode::InvalidParam, message);
    }
    let base = field.name.split_once('[').map(|(base, _)| base);
    let position = base.and_then(|base| positions.get(base));
    let base = position.and_then(|position| schema.fields.get(*position));
    if let Some(base) = base.filter(|base| base.is_repeat()) {
        let message = format!("The rows of the group `{}` send this name.", base.name);
        faults.add(&at.member("name"), FaultCode::DuplicateItems, message);
    }
}
