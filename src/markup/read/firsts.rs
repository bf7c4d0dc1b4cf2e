//! Looking things up by names that outsiders choose.

use crate::markup::html::growth;
use crate::markup::html::tag::hash;

/// Values by name, of which the first of each name counts. Gathering them costs next to nothing;
/// they are put in order once, before the first is looked up.
#[derive(Debug)]
pub(super) struct Firsts<N, V> {
    entries: Vec<Entry<N, V>>,
}

/// Numbers are compared sooner than names; names that share a number are compared too.
#[derive(Debug)]
struct Entry<N, V> {
    hash: u32,
    /// How many came before it.
    place: u32,
    name: N,
    value: V,
}

impl<N, V> Default for Firsts<N, V> {
    fn default() -> Self {
        Firsts {
            entries: Vec::new(),
        }
    }
}

impl<N: AsRef<str>, V> Firsts<N, V> {
    /// Adds a value that stands in a document of `length` bytes of which `read` are read.
    pub(super) fn add(&mut self, name: N, value: V, read: usize, length: usize) {
        let entry = Entry {
            hash: hash(name.as_ref()),
            place: super::items::index(self.entries.len()),
            name,
            value,
        };
        growth::push(&mut self.entries, entry, read, length);
    }

    /// Ends the gathering.
    pub(super) fn sort(&mut self) {
        self.entries.sort_unstable_by(|one, other| {
            let order = one.key().cmp(&other.key());
            order.then(one.place.cmp(&other.place))
        });
    }

    /// The first value of that name, once they are in order.
    pub(super) fn get(&self, name: &str) -> Option<&V> {
        let wanted = (hash(name), name);
        let place = self.entries.partition_point(|entry| entry.key() < wanted);
        let found = self.entries.get(place)?;
        (found.key() == wanted).then_some(&found.value)
    }
}

impl<N: AsRef<str>, V> Entry<N, V> {
    fn key(&self) -> (u32, &str) {
        (self.hash, self.name.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::Firsts;

    #[test]
    fn the_first_of_a_name_counts() {
        let mut firsts = Firsts::default();
        for (name, value) in [("b", 1), ("a", 2), ("b", 3), ("", 4)] {
            firsts.add(name, value, 0, 0);
        }
        firsts.sort();
        let found = ["a", "b", "", "c"].map(|name| firsts.get(name).copied());
        assert_eq!(found, [Some(2), Some(1), Some(4), None]);
    }
}
