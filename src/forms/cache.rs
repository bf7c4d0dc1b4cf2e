//! The schemas derived from markup, kept by an instance so that a visitor's request parses
//! nothing.

use std::rc::Rc;

use super::FormSchema;

/// How many schemas an instance keeps.
const CAPACITY: usize = 64;

/// The most recently used schemas, by form and revision.
#[derive(Default)]
pub struct SchemaCache {
    /// The most recent last.
    entries: Vec<(i64, i64, Rc<FormSchema>)>,
}

impl SchemaCache {
    /// The schema of a form's revision, if it is kept.
    pub fn get(&mut self, form_id: i64, revision: i64) -> Option<Rc<FormSchema>> {
        let at = self
            .entries
            .iter()
            .position(|(form, own, _)| (*form, *own) == (form_id, revision))?;
        let entry = self.entries.remove(at);
        let schema = Rc::clone(&entry.2);
        self.entries.push(entry);
        Some(schema)
    }

    /// Keeps a schema; of one form only the last revision is kept.
    pub fn put(&mut self, form_id: i64, revision: i64, schema: Rc<FormSchema>) {
        self.entries.retain(|(form, _, _)| *form != form_id);
        if self.entries.len() >= CAPACITY {
            self.entries.remove(0);
        }
        self.entries.push((form_id, revision, schema));
    }
}
