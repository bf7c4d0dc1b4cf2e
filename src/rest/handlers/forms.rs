//! The routes of forms (specification, "Forms").

use serde_json::{Value, json};

use crate::dates;
use crate::error::Error;
use crate::http::Response;
use crate::rest::Call;
use crate::store::forms::{self, FormRow};

/// `GET /cf/v1/forms`.
pub async fn list(call: Call) -> Result<Response, Error> {
    let rows = forms::all(&call.cx).await?;
    Ok(Response::json(
        200,
        &rows.iter().map(shape).collect::<Vec<_>>(),
    ))
}

fn shape(form: &FormRow) -> Value {
    json!({
        "id": form.id,
        "title": form.title,
        "slug": form.slug,
        "markup": form.markup,
        "source": form.source,
        "has_schema": form.has_schema,
        "revision": form.revision,
        "submission_count": form.submission_count,
        "created_at": dates::format_moment(form.created_at),
        "updated_at": dates::format_moment(form.updated_at),
    })
}
