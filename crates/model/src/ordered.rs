//! Sorted lists, maps and sets, made with little code.
//!
//! The standard library sorts with code of its own for each type, and `collect` sorts what a
//! `BTreeMap`, a `BTreeSet` or a JSON object is made of: five kilobytes of the module for each iterator
//! that it is given. Where lists are short, this does as well.

use std::cmp::Ordering;

/// Adds [`Gather::gather`] to iterators.
pub trait Gather: Iterator + Sized {
    /// As `collect`, for maps and sets that are kept in order, one entry after another. Of entries
    /// with the same key the last stays.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> Gather for I {}

/// As `sort_by`: what is equal keeps its order.
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

/// The places of a list in their new order.
fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}
