//! The saved progress of a form. Clients can read only its amount and dates, or delete it.

use crate::dates::format_moment;
use crate::error::Error;
use crate::forms;
use crate::http::Response;
use crate::rest::Call;
use crate::store::saved;

/// `GET /cf/v1/forms/{id}/saved`.
pub async fn figures(call: Call) -> Result<Response, Error> {
    let form = forms::load_existing(&call.cx, call.arguments.id("id")).await?;
    let (open, bytes, oldest, newest) = saved::figures(&call.cx, form.id).await?;
    let body = json!({
        "open": open,
        "bytes": bytes,
        "oldest_at": oldest.map(format_moment),
        "newest_at": newest.map(format_moment),
    });
    Ok(Response::json(200, &body))
}

/// Limit on the transactions of one request, each of which deletes up to 1,000 rows.
const MAX_ROUNDS: usize = 100;

/// `DELETE /cf/v1/forms/{id}/saved`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let form = forms::load_existing(&call.cx, call.arguments.id("id")).await?;
    let mut count = 0;
    for _ in 0..MAX_ROUNDS {
        match saved::delete_of_form(&call.cx, form.id).await? {
            0 => break,
            deleted => count += deleted,
        }
    }
    Ok(Response::json(
        200,
        &json!({"deleted": true, "count": count}),
    ))
}
