//! Updates expressions when fields that they read are renamed or deleted.

use super::fields::{EXPRESSIONS, expressions, names, takes};
use super::syntax::Node;
use crate::logic::holds::SEATS_BY;
use crate::{Field, FormSchema};

/// Whether a field's expressions, or its number of seats, read another field.
pub fn refers(field: &Field, name: &str, schema: &FormSchema) -> bool {
    if field.attributes.get(SEATS_BY).is_some_and(|by| by == name) {
        return true;
    }
    let trees = expressions(field);
    let mut read = trees.iter().flat_map(|(_, tree)| tree).flat_map(names);
    read.any(|read| part_of(read, name, schema).is_some())
}

/// The part of a field that a name in an expression reads; empty for the whole field. `None` for the name of another
/// field.
fn part_of<'n>(read: &'n str, field: &str, schema: &FormSchema) -> Option<&'n str> {
    if read == field {
        return Some("");
    }
    let (_, part) = read.rsplit_once('.').filter(|(base, _)| *base == field)?;
    schema.field(read).is_none().then_some(part)
}

/// Renames a field in the expressions of a schema; if `to` is `None`, replaces the field by an empty text. [`SEATS_BY`]
/// gets the new name too, or is removed. `before` is the schema in which the field still has its old name.
pub fn refer_to(schema: &mut FormSchema, before: &FormSchema, from: &str, to: Option<&str>) {
    let change = |name: &str| {
        Some(match (to, part_of(name, from, before)?) {
            (None, _) => "''".to_owned(),
            (Some(to), "") => Node::written(to),
            (Some(to), part) => [&Node::written(to), ".", part].concat(),
        })
    };
    for field in &mut schema.fields {
        if field.attributes.get(SEATS_BY).is_some_and(|by| by == from) {
            match to {
                Some(to) => field.attributes.insert(SEATS_BY.to_owned(), to.to_owned()),
                None => field.attributes.remove(SEATS_BY),
            };
        }
        let kind = field.kind;
        for attribute in EXPRESSIONS
            .into_iter()
            .filter(|attribute| takes(kind, attribute))
        {
            if let Some(text) = field.attributes.get_mut(attribute) {
                *text = Node::with_names(text, &change);
            }
        }
    }
}
