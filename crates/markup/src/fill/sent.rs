//! The values to fill in; controls with one name consume them in order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use model::logic::input::field_name;
use model::ordered::Gather;

#[derive(Default)]
pub struct Sent<'f> {
    values: &'f [(String, Vec<String>)],
    /// The index in `values` of a field's values, by the field's name.
    places: BTreeMap<Cow<'f, str>, usize>,
    /// The number of a name's values that previous controls have consumed.
    taken: BTreeMap<String, usize>,
}

impl<'f> Sent<'f> {
    pub fn of(values: &'f [(String, Vec<String>)]) -> Sent<'f> {
        let sent = (0..).zip(values);
        let places = sent.map(|(place, (name, _))| (field_name(name), place));
        Sent {
            values,
            places: places.gather(),
            taken: BTreeMap::new(),
        }
    }

    /// The values submitted under a name.
    pub fn values(&self, name: &str) -> Option<&'f [String]> {
        let (_, values) = self.values.get(*self.places.get(name)?)?;
        Some(values)
    }

    /// The next value of a name that several controls may share, as a slice with one item.
    pub fn next_values(&mut self, name: &str) -> Option<&'f [String]> {
        let values = self.values(name)?;
        let taken = self.taken.entry(name.to_owned()).or_insert(0);
        let value = values.get(*taken..*taken + 1);
        *taken += 1;
        value
    }

    pub fn next_value(&mut self, name: &str) -> Option<&'f str> {
        Some(self.next_values(name)?.first()?)
    }

    /// Skips the next value of a name if it equals `fixed`, the only value that a control can submit.
    pub fn pass_over(&mut self, name: &str, fixed: &str) {
        let taken = self.taken.get(name).copied().unwrap_or_default();
        let next = self.values(name).and_then(|values| values.get(taken));
        if next.is_some_and(|next| next == fixed) {
            self.taken.insert(name.to_owned(), taken + 1);
        }
    }
}
