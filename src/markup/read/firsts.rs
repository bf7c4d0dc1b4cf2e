//! Looking things up by names that outsiders choose.

use std::borrow::Cow;

use crate::markup::html::growth;
use crate::markup::html::tag::hash;

/// Things by their names, of which the first of each name counts. Gathering them costs next to
/// nothing: of a name its hash is kept, and the name is asked for again where two hashes are one.
/// They are put in order once, before the first is looked up.
#[derive(Debug)]
pub(super) struct Firsts<T> {
    entries: Vec<(u32, T)>,
}

impl<T> Default for Firsts<T> {
    fn default() -> Self {
        Firsts {
            entries: Vec::new(),
        }
    }
}

impl<T: Copy + Ord> Firsts<T> {
    /// Adds a thing that stands in a document of `length` bytes of which `read` are read.
    pub(super) fn add(&mut self, name: &str, thing: T, read: usize, length: usize) {
        growth::push(&mut self.entries, (hash(name), thing), read, length);
    }

    /// Ends the gathering. The least of the things that share a name is the first.
    pub(super) fn sort<'n>(&mut self, name_of: impl Fn(T) -> Cow<'n, str>) {
        self.entries
            .sort_unstable_by(|(hash, one), (of_other, other)| {
                let by_name = || name_of(*one).cmp(&name_of(*other));
                let order = hash.cmp(of_other).then_with(by_name);
                order.then_with(|| one.cmp(other))
            });
    }

    /// The first thing of that name, once they are in order.
    pub(super) fn get<'n>(&self, name: &str, name_of: impl Fn(T) -> Cow<'n, str>) -> Option<T> {
        let wanted = hash(name);
        let is_before = |(hash, thing): &(u32, T)| {
            *hash < wanted || (*hash == wanted && *name_of(*thing) < *name)
        };
        let place = self.entries.partition_point(is_before);
        let (hash, found) = self.entries.get(place)?;
        (*hash == wanted && name_of(*found) == name).then_some(*found)
    }
}

#[cfg(test)]
mod tests {
    use super::Firsts;

    #[test]
    fn the_first_of_a_name_counts() {
        let names = ["b", "a", "b", ""];
        let name_of = |place: usize| names[place].into();
        let mut firsts = Firsts::default();
        for place in [2, 3, 0, 1] {
            firsts.add(names[place], place, 0, 0);
        }
        firsts.sort(name_of);
        let found = ["a", "b", "", "c"].map(|name| firsts.get(name, name_of));
        assert_eq!(found, [Some(1), Some(0), Some(3), None]);
    }
}
