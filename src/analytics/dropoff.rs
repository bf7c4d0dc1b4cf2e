//! Where visitors give up.

use serde::Serialize;

use super::{Counted, count_of};
use crate::forms::FormSchema;
use model::analytics::metrics::{FIELD_ABANDON, FIELD_INTERACTION, rate};

/// What visitors did with a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldDropoff {
    /// The field.
    pub field_name: String,
    /// What visitors see; the name where it has none.
    pub label: String,
    /// Visits in which it got input.
    pub interactions: i64,
    /// Visits that ended with it: it was touched last, and nothing was sent.
    pub drop_offs: i64,
    /// Drop-offs of interactions, in percent.
    pub drop_off_rate: f64,
}

/// The fields that take answers, in the order of the schema.
pub fn dropoff(schema: &FormSchema, counted: &[Counted]) -> Vec<FieldDropoff> {
    schema
        .answer_fields()
        .map(|field| {
            let interactions = count_of(counted, FIELD_INTERACTION, &field.name);
            let drop_offs = count_of(counted, FIELD_ABANDON, &field.name);
            let label = if field.label.is_empty() {
                &field.name
            } else {
                &field.label
            };
            FieldDropoff {
                field_name: field.name.clone(),
                label: label.clone(),
                interactions,
                drop_offs,
                drop_off_rate: rate(drop_offs, interactions),
            }
        })
        .collect()
}
