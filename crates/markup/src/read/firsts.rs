//! Looking things up by names that outsiders choose.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::html::growth;
use crate::html::tag::hash;

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
                let order = hash.cmp(of_other);
                order.then_with(|| by_name(*one, *other, &name_of))
            });
    }

    /// The first thing of that name, once they are in order.
    pub(super) fn get<'n>(&self, name: &str, name_of: impl Fn(T) -> Cow<'n, str>) -> Option<T> {
        let wanted = hash(name);
        let first = self.entries.partition_point(|(hash, _)| *hash < wanted);
        let alike = self.entries.get(first..)?;
        // Mostly there is one of that hash.
        let place = match alike.get(1) {
            Some((hash, _)) if *hash == wanted => {
                alike.partition_point(|(hash, thing)| *hash == wanted && *name_of(*thing) < *name)
            }
            _ => 0,
        };
        let (hash, found) = alike.get(place)?;
        (*hash == wanted && name_of(*found) == name).then_some(*found)
    }
}

/// The order of two things whose names have one hash, which is seldom.
#[cold]
fn by_name<'n, T: Copy + Ord>(one: T, other: T, name_of: &impl Fn(T) -> Cow<'n, str>) -> Ordering {
    let order = name_of(one).cmp(&name_of(other));
    order.then_with(|| one.cmp(&other))
}

/// Things by their names, each of which may be looked up while others are added. Hashes tell most names
/// apart sooner than their letters do.
#[derive(Debug)]
pub(super) struct ByName<'n, T>(BTreeMap<(u32, Cow<'n, str>), T>);

impl<T> Default for ByName<'_, T> {
    fn default() -> Self {
        ByName(BTreeMap::new())
    }
}

impl<'n, T: Copy> ByName<'n, T> {
    /// The thing of that name.
    pub(super) fn get(&self, name: &str) -> Option<T> {
        self.0.get(&(hash(name), Cow::Borrowed(name))).copied()
    }

    /// Adds a thing; of the same name the last stays.
    pub(super) fn insert(&mut self, name: Cow<'n, str>, thing: T) {
        self.0.insert((hash(&name), name), thing);
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
