//! This project's own export: `GET /forms/export`.

use serde_json::{Map, Value};

use super::{Draft, MAX_FORMS, text, values};

/// The forms of a file.
pub fn drafts(file: &Value) -> Vec<Draft> {
    let forms = values(file.get("forms"));
    forms.into_iter().take(MAX_FORMS).map(draft).collect()
}

fn draft(form: &Value) -> Draft {
    let object = |name: &str| -> Map<String, Value> {
        let members = form.get(name).and_then(Value::as_object);
        members.cloned().unwrap_or_default()
    };
    Draft {
        title: text(form, "title"),
        slug: text(form, "slug"),
        markup: text(form, "markup"),
        schema: form
            .get("schema")
            .filter(|schema| schema.is_object())
            .cloned(),
        from_schema: text(form, "source") == "schema",
        settings: object("settings"),
        messages: object("messages"),
    }
}
