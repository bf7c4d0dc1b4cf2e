//! The routes of a schema's fields (specification, "Fields").

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use super::author::Author;
use super::form_warnings::with_unchecked;
use crate::error::{Error, Missing};
use crate::forms::check::MAX_FIELDS;
use crate::forms::edit::{self, EditError, Edited};
use crate::forms::{Field, Form, FormSchema, Source};
use crate::http::Response;
use crate::json;
use crate::markup::{
    Change as MarkupChange, Warning, WarningCode, added, collapse, parse, patched,
};
use crate::rest::Call;

/// `GET /cf/v1/forms/{id}/fields`: the fields in order; none for a form without a schema.
pub async fn list(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let fields = form.schema()?.map(|schema| schema.fields);
    Ok(Response::json(200, &fields.unwrap_or_default()).with_version(form.revision))
}

/// `POST /cf/v1/forms/{id}/fields`. A form without a schema gets a new one.
pub async fn add(call: Call) -> Result<Response, Error> {
    let (form, change) = call
        .change_form(&mut |form| {
            let body = body_of(&call, form);
            let make = |schema: &FormSchema| edit::add_field(schema, &body);
            change(&call, form, None, &body, &make)
        })
        .await?;
    let name = utf8_percent_encode(&change.field.name, NON_ALPHANUMERIC);
    let location = call.address(&format!("/forms/{}/fields/{name}", form.id));
    let response =
        respond(&call, 201, json::value(&change.field), &change).with_header("location", location);
    Ok(response.with_version(form.revision))
}

/// `PATCH /cf/v1/forms/{id}/fields/{name}`.
pub async fn update(call: Call) -> Result<Response, Error> {
    let name = call.arguments.text("name").unwrap_or_default();
    let (form, change) = call
        .change_form(&mut |form| {
            let body = body_of(&call, form);
            let has_pipes = has_pipes(&call, form);
            let make = |schema: &FormSchema| match has_pipes {
                true => edit::update_piped_field(schema, name, &body),
                false => edit::update_field(schema, name, &body),
            };
            change(&call, form, Some(name), &body, &make)
        })
        .await?;
    Ok(respond(&call, 200, json::value(&change.field), &change).with_version(form.revision))
}

/// `DELETE /cf/v1/forms/{id}/fields/{name}`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let name = call.arguments.text("name").unwrap_or_default();
    let force = call.arguments.flag("force");
    let (form, change) = call
        .change_form(&mut |form| {
            let has_pipes = has_pipes(&call, form);
            let make = |schema: &FormSchema| match has_pipes {
                true => edit::delete_piped_field(schema, name, force),
                false => edit::delete_field(schema, name, force),
            };
            change(&call, form, Some(name), &Value::Null, &make)
        })
        .await?;
    let body = json!({"deleted": true, "previous": json::value(&change.field)});
    Ok(respond(&call, 200, body, &change).with_version(form.revision))
}

/// The result of an edit: the edited or deleted field, and warnings.
struct Change {
    field: Field,
    warnings: Vec<Warning>,
}

/// Returns the request's body. For an edit in the author's markup, collapses white space in texts, as HTML does.
fn body_of(call: &Call, form: &Form) -> Value {
    let mut body = Value::Object(call.arguments.body.clone());
    if is_patch(call) && form.source == Source::Markup {
        collapse_texts(&mut body);
    }
    body
}

fn collapse_texts(body: &mut Value) {
    for name in ["label", "description", "placeholder"] {
        if let Some(Value::String(text)) = body.get_mut(name) {
            *text = match name {
                "placeholder" => text.trim().to_owned(),
                _ => collapse(text),
            };
        }
    }
}

/// Whether the request prefers an edit in the author's markup.
fn is_patch(call: &Call) -> bool {
    call.arguments.flag("patch_markup") || is_patch_only(call)
}

/// Whether the edit changes the schema, whose texts may have pipes: `[name]` shows another field's answer. The texts of
/// an author's HTML have no pipes.
fn has_pipes(call: &Call, form: &Form) -> bool {
    !is_patch(call) || form.source == Source::Schema
}

/// Whether the request fails if the edit cannot be made in place.
fn is_patch_only(call: &Call) -> bool {
    call.arguments.flag("patch_only")
}

/// Edits the field `name`, or adds a field if there is no name. With `patch_markup`, the edit is made in the author's
/// markup, which stays the form's source. Otherwise, or if that is impossible, the edited schema becomes the source.
/// With `patch_only`, an impossible edit fails.
fn change(
    call: &Call,
    form: &mut Form,
    name: Option<&str>,
    body: &Value,
    make: &dyn Fn(&FormSchema) -> Edited,
) -> Result<Change, Error> {
    let before = form.clone();
    let change = unnamed_change(call, form, name, body, make)?;
    if let Some(name) = name.filter(|name| *name != change.field.name) {
        form.remember_rename(&before, name, &change.field.name)?;
    }
    Ok(change)
}

