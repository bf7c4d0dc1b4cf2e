//! The routes of a schema's fields (specification, "Fields").

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::error::{Error, Fault, Missing};
use crate::forms::check::MAX_FIELDS;
use crate::forms::edit::{self, EditError, Edited};
use crate::forms::{Field, Form, FormSchema};
use crate::http::Response;
use crate::rest::Call;

/// `GET /cf/v1/forms/{id}/fields`: in their order; none for a form without a schema.
pub async fn list(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let fields = form.schema()?.map(|schema| schema.fields);
    Ok(Response::json(200, &fields.unwrap_or_default()).with_version(form.revision))
}

/// `POST /cf/v1/forms/{id}/fields`. A form without a schema gets one.
pub async fn add(call: Call) -> Result<Response, Error> {
    let body = Value::Object(call.arguments.body.clone());
    let (form, field) = call
        .change_form(|form| {
            let schema = form.schema()?;
            let schema = schema.unwrap_or_else(|| FormSchema::of(Vec::new()));
            store(form, edit::add_field(&schema, &body))
        })
        .await?;
    let name = utf8_percent_encode(&field.name, NON_ALPHANUMERIC);
    let location = call.address(&format!("/forms/{}/fields/{name}", form.id));
    let response = Response::json(201, &field).with_header("location", location);
    Ok(response.with_version(form.revision))
}

/// `PATCH /cf/v1/forms/{id}/fields/{name}`.
pub async fn update(call: Call) -> Result<Response, Error> {
    let body = Value::Object(call.arguments.body.clone());
    let name = call.arguments.text("name").unwrap_or_default();
    let (form, field) = call
        .change_form(|form| {
            let edited = edit::update_field(&existing_schema(form)?, name, &body);
            store(form, edited)
        })
        .await?;
    Ok(Response::json(200, &field).with_version(form.revision))
}

/// `DELETE /cf/v1/forms/{id}/fields/{name}`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let name = call.arguments.text("name").unwrap_or_default();
    let force = call.arguments.flag("force");
    let (form, field) = call
        .change_form(|form| {
            let edited = edit::delete_field(&existing_schema(form)?, name, force);
            store(form, edited)
        })
        .await?;
    let body = json!({"deleted": true, "previous": field});
    Ok(Response::json(200, &body).with_version(form.revision))
}

fn existing_schema(form: &Form) -> Result<FormSchema, Error> {
    form.schema()?.ok_or(Error::NotFound(Missing::Schema))
}

/// Gives the form the edited schema; answers the field.
fn store(form: &mut Form, edited: Edited) -> Result<Field, Error> {
    let (schema, field) = edited.map_err(refusal)?;
    form.set_schema(&schema)?;
    Ok(field)
}

fn refusal(error: EditError) -> Error {
    match error {
        EditError::NotFound(_) => Error::NotFound(Missing::Field),
        EditError::Duplicate(name) => Error::DuplicateField(name),
        EditError::InUse { name, users } => Error::FieldInUse {
            field: name,
            used_by: users,
        },
        EditError::TooMany => {
            let message = format!("A schema may have at most {MAX_FIELDS} fields.");
            let fault = Fault::new("fields", "rest_too_many_items", message);
            Error::InvalidParameters(vec![fault])
        }
        EditError::Invalid(faults) => Error::InvalidParameters(faults),
    }
}
