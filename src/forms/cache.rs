//! What is made of a form's markup, kept by an instance so that a visitor's request parses nothing.

use std::rc::Rc;

/// How many forms an instance keeps it for.
const CAPACITY: usize = 64;

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
    /// What is kept for a form's revision.
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

    /// Keeps something; of one form only for the last revision.
    pub fn put(&mut self, form_id: i64, revision: i64, made: Rc<T>) {
        self.entries.retain(|(form, _, _)| *form != form_id);
        if self.entries.len() >= CAPACITY {
            self.entries.remove(0);
        }
        self.entries.push((form_id, revision, made));
    }
}
