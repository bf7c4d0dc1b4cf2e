//! The texts of pipes for unchecked answers.

use serde_json::{Map, Value};

use super::checked;
use crate::logic::conditions::Settled;
use crate::logic::input::Input;
use crate::logic::piping;
use crate::logic::rows::sent_rows;
use crate::ordered::Gather;
use crate::rows::{in_row, row_name};
use crate::{Field, FormSchema};

/// The texts of a schema's pipes for unchecked answers. Fields that conditions hide have no text.
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
    piping::piped_by(schema, texts_by_key, |field| {
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
    })
}
