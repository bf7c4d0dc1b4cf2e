//! Checks of schemas from clients, and the faults that the clients get.

mod fields;
mod relations;

use cf_forms::forms::check::parse_schema;
use cf_forms::forms::{Fault, FormSchema};
use serde_json::Value;

/// Returns the schema that is stored for a body.
pub fn accepted(body: Value) -> Value {
    let schema = parse_schema(&body).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let stored = serde_json::to_value(&schema).unwrap();
    // An accepted schema is accepted again unchanged, and a stored one can be read.
    assert_eq!(parse_schema(&stored).unwrap(), schema);
    let read: FormSchema = serde_json::from_str(&stored.to_string()).unwrap();
    assert_eq!(read, schema);
    stored
}

/// Returns the faults of a rejected body.
pub fn refused(body: Value) -> Vec<Fault> {
    parse_schema(&body).expect_err(&body.to_string())
}
