//! The routes of a form's schema (specification, "Schema").

use serde_json::Value;

use crate::error::Error;
use crate::forms::check::parse_schema;
use crate::http::Response;
use crate::rest::Call;

/// `GET /cf/v1/forms/{id}/schema`: the schema, or `null`.
pub async fn get(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    Ok(Response::json(200, &form.schema()?).with_version(form.revision))
}

/// `PUT /cf/v1/forms/{id}/schema`.
pub async fn put(call: Call) -> Result<Response, Error> {
    let body = Value::Object(call.arguments.body.clone());
    let schema = parse_schema(&body).map_err(Error::InvalidParameters)?;
    let (form, ()) = call
        .change_form(|form| Ok(form.set_schema(&schema)?))
        .await?;
    Ok(Response::json(200, &schema).with_version(form.revision))
}
