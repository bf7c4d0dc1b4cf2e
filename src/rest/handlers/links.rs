//! Revokes the links to files in mails (`docs/api.md`, "Files").

use crate::error::{Error, Missing};
use crate::http::Response;
use crate::rest::Call;
use crate::store::uploads::{LinksOf, revoke_links};

/// `POST /cf/v1/forms/{id}/links/revoke`.
pub async fn revoke_of_form(call: Call) -> Result<Response, Error> {
    let of = LinksOf::Form(call.arguments.id("id"));
    revoke(call, of, Missing::Form).await
}

/// `POST /cf/v1/submissions/{id}/links/revoke`.
pub async fn revoke_of_submission(call: Call) -> Result<Response, Error> {
    let of = LinksOf::Submission(call.arguments.id("id"));
    revoke(call, of, Missing::Submission).await
}

async fn revoke(call: Call, of: LinksOf, missing: Missing) -> Result<Response, Error> {
    if revoke_links(&call.cx, of).await? {
        Ok(Response::json(200, &json!({"revoked": true})))
    } else {
        Err(Error::NotFound(missing))
    }
}
