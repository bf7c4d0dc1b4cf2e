//! The former names of renamed fields, stored in the schema's `form_settings`. If the markup is the source, they are
//! stored in the form's settings, since HTML cannot contain them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::form::effective_schema;
use super::{FORMER_NAMES, FormSchema, NAMES_TAKEN};
use crate::ordered::Gather;
use crate::store::{Form, Source, StoreError};
use crate::task::Context;
use model::remember_rename;

impl Form {
    /// The stored members that record former names.
    fn former_names(&self) -> Result<Map<String, Value>, StoreError> {
        let schema = match self.source {
            Source::Schema => self.schema()?,
            Source::Markup => None,
        };
        let stored = schema
            .as_ref()
            .map_or(&self.settings, |schema| &schema.form_settings);
        let members = [FORMER_NAMES, NAMES_TAKEN].into_iter();
        let members = members.filter_map(|name| Some((name.to_owned(), stored.get(name)?.clone())));
        Ok(members.gather())
    }

    fn set_former_names(&mut self, members: Map<String, Value>) -> Result<(), StoreError> {
        match (self.source, self.schema()?) {
            (Source::Schema, Some(mut schema)) => {
                schema.form_settings.extend(members);
                self.keep_schema(&schema)
            }
            _ => {
                self.settings.extend(members);
                Ok(())
            }
        }
    }

    /// Records the rename of a field. Keeps the former names of this form and of the form before the change.
    pub fn remember_rename(
        &mut self,
        before: &Form,
        from: &str,
        to: &str,
    ) -> Result<(), StoreError> {
        let mut members = before.former_names()?;
        members.extend(self.former_names()?);
        remember_rename(&mut members, from, to);
        self.set_former_names(members)
    }
}

/// Keeps the former names when a change of the form omits them. Also records which former names other fields use now.
/// `form` already has its new revision.
pub(super) fn keep(cx: &Context, before: &Form, form: &mut Form) -> Result<(), StoreError> {
    // An unreadable stored schema has no former names, and may be replaced.
    let known = before.former_names().unwrap_or_default();
    let mut members = form.former_names().unwrap_or_default();
    let earlier = members.clone();
    for (name, value) in known {
        members.entry(name).or_insert(value);
    }
    if !members.contains_key(FORMER_NAMES) {
        return Ok(());
    }
    let (old, new) = (effective_schema(cx, before)?, schema_of(form)?);
    rename_back(&mut members, &old, &new);
    note_taken(&mut members, &new, form.revision);
    if members == earlier {
        return Ok(());
    }
    form.set_former_names(members)
}

/// The schema of a form that is not stored yet.
fn schema_of(form: &Form) -> Result<FormSchema, StoreError> {
    match (form.source, form.schema()?) {
        (Source::Schema, Some(schema)) => Ok(schema),
        _ => Ok(form.parsed_markup()?.schema),
    }
}

/// Reverses renames when a field has a former name again, for example after the restore of a revision.
fn rename_back(members: &mut Map<String, Value>, old: &FormSchema, new: &FormSchema) {
    let names = |schema: &FormSchema| -> BTreeSet<String> {
        schema
            .all_answer_fields()
            .map(|field| field.name.clone())
            .gather()
    };
    let (had, has) = (names(old), names(new));
    for (former, current) in old.former_names() {
        if has.contains(former) && had.contains(current) && !has.contains(current) {
            remember_rename(members, current, former);
        }
    }
}

/// Records the revision since which another field uses a former name.
fn note_taken(members: &mut Map<String, Value>, new: &FormSchema, revision: i64) {
    let fields = members.get(FORMER_NAMES).and_then(Value::as_object);
    let listed = fields
        .into_iter()
        .flatten()
        .filter_map(|(_, names)| names.as_array());
    let listed: BTreeSet<&str> = listed.flatten().filter_map(Value::as_str).gather();
    let taken = members.get(NAMES_TAKEN).and_then(Value::as_object);
    let is_new =
        |name: &&str| listed.contains(name) && taken.is_none_or(|taken| !taken.contains_key(*name));
    let names = new.all_answer_fields().map(|field| field.name.as_str());
    let mut since = taken.cloned().unwrap_or_default();
    for name in names.filter(is_new) {
        since.insert(name.to_owned(), Value::from(revision));
    }
    since.retain(|name, _| listed.contains(name.as_str()));
    if since.is_empty() {
        members.remove(NAMES_TAKEN);
    } else {
        members.insert(NAMES_TAKEN.to_owned(), Value::Object(since));
    }
}
