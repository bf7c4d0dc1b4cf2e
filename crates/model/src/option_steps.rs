//! The difference between two lists of options.

use super::field::FieldOption;

/// The change of an option, with its positions in the old and the new list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An option stays, with its value or with another one.
    Update(usize, usize),
    /// An option is removed.
    Remove(usize),
    /// An option is added.
    Insert(usize),
}

/// The steps that turn one list of options into another; `None` if the remaining options change their order.
pub fn steps(from: &[FieldOption], to: &[FieldOption]) -> Option<Vec<Step>> {
    let is_in = |list: &[FieldOption], option: &FieldOption| {
        list.iter().any(|other| other.value == option.value)
    };
    let (mut old, mut new, mut steps) = (0, 0, Vec::new());
    loop {
        let (mut goes, mut comes) = (false, false);
        match (from.get(old), to.get(new)) {
            (None, None) => return Some(steps),
            (Some(one), Some(other)) if one.value == other.value => (goes, comes) = (true, true),
            (one, other) => {
                goes |= one.is_some_and(|one| !is_in(to, one));
                comes |= other.is_some_and(|other| !is_in(from, other));
            }
        }
        steps.push(match (goes, comes) {
            (true, true) => Step::Update(old, new),
            (true, false) => Step::Remove(old),
            (false, true) => Step::Insert(new),
            (false, false) => return None,
        });
        old += usize::from(goes);
        new += usize::from(comes);
    }
}
