//! Updates pipes when their fields are renamed, deleted, or rendered in a row.

use super::piping::{Pipe, PipeNames, change_field, change_texts, pipe_name, texts_of_field};
use crate::{Field, FormSchema};

/// Renames fields in the pipes of one field's texts. `renamed` returns the new name of a field, or `None` to keep the
/// name.
pub fn rename_in(
    names: &PipeNames<'_>,
    field: &mut Field,
    renamed: &dyn Fn(&str) -> Option<String>,
) {
    change_field(field, &|text| {
        if text.contains('[') {
            *text = names.replaced(text, &|pipe| match renamed(&pipe.field.name) {
                None => pipe.written.to_owned(),
                Some(name) => written_pipe(&name, pipe),
            });
        }
    });
}

/// Writes a pipe with a new name for its field.
fn written_pipe(name: &str, pipe: &Pipe<'_, '_>) -> String {
    let name = pipe_name(name, pipe.part);
    match pipe.words {
        "" => ["[", &name, "]"].concat(),
        words => ["[", &name, "|", words, "]"].concat(),
    }
}

/// The names of the fields, and the ids of the steps, whose texts contain a pipe of a field.
pub fn users_of(schema: &FormSchema, name: &str) -> Vec<String> {
    let names = PipeNames::all(schema);
    let uses = |text: &String| names.pipes(text).iter().any(|pipe| pipe.field.name == name);
    let users = schema.fields.iter();
    let users = users.filter(|field| field.name != name && texts_of_field(field).any(uses));
    let steps = schema.layout.steps.iter().flatten();
    let steps = steps.filter(|step| uses(&step.title));
    let users = users.map(|field| field.name.clone());
    users.chain(steps.map(|step| step.id.clone())).collect()
}

/// Renames a field in the pipes of a schema; if `to` is `None`, replaces its pipes by their fallback words. `before`
/// is the schema in which the field still has its old name.
pub fn refer_to(schema: &mut FormSchema, before: &FormSchema, from: &str, to: Option<&str>) {
    let names = PipeNames::all(before);
    change_texts(schema, &|text| {
        if !text.contains('[') {
            return;
        }
        *text = names.replaced(text, &|pipe| match (to, pipe.words) {
            _ if pipe.field.name != from => pipe.written.to_owned(),
            (None, words) => words.to_owned(),
            (Some(to), _) => written_pipe(to, pipe),
        });
    });
}
