//! What clients may write as a schema, and what they are told about what they may not.

mod fields;
mod relations;

use cf_forms::forms::check::parse_schema;
use cf_forms::forms::{Fault, FormSchema};
use serde_json::Value;

/// The schema that is stored for a body.
pub fn accepted(body: Value) -> Value {
    let schema = parse_schema(&body).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let stored = serde_json::to_value(&schema).unwrap();
    // What was accepted once is accepted again, unchanged; and what was stored can be read.
    assert_eq!(parse_schema(&stored).unwrap(), schema);
    let read: FormSchema = serde_json::from_str(&stored.to_string()).unwrap();
    assert_eq!(read, schema);
    stored
}

/// The faults of a body.
pub fn refused(body: Value) -> Vec<Fault> {
    parse_schema(&body).expect_err(&body.to_string())
}
