//! The routes of a form's schema (specification, "Schema").

use serde_json::Value;

use super::author::Author;
use super::form_warnings::{with_unchecked, with_warnings};
use crate::error::{Error, Missing};
use crate::forms::check::parse_schema;
use crate::forms::{self, Form};
use crate::http::Response;
use crate::json;
use crate::markup::Parsed;
use crate::rest::Call;

/// `GET /cf/v1/forms/{id}/schema`: the schema, or `null`.
pub async fn get(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    Ok(Response::json(200, &form.schema()?).with_version(form.revision))
}

/// `GET /cf/v1/forms/{id}/schema/markup`: the markup that the stored schema renders to.
pub async fn markup(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let schema = form.schema()?.ok_or(Error::NotFound(Missing::Schema))?;
    let markup = forms::schema_markup(&call.cx, &form, &schema, None).await?;
    Ok(Response::json(200, &json!({"markup": markup})).with_version(form.revision))
}

/// `PUT /cf/v1/forms/{id}/schema`.
pub async fn put(call: Call) -> Result<Response, Error> {
    let body = Value::Object(call.arguments.body.clone());
    let schema = parse_schema(&body).map_err(Error::InvalidParameters)?;
    let mut change = |form: &mut Form| {
        let (schema, removed) = Author::of(&call).schema(Some(form), schema.clone())?;
        form.set_schema(&schema)?;
        Ok(removed.len())
    };
    let (form, removed) = call.change_form(&mut change).await?;
    let schema = form.schema()?.unwrap_or(schema);
    let response = Response::json(200, &schema).with_version(form.revision);
    let response = with_warnings(&call, response, (removed, None), None).await;
    Ok(with_unchecked(response, [&schema]))
}

/// `POST /cf/v1/forms/{id}/schema/generate`: generates the schema of the markup and, except in a preview, stores it.
/// The form's source stays. `X-CF-Warnings` counts the parts that a schema cannot contain; with `report` the response
/// is `{schema, warnings}`.
pub async fn generate(call: Call) -> Result<Response, Error> {
    let read = |form: &Form| -> Result<Parsed, Error> {
        Ok(Parsed {
            schema: form.markup_schema()?,
            ..form.parsed_markup()?
        })
    };
    let (form, parsed) = if call.arguments.flag("preview") {
        let form = call.form().await?;
        let parsed = read(&form)?;
        (form, parsed)
    } else {
        let mut keep = |form: &mut Form| {
            let parsed = read(form)?;
            form.keep_schema(&parsed.schema)?;
            Ok(parsed)
        };
        call.change_form(&mut keep).await?
    };
    let body = if call.arguments.flag("report") {
        json!({"schema": json::value(&parsed.schema), "warnings": parsed.warnings})
    } else {
        json::value(&parsed.schema)
    };
    let response = Response::json(200, &body);
    Ok(response
        .with_header("x-cf-warnings", parsed.warnings.len().to_string())
        .with_version(form.revision))
}
