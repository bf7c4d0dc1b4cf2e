//! Collects the rules of a whole form that show or hide some of its fields.

use serde_json::Value;

use super::builder::Builder;
use crate::values::Places;

use super::rules::{any_of_all, conditions};

/// The rules that show or hide fields.
#[derive(Default)]
pub struct Shown {
    places: Places,
    /// The ids of fields, each with the rules that show the field and those that hide it.
    rules: Vec<(String, [Vec<Value>; 2])>,
}

impl Shown {
    /// Adds a rule about a field, unless it repeats the previous rule.
    pub fn add(&mut self, id: &str, is_show: bool, rule: &Value) {
        let place = self.places.get(id).unwrap_or_else(|| {
            self.places.put(id, self.rules.len());
            self.rules.push((id.to_owned(), Default::default()));
            self.rules.len() - 1
        });
        let Some((_, [show, hide])) = self.rules.get_mut(place) else {
            return;
        };
        let list = if is_show { show } else { hide };
        if list.last() != Some(rule) {
            list.push(rule.clone());
        }
    }

    /// Sets the conditions of the fields. A field with rules of both kinds gets none.
    pub fn apply(self, form: &mut Builder<'_>) {
        for (id, [show, hide]) in self.rules {
            let made = match (show.is_empty(), hide.is_empty()) {
                (false, true) => one_of("show", show),
                (true, false) => one_of("hide", hide),
                _ => {
                    let place = form.find(&id).map_or(id.clone(), |item| item.name.clone());
                    form.note("condition", &place, "show, hide");
                    None
                }
            };
            form.show_if(&id, made);
        }
    }
}

/// Conditions of rules, at least one of which must be met. A single group is flattened.
pub fn one_of(action: &str, rules: Vec<Value>) -> Option<Value> {
    let alone = rules.first().filter(|_| rules.len() == 1);
    for mode in ["any", "all"] {
        if let Some(Value::Array(inner)) = alone.and_then(|rule| rule.get(mode)) {
            return conditions(action, mode, inner.clone());
        }
    }
    if rules.len() == 1 {
        return any_of_all(action, vec![rules]);
    }
    conditions(action, "any", rules)
}
