//! Checking the schemas and fields that clients write (contract, section 3): from JSON to the
//! typed schema with every default filled in, or all faults at once.
//!
//! A schema that passes is in one canonical form, so that it survives being rendered and read
//! again: line breaks are line feeds, whole numbers have no fraction, attributes that a member of
//! the field speaks for are moved to that member, conditions are a list of rules and groups, and
//! positions count from 0.

mod attributes;
mod conditions;
mod field;
mod layout;
mod references;
mod validation;

use serde_json::Value;

use super::condition::Condition;
use super::fault::{At, Fault, FaultCode, Faults};
use super::field::Field;
use super::schema::FormSchema;

pub use conditions::{MAX_DEPTH, MAX_RULES};
pub use field::{MAX_NAME_CHARS, MAX_OPTIONS, MAX_TEXT_CHARS};
pub use layout::MAX_STEPS;
pub use validation::unchecked;

pub(super) use conditions::read_conditions;
pub(super) use references::check_references;

/// The most fields of one schema.
pub const MAX_FIELDS: usize = 10_000;

/// Reads a schema from a request body: `fields` is required; `version`, `layout` and
/// `form_settings` have defaults; other members are ignored. Null is as good as absent, here and in
/// everything below.
pub fn parse_schema(body: &Value) -> Result<FormSchema, Vec<Fault>> {
    let mut faults = Faults::default();
    let mut schema = FormSchema::of(Vec::new());
    let Some(members) = faults.object(body, &At::Root) else {
        return faults.unless_any(schema);
    };

    let given = |name: &str| members.get(name).filter(|value| !value.is_null());
    if let Some(version) = given("version")
        && version.as_u64() != Some(u64::from(FormSchema::VERSION))
    {
        let code = if version.is_number() {
            FaultCode::NotInEnum
        } else {
            FaultCode::InvalidType
        };
        faults.add(&At::Root.member("version"), code, "This must be 1.");
    }
    let fields_at = At::Root.member("fields");
    match given("fields") {
        Some(fields) => schema.fields = parse_fields(fields, &fields_at, &mut faults),
        None => faults.add(
            &fields_at,
            FaultCode::PropertyRequired,
            "A schema needs its fields.",
        ),
    }
    if let Some(value) = given("layout") {
        schema.layout = layout::read_layout(value, &At::Root.member("layout"), &mut faults);
    }
    if let Some(value) = given("form_settings") {
        let at = At::Root.member("form_settings");
        schema.form_settings = faults.object(value, &at).cloned().unwrap_or_default();
    }

    references::check_schema(&schema, &mut faults);
    schema.renumber();
    faults.unless_any(schema)
}

fn parse_fields(value: &Value, at: &At<'_>, faults: &mut Faults) -> Vec<Field> {
    let list = faults.list(value, at, MAX_FIELDS).unwrap_or_default();
    let mut fields = Vec::with_capacity(list.len());
    for (index, value) in list.iter().enumerate() {
        let read = field::read_field(value, &at.item(index), faults);
        // Others may refer to a field that could not be read; the schema is refused anyway.
        let mut field = read.unwrap_or_else(|| named(value));
        // A field without a position stays where the array has it.
        if value.get("position").is_none_or(Value::is_null) {
            field.position = u32::try_from(index).unwrap_or(u32::MAX);
        }
        fields.push(field);
    }
    fields
}

/// Reads conditions that belong to no schema, such as the `conditions` of an action's settings: a
/// list, or `{action, match, rules}`.
pub fn parse_conditions(value: &Value) -> Result<Vec<Condition>, Vec<Fault>> {
    let mut faults = Faults::default();
    let conditions = read_conditions(value, &At::Root, &mut faults);
    faults.unless_any(conditions)
}

/// A field of which no more than its name could be read.
fn named(value: &Value) -> Field {
    let name = value.get("name").and_then(Value::as_str);
    Field {
        name: name.unwrap_or_default().to_owned(),
        ..Field::default()
    }
}

/// Reads one field. References to other fields are not looked at.
pub(super) fn parse_field(body: &Value) -> Result<Field, Vec<Fault>> {
    let mut faults = Faults::default();
    let field = field::read_field(body, &At::Root, &mut faults);
    faults.unless_any(field.unwrap_or_default())
}
