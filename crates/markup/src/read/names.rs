//! Finds the names of fields, and generates missing names.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::fields::Builder;
use super::items::{ItemKind, Items};
use model::check::MAX_NAME_CHARS;
use model::logic::input::field_name;

impl Builder<'_, '_> {
    /// Reserves a name for a field. Returns false if the name is taken.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let taken = self.taken.get_or_insert_with(|| taken_names(self.items));
        taken.insert(name.to_owned())
    }

    /// Generates a name that no control has: `heading-1`, `heading-2` …; the first button is just `submit`.
    pub(super) fn make_up(&mut self, base: &str) -> String {
        if base == "submit" && self.take_name(base) {
            return base.to_owned();
        }
        let base: String = base.chars().take(MAX_NAME_CHARS - 10).collect();
        let first = usize::from(base == "submit") + 1;
        loop {
            let next = self.made_up.entry(base.clone()).or_insert(first);
            let name = format!("{base}-{next}");
            *next += 1;
            if self.take_name(&name) {
                return name;
            }
        }
    }
}

/// The name of a control's field; see [`field_name`].
pub(super) fn field_name_of(name: Cow<'_, str>) -> Cow<'_, str> {
    match name {
        Cow::Borrowed(name) => field_name(name),
        Cow::Owned(name) => Cow::Owned(field_name(&name).into_owned()),
    }
}

/// The names of all controls, and of the composites that they may be parts of.
fn taken_names(items: &Items<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in &items.list {
        let is_sent = matches!(item.kind, ItemKind::Control(_) | ItemKind::Submit);
        let sent = is_sent.then(|| items.name(item));
        for name in sent.into_iter().chain(items.value(item, "data-cf-name")) {
            let name = field_name(&name);
            names.extend(name.split_once('[').map(|(base, _)| base.to_owned()));
            names.insert(name.into_owned());
        }
    }
    names
}
