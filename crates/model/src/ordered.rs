//! Sorts lists, and collects into sorted maps and sets, with little code.
//!
//! The standard library compiles its sort again for each type. `collect` into a `BTreeMap`, a `BTreeSet` or a JSON
//! object sorts too, which adds 5 KB to the module for each type of iterator. For short lists, the functions here are
//! as fast.

use std::cmp::Ordering;

/// Adds [`Gather::gather`] to iterators.
pub trait Gather: Iterator + Sized {
    /// Collects into a sorted map or set, one entry after another. For equal keys the last entry wins.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> Gather for I {}

/// Sorts a list. The sort is stable.
pub fn sort_by<T>(list: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let places = places(
        list.len(),
        &|one, other| match (list.get(one), list.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        },
    );
    let mut items: Vec<Option<T>> = std::mem::take(list).into_iter().map(Some).collect();
    list.extend(
        places
            .into_iter()
            .filter_map(|place| items.get_mut(place)?.take()),
    );
}

/// The positions of a list's items in sorted order.
fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}
