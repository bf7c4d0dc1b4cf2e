//! Caches of forms: what is made of their markup, so that a visitor's request parses nothing, and
//! forms as they were read last, so that a submit reads nothing.

use std::rc::Rc;

use super::Form;

/// How many forms an instance keeps it for.
const CAPACITY: usize = 64;

/// The longest markup and schema, in bytes together, of a form that is held: 16 MB for all of them.
const MAX_HELD_BYTES: usize = 256 * 1024;

/// The most recently used schemas or markups, by form and revision.
pub struct RevisionCache<T> {
    /// The most recent last.
    entries: Vec<(i64, i64, Rc<T>)>,
}

impl<T> Default for RevisionCache<T> {
    fn default() -> RevisionCache<T> {
        let entries = Vec::new();
        RevisionCache { entries }
    }
}

impl<T> RevisionCache<T> {
    /// Returns the cached value of a form's revision.
    pub fn get(&mut self, form_id: i64, revision: i64) -> Option<Rc<T>> {
        let at = self
            .entries
            .iter()
            .position(|(form, own, _)| (*form, *own) == (form_id, revision))?;
        let entry = self.entries.remove(at);
        let kept = Rc::clone(&entry.2);
        self.entries.push(entry);
        Some(kept)
    }

    /// Caches a value; of one form only for the last revision.
    pub fn put(&mut self, form_id: i64, revision: i64, made: Rc<T>) {
        self.entries.retain(|(form, _, _)| *form != form_id);
        if self.entries.len() >= CAPACITY {
            self.entries.remove(0);
        }
        self.entries.push((form_id, revision, made));
    }
}

/// Forms as they were read last, by their slugs. What follows from one counts only if the database says
/// that it still has its revision.
#[derive(Default)]
pub struct HeldForms(Vec<(String, Option<Rc<Form>>)>);

impl HeldForms {
    /// Returns the form of a slug, as it was read last.
    pub fn get(&self, slug: &str) -> Option<Rc<Form>> {
        let held = self.0.iter().find(|(own, _)| own == slug);
        held?.1.clone()
    }

    /// Keeps a form, unless it is so long that copies of it would cost more than reading it.
    pub fn put(&mut self, form: &Form) {
        let schema = form.stored_schema.as_ref().map_or(0, String::len);
        let is_short = form.markup.len() + schema <= MAX_HELD_BYTES;
        let is_held = |held: &Rc<Form>| held.id == form.id && held.revision == form.revision;
        if self.get(&form.slug).as_ref().is_some_and(is_held) {
            return;
        }
        self.0.retain(|(slug, _)| *slug != form.slug);
        if self.0.len() >= CAPACITY {
            self.0.clear();
        }
        let held = is_short.then(|| Rc::new(form.clone()));
        self.0.push((form.slug.clone(), held));
    }
}
