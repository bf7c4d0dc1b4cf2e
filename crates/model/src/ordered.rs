//! Sorted lists, maps and sets with little code.
//!
//! The standard library compiles its sort for each type, and `collect` sorts the entries of a `BTreeMap`, a
//! `BTreeSet` or a JSON object. That costs five kilobytes of the module per iterator type; for short lists, this
//! is as fast.

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

/// Sorts a list; the sort is stable.
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

/// The positions of a list in their new order.
fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}
