//! Looking things up by names that outsiders choose.

use std::borrow::Cow;

use crate::markup::html::tag::hash;

/// Values by name, of which the first of each name counts. Gathering them costs next to nothing;
/// they are put in order once, before the first is looked up.
#[derive(Debug)]
pub(super) struct Firsts<'a, V> {
    entries: Vec<Entry<'a, V>>,
}

/// Numbers are compared sooner than names; names that share a number are compared too.
#[derive(Debug)]
struct Entry<'a, V> {
    hash: u32,
    name: Cow<'a, str>,
    value: V,
}

impl<V> Default for Firsts<'_, V> {
    fn default() -> Self {
        Firsts {
            entries: Vec::new(),
        }
    }
}

impl<'a, V> Firsts<'a, V> {
    pub(super) fn add(&mut self, name: impl Into<Cow<'a, str>>, value: V) {
        let name = name.into();
        let hash = hash(&name);
        self.entries.push(Entry { hash, name, value });
    }

    /// Ends the gathering.
    pub(super) fn sort(&mut self) {
        let order = |one: &Entry<'_, V>, other: &Entry<'_, V>| one.key().cmp(&other.key());
        self.entries.sort_by(order);
    }

    /// The first value of that name, once they are in order.
    pub(super) fn get(&self, name: &str) -> Option<&V> {
        let wanted = (hash(name), name);
        let place = self.entries.partition_point(|entry| entry.key() < wanted);
        let found = self.entries.get(place)?;
        (found.key() == wanted).then_some(&found.value)
    }
}

impl<V> Entry<'_, V> {
    fn key(&self) -> (u32, &str) {
        (self.hash, &self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::Firsts;

    #[test]
    fn the_first_of_a_name_counts() {
        let mut firsts = Firsts::default();
        for (name, value) in [("b", 1), ("a", 2), ("b", 3), ("", 4)] {
            firsts.add(name, value);
        }
        firsts.sort();
        let found = ["a", "b", "", "c"].map(|name| firsts.get(name).copied());
        assert_eq!(found, [Some(2), Some(1), Some(4), None]);
    }
}
