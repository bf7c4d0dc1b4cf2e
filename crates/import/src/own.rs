//! This project's own export: `GET /forms/export`.

use serde_json::{Map, Value};

use super::{Draft, text, values};

/// The forms of a file.
pub fn forms(file: &Value) -> Vec<&Value> {
    values(file.get("forms"))
}

/// The draft of a form.
pub fn draft(form: &Value) -> Draft {
    let object = |name: &str| -> Map<String, Value> {
        let members = form.get(name).and_then(Value::as_object);
        members.cloned().unwrap_or_default()
    };
    Draft {
        title: text(form, "title"),
        slug: text(form, "slug"),
        markup: text(form, "markup"),
        status: text(form, "status"),
        schema: form
            .get("schema")
            .filter(|schema| schema.is_object())
            .cloned(),
        from_schema: text(form, "source") == "schema",
        settings: object("settings"),
        messages: object("messages"),
        ..Draft::default()
    }
}
