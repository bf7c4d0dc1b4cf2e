//! The API's JSON Schemas: those in `openapi.components.json`, those of settings, which the table of settings
//! describes, and those of parameters.

use serde_json::{Map, Value};

use super::parameters::{Kind, Parameter};
use crate::forms::FieldType;
use crate::forms::slug::MAX_SLUG_CHARS;
use crate::json;
use model::field_kinds::kinds_json;
use model::field_variants::variants_json;
use model::setting_table::setting_schemas;

/// The schemas by component name.
pub(super) fn schemas() -> Map<String, Value> {
    let text = include_str!("openapi.components.json");
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
            "description": "All settings, including defaults.",
            "allOf": [{"$ref": "#/components/schemas/FormSettingsMembers"}],
            "required": shown,
        }),
    );
    schemas.insert(
        "FormSettingsMembers".to_owned(),
        json!({
            "type": "object",
            "additionalProperties": true,
            "description": "The form's settings. Unknown keys are stored for plugins and named in X-CF-Warning.",
            "properties": settings,
        }),
    );
    schemas
}

/// The JSON Schema of a parameter, with its description and its default.
pub(super) fn schema_of(parameter: &Parameter) -> Value {
    let described = json!({"description": parameter.description});
    let schema = json::with(schema_of_kind(parameter.kind), described);
    match parameter.default() {
        Some(default) => json::with(schema, json!({"default": default})),
        None => schema,
    }
}

fn schema_of_kind(kind: Kind) -> Value {
    match kind {
        Kind::Integer(min, i64::MAX) => json!({"type": "integer", "minimum": min}),
        Kind::Integer(min, max) => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Text(max) | Kind::File(max) => {
            json!({"type": "string", "maxLength": max})
        }
        Kind::Line(max) => json!({"type": "string", "minLength": 1, "maxLength": max}),
        Kind::Slug => {
            let pattern = "^([a-z0-9]([a-z0-9_-]*[a-z0-9])?)?$";
            json!({"type": "string", "maxLength": MAX_SLUG_CHARS, "pattern": pattern})
        }
        Kind::Enum(words) => json!({"type": "string", "enum": words}),
        Kind::Date => json!({"type": "string", "format": "date"}),
        Kind::Moment => json!({"type": "string", "format": "date-time"}),
        Kind::Object => json!({"type": "object"}),
        Kind::Texts => json!({"type": "object", "additionalProperties": {"type": "string"}}),
        Kind::Array => json!({"type": "array"}),
        Kind::Ids(max) => {
            let id = json!({"type": "integer", "minimum": 1});
            json!({"type": "array", "items": id, "minItems": 1, "maxItems": max})
        }
        Kind::Any => json!({}),
        Kind::Component(name, _) => json!({"$ref": format!("#/components/schemas/{name}")}),
    }
}
