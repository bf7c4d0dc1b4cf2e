//! The texts that pipes show for answers that are not validated yet.

use serde_json::{Map, Value};

use super::checked;
use crate::logic::conditions::Settled;
use crate::logic::input::Input;
use crate::logic::piping;
use crate::logic::rows::sent_rows;
use crate::ordered::Gather;
use crate::rows::{in_row, row_name};
use crate::{Field, FormSchema};

/// The texts that a schema's pipes show for the answers in an input. Fields that conditions hide have no text. A
/// field in rows also has a text for each row, under the name of its input in the row.
pub fn piped_input(
    schema: &FormSchema,
    settled: &Settled<'_>,
    input: &Input,
    texts_by_key: &Map<String, Value>,
) -> piping::Piped {
    let groups = schema.row_groups();
    let sent = sent_rows(schema, &groups, input);
    let value_in_row = |column: &Field, group: &Field, index: usize, number: usize| {
        let key = row_name(&group.name, &index.to_string(), &column.name);
        let field = in_row(column, &groups, &group.name, &number.to_string());
        let calculated = settled.calculated.get(&key);
        let value = checked(&field, input, calculated, texts_by_key).0;
        value.filter(|_| !settled.hidden_in_rows.contains(&key))
    };
    let mut piped = piping::piped_by(schema, texts_by_key, |field| {
        let name = field.name.as_str();
        let group = groups.get(name).map_or(name, |group| &group.name);
        if settled.hidden.contains(name) || settled.hidden.contains(group) {
            return None;
        }
        let Some((group, columns, rows)) = sent.iter().find(|(known, ..)| known.name == group)
        else {
            let calculated = settled.calculated.get(name);
            return checked(field, input, calculated, texts_by_key).0;
        };
        let numbers = rows.numbers.iter().enumerate();
        let values = numbers.filter_map(|(index, number)| {
            if !field.is_repeat() {
                return value_in_row(field, group, index, *number);
            }
            let members = columns.iter().filter_map(|column| {
                let value = value_in_row(column, group, index, *number)?;
                Some((column.name.clone(), value))
            });
            Some(Value::Object(members.gather()))
        });
        Some(values.collect())
    });
    if piped.is_empty() {
        return piped;
    }
    let shows_group = |group: &Field| !settled.hidden.contains(group.name.as_str());
    for (group, columns, rows) in sent.iter().filter(|(group, ..)| shows_group(group)) {
        for (index, number) in rows.numbers.iter().enumerate() {
            for column in columns {
                let field = in_row(column, &groups, &group.name, &number.to_string());
                let value = value_in_row(column, group, index, *number);
                piping::set_piped(&mut piped, &field, value.as_ref(), texts_by_key);
            }
        }
    }
    piped
}