/// Applies an edit like [`change`], without recording a former name.
fn unnamed_change(
    call: &Call,
    form: &mut Form,
    name: Option<&str>,
    body: &Value,
    make: &dyn Fn(&FormSchema) -> Edited,
) -> Result<Change, Error> {
    if has_pipes(call, form) {
        let stored = form.schema()?;
        // A form without a schema gets one with its first field.
        let stored = stored.or_else(|| name.is_none().then(|| FormSchema::of(Vec::new())));
        let edited = make(&stored.ok_or(Error::NotFound(Missing::Schema))?);
        let (schema, field) = edited.map_err(error_of_edit)?;
        let reason = "the form's source is its schema";
        if is_patch_only(call) {
            return Err(Error::MarkupNotPatched(reason.to_owned()));
        }
        let (field, mut warnings) = set_schema(call, form, schema, field)?;
        warnings.extend(is_patch(call).then(|| not_patched(reason)));
        return Ok(Change { field, warnings });
    }
    match in_place(call, form, name, body, make)? {
        InPlace::Made(change) => Ok(change),
        InPlace::Impossible { reason, .. } if is_patch_only(call) => {
            Err(Error::MarkupNotPatched(reason))
        }
        InPlace::Impossible {
            reason,
            schema,
            field,
        } => {
            let (field, mut warnings) = set_schema(call, form, schema, field)?;
            warnings.push(not_patched(&reason));
            Ok(Change { field, warnings })
        }
    }
}

/// Stores an edited schema in the form, sanitized by the caller's rights. Returns the edited field and warnings.
fn set_schema(
    call: &Call,
    form: &mut Form,
    schema: FormSchema,
    field: Field,
) -> Result<(Field, Vec<Warning>), Error> {
    let (schema, removed) = Author::of(call).schema(Some(form), schema)?;
    form.set_schema(&schema)?;
    let field = schema.field(&field.name).cloned().unwrap_or(field);
    Ok((field, removed))
}

/// Edits a field of markup that is not stored. `{name}` alone removes a field, `{field}` alone adds one, and both
/// together change one. Fails if the edit cannot be made in place.
pub(super) fn edit_markup(
    call: &Call,
    form: &mut Form,
    edit: &Map<String, Value>,
) -> Result<(), Error> {
    let name = edit.get("name").and_then(Value::as_str);
    let mut body = edit.get("field").cloned().unwrap_or_default();
    collapse_texts(&mut body);
    let make = |schema: &FormSchema| match (name, &body) {
        (None, body) => edit::add_field(schema, body),
        (Some(name), Value::Null) => edit::delete_field(schema, name, true),
        (Some(name), body) => edit::update_field(schema, name, body),
    };
    match in_place(call, form, name, &body, &make)? {
        InPlace::Made(_) => Ok(()),
        InPlace::Impossible { reason, .. } => Err(Error::MarkupNotPatched(reason)),
    }
}

/// The result of an attempt to edit the author's markup in place.
enum InPlace {
    Made(Change),
    /// The reason, and the schema and field that would result from the edit.
    Impossible {
        reason: String,
        schema: FormSchema,
        field: Field,
    },
}

fn in_place(
    call: &Call,
    form: &mut Form,
    name: Option<&str>,
    body: &Value,
    make: &dyn Fn(&FormSchema) -> Edited,
) -> Result<InPlace, Error> {
    let parsed = form.parsed_markup()?;
    let (wanted, field) = make(&parsed.schema).map_err(error_of_edit)?;
    let before = parsed.schema.field(name.unwrap_or(&field.name));
    let edited = match (before, wanted.field(&field.name)) {
        (None, _) => added(&form.markup, &field, edit::requested_position(body, &field)),
        (Some(before), Some(after)) => {
            patched(&form.markup, MarkupChange::Update(before, after), &wanted)
        }
        (Some(before), None) => patched(&form.markup, MarkupChange::Remove(before), &wanted),
    };
    let cleaned = edited.map_err(|why| why.to_string()).and_then(|edited| {
        let (markup, removed) = Author::of(call)
            .markup(&edited.markup)
            .map_err(|_| "the markup is ambiguous".to_owned())?;
        // Sanitizing may have removed the edit.
        if removed.is_empty() || parse(&markup).is_ok_and(|read| read.schema == edited.schema) {
            Ok((markup, removed, edited.schema))
        } else {
            Err("authors without `unfiltered_html` may not write it".to_owned())
        }
    });
    match cleaned {
        Ok((markup, warnings, schema)) => {
            form.set_markup(markup);
            // The parsed field has the position and group of its markup.
            let field = schema.field(&field.name).cloned().unwrap_or(field);
            Ok(InPlace::Made(Change { field, warnings }))
        }
        Err(reason) => Ok(InPlace::Impossible {
            reason,
            schema: wanted,
            field,
        }),
    }
}

fn not_patched(reason: &str) -> Warning {
    Warning {
        code: WarningCode::MarkupNotPatched,
        message: format!(
            "The schema is edited instead, and is the form's source now: {reason}. The markup is kept; PATCH of the form with its `markup` alone makes it the source again."
        ),
        offset: 0,
    }
}

/// Responds to an edit. The parameter `report` adds the member `warnings` to the body.
fn respond(call: &Call, status: u16, mut body: Value, change: &Change) -> Response {
    if call.arguments.flag("report") {
        body = json::with(body, json!({"warnings": change.warnings}));
    }
    let response = Response::json(status, &body);
    let response = with_unchecked(response, [&FormSchema::of(vec![change.field.clone()])]);
    if is_patch(call) || !change.warnings.is_empty() {
        response.with_header("x-cf-warnings", change.warnings.len().to_string())
    } else {
        response
    }
}

fn error_of_edit(error: EditError) -> Error {
    match error {
        EditError::NotFound(_) => Error::NotFound(Missing::Field),
        EditError::Duplicate(name) => Error::DuplicateField(name),
        EditError::InUse { name, users } => Error::FieldInUse {
            field: name,
            used_by: users,
        },
        EditError::TooMany => {
            let message = format!("A schema may have at most {MAX_FIELDS} fields.");
            Error::invalid("fields", "rest_too_many_items", message)
        }
        EditError::Invalid(faults) => Error::InvalidParameters(faults),
    }
}
