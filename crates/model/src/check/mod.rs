//! Checks the schemas and fields that clients send as JSON (contract, section 3). The result is the typed schema with
//! every default filled in, or a list of all faults.
//!
//! A valid schema has one canonical form, so that it survives being rendered and read again. Line breaks are line
//! feeds, and integers have no fraction. An attribute that corresponds to a member of fields is moved to that member.
//! Conditions are a list of rules and groups, and positions count from 0.

mod attributes;
mod calculations;
mod conditions;
mod field;
mod layout;
mod references;
mod rows;
mod validation;

use serde_json::Value;

use super::condition::Condition;
use super::fault::{Fault, FaultCode};
use super::field::Field;
use super::given::{Given, read_document};
use super::schema::FormSchema;

pub use super::field::{MAX_NAME_CHARS, MAX_TEXT_CHARS};
pub use conditions::{MAX_DEPTH, MAX_RULES};
pub use field::{MAX_OPTIONS, is_name};
pub use layout::MAX_STEPS;
pub use validation::unchecked;

pub(super) use conditions::read_conditions;
pub(super) use references::check_references;

/// The maximum number of fields of one schema.
pub const MAX_FIELDS: usize = 10_000;

/// Reads a schema from a request body: `fields` is required; `version`, `layout` and `form_settings` have
/// defaults; other members are ignored. Null counts as absent, here and at any depth.
pub fn parse_schema(body: &Value) -> Result<FormSchema, Vec<Fault>> {
    read_document(body, |given| {
        let mut schema = FormSchema::of(Vec::new());
        if given.object().is_none() {
            return schema;
        }
        if let Some(version) = given.member("version")
            && version.value.as_u64() != Some(u64::from(FormSchema::VERSION))
        {
            let code = if version.value.is_number() {
                FaultCode::NotInEnum
            } else {
                FaultCode::InvalidType
            };
            version.fault(code, "This must be 1.");
        }
        if let Some(fields) = given.needed("fields", "A schema needs its fields.") {
            let fields = fields.items(MAX_FIELDS).enumerate();
            schema.fields = fields
                .map(|(index, field)| field_at(index, &field))
                .collect();
        }
        if let Some(layout) = given.member("layout") {
            schema.layout = layout::read_layout(&layout);
        }
        if let Some(settings) = given.member("form_settings") {
            schema.form_settings = settings.object().cloned().unwrap_or_default();
        }
        references::check_schema(&schema, given.faults);
        schema.renumber();
        schema
    })
}

/// Reads one of a schema's fields. The default position is the index in the array.
fn field_at(index: usize, given: &Given<'_>) -> Field {
    let name = given.value.get("name").and_then(Value::as_str);
    // An invalid field keeps its name, so that references to it are not reported as further faults.
    let mut field = field::read_field(given).unwrap_or_else(|| Field {
        name: name.unwrap_or_default().to_owned(),
        ..Field::default()
    });
    if given.member("position").is_none() {
        field.position = u32::try_from(index).unwrap_or(u32::MAX);
    }
    field
}

/// Reads conditions outside a schema, such as the `conditions` of an action's settings: a list, a single rule or group,
/// or `{action, match, rules}`.
pub fn parse_conditions(value: &Value) -> Result<Vec<Condition>, Vec<Fault>> {
    read_document(value, read_conditions)
}

/// Reads one field. References to other fields are not checked.
pub(super) fn parse_field(body: &Value) -> Result<Field, Vec<Fault>> {
    read_document(body, |given| field::read_field(given).unwrap_or_default())
}
