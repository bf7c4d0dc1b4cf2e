//! The JSON Schemas of the API: the data of `openapi.components.json`, which `build.rs` compacts, and those that the
//! settings' table describes.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::forms::FieldType;
use model::field_kinds::kinds_json;
use model::field_variants::variants_json;
use model::setting_table::setting_schemas;

/// The schemas by the names of their components.
pub(super) static SCHEMAS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let text = include_str!(concat!(env!("OUT_DIR"), "/openapi.components.json"));
    let mut schemas: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let types = FieldType::ALL.map(FieldType::as_str);
    schemas.insert(
        "FieldType".to_owned(),
        json!({
            "type": "string",
            "enum": types,
            "x-cf-kinds": kinds_json(),
            "x-cf-variants": variants_json(),
        }),
    );
    let mut members = schemas.get("Submission").cloned().unwrap_or_default();
    if let Some(members) = members.as_object_mut() {
        members.remove("required");
    }
    schemas.insert("SubmissionMembers".to_owned(), members);
    let settings = setting_schemas();
    let shown: Vec<&String> = settings.keys().collect();
    schemas.insert(
        "FormSettings".to_owned(),
        json!({
            "description": "With every default filled in.",
            "allOf": [{"$ref": "#/components/schemas/FormSettingsMembers"}],
            "required": shown,
        }),
    );
    schemas.insert(
        "FormSettingsMembers".to_owned(),
        json!({
            "type": "object",
            "additionalProperties": true,
            "description": "Other keys belong to plugins: they are stored, and named in X-CF-Warning.",
            "properties": settings,
        }),
    );
    schemas
});

/// The JSON Schema of a component.
pub(super) fn component(name: &str) -> Option<Value> {
    SCHEMAS.get(name).cloned()
}

/// The properties of a component.
pub(super) fn properties(name: &str) -> Map<String, Value> {
    let properties = component(name).and_then(|component| component.get("properties").cloned());
    match properties {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    }
}
