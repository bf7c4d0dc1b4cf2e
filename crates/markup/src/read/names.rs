//! The names of fields: what may be one, and those that are made up.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::fields::Builder;
use super::items::{ItemKind, Items};
use crate::html::text::is_collapsed;
use model::check::MAX_NAME_CHARS;
use model::is_reserved_name;

impl Builder<'_> {
    /// Takes a name for a field that has none; false when it is another's.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        if !self.is_free(name) || self.is_made_up(name) {
            return false;
        }
        let taken = self.taken.get_or_insert_default();
        taken.insert(name.to_owned().into())
    }

    /// Whether no control bears a name, and none was taken.
    fn is_free(&mut self, name: &str) -> bool {
        let taken = self.taken.get_or_insert_with(|| taken_names(&self.items));
        !taken.contains(name)
    }

    /// Whether a name has a number that was used.
    fn is_made_up(&self, name: &str) -> bool {
        let numbered = name.rsplit_once('-').and_then(|(base, number)| {
            let next = *self.made_up.get(base)?;
            let is_used = |used: &u32| used.to_string() == number;
            let number = number.parse().ok().filter(is_used)?;
            Some((first_number(base)..next).contains(&number))
        });
        numbered.unwrap_or(false)
    }

    /// A name that no control bears: `heading-1`, `heading-2` …, but a first `submit`.
    pub(super) fn make_up(&mut self, base: &str) -> String {
        if base == "submit" && self.take_name(base) {
            return base.to_owned();
        }
        let end = base.char_indices().nth(MAX_NAME_CHARS - 10);
        let base = end.and_then(|(end, _)| base.get(..end)).unwrap_or(base);
        let first = first_number(base);
        loop {
            let number = match self.made_up.get_mut(base) {
                Some(next) => {
                    *next += 1;
                    *next - 1
                }
                None => {
                    self.made_up.insert(base.to_owned(), first + 1);
                    first
                }
            };
            let name = format!("{base}-{number}");
            if self.is_free(&name) {
                return name;
            }
        }
    }

    /// Notes the names too that were made up.
    pub(super) fn know_all_names(&mut self) {
        for (index, field) in self.fields.iter().enumerate() {
            if self.field_named(&field.name).is_none() {
                self.names.insert(field.name.clone().into(), index);
            }
        }
    }
}

/// Whether a field can bear the name.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= MAX_NAME_CHARS
        && !name.ends_with("[]")
        && is_collapsed(name)
        && !name.contains('\u{fffd}')
        && !is_reserved_name(name)
}

/// The number of the first name that is made up of a base. Of submit buttons the first has none.
fn first_number(base: &str) -> u32 {
    u32::from(base == "submit") + 1
}

/// A name without the brackets behind it that make its value a list.
pub(super) fn without_brackets(name: Cow<'_, str>) -> Cow<'_, str> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.strip_suffix("[]").unwrap_or(name)),
        Cow::Owned(mut name) => {
            if name.ends_with("[]") {
                name.truncate(name.len() - 2);
            }
            Cow::Owned(name)
        }
    }
}

/// Which part of a base has that name: `city` of `home[city]`.
pub(super) fn part_of<'n>(name: &'n str, base: &str) -> Option<&'n str> {
    name.strip_prefix(base)?
        .strip_prefix('[')?
        .strip_suffix(']')
}

fn taken_names<'a>(items: &Items<'a>) -> BTreeSet<Cow<'a, str>> {
    let mut names = BTreeSet::new();
    for item in &items.list {
        let is_sent = matches!(item.what, ItemKind::Control(_) | ItemKind::Submit);
        let attributes: &[&str] = if is_sent {
            &["name", "data-cf-name"]
        } else {
            &["data-cf-name"]
        };
        for attribute in attributes {
            if let Some(name) = items.attribute(item, attribute) {
                names.insert(without_brackets(name.value()));
            }
        }
    }
    names
}
