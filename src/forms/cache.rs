//! Caches of forms. Values derived from a form, such as its schema, are cached so that requests need not parse it
//! again. Forms are cached so that a submit needs no query for its form.

use std::rc::Rc;

use super::Form;

/// Limit on the forms in each cache of an instance.
const MAX_ENTRIES: usize = 64;

/// Limit on the bytes of a cached form's markup and schema: 16 MB for all forms.
const MAX_CACHED_BYTES: usize = 256 * 1024;

/// An LRU cache of values derived from forms, by form and revision.
pub struct RevisionCache<T> {
    /// The entries, the most recently used last.
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
        let at = self.entries.iter().position(|(form, cached_revision, _)| {
            (*form, *cached_revision) == (form_id, revision)
        })?;
        let entry = self.entries.remove(at);
        let value = Rc::clone(&entry.2);
        self.entries.push(entry);
        Some(value)
    }

    /// Caches a value, and drops the values of the form's other revisions.
    pub fn put(&mut self, form_id: i64, revision: i64, value: Rc<T>) {
        self.entries.retain(|(form, _, _)| *form != form_id);
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push((form_id, revision, value));
    }
}

/// The cached forms by slug; `None` for a form too large to cache. Callers must verify in the database that a form's
/// revision is still current.
#[derive(Default)]
pub struct CachedForms(Vec<(String, Option<Rc<Form>>)>);

impl CachedForms {
    /// Returns the cached form with a slug.
    pub fn get(&self, slug: &str) -> Option<Rc<Form>> {
        let cached = self.0.iter().find(|(cached_slug, _)| cached_slug == slug);
        cached?.1.clone()
    }

    /// Caches a form, unless its markup and schema are too long.
    pub fn put(&mut self, form: &Form) {
        let schema = form.stored_schema.as_ref().map_or(0, String::len);
        let is_short = form.markup.len() + schema <= MAX_CACHED_BYTES;
        let is_cached =
            |cached: &Rc<Form>| cached.id == form.id && cached.revision == form.revision;
        if self.get(&form.slug).as_ref().is_some_and(is_cached) {
            return;
        }
        self.0.retain(|(slug, _)| *slug != form.slug);
        if self.0.len() >= MAX_ENTRIES {
            self.0.clear();
        }
        let cached = is_short.then(|| Rc::new(form.clone()));
        self.0.push((form.slug.clone(), cached));
    }
}
