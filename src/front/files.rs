//! `GET /-/files/{submission}/{file}/{ticket}`: a file of a submission for whoever has its address
//! from a mail of the form's email action (contract, section 9).

use super::page;
use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::submissions;
use crate::submissions::{SPAM, TRASH, file_answer};
use crate::task::Context;

/// Where the addresses of files begin.
const FILES: &str = "/-/files/";

/// The submission, the file and the ticket of the address of a file.
pub(super) type Ticket = (i64, i64, String);

/// Parses the address of a file; `None` for any other address.
pub(super) fn ticket(request: &Request) -> Option<Ticket> {
    let path = request.path.strip_prefix(FILES)?;
    let is_read = matches!(request.method.as_str(), "GET" | "HEAD");
    let mut parts = path.splitn(3, '/');
    let mut id = || parts.next()?.parse().ok().filter(|_| is_read);
    Some((id()?, id()?, parts.next()?.to_owned()))
}

/// Responds with the file; with 404 where there is none, and also when the ticket is over or its
/// submission has become spam or trash.
pub(super) async fn answer(cx: &Context, request: &Request, ticket: Ticket) -> Response {
    let mut response = match file(cx, ticket).await {
        Ok(Some(file)) => file,
        Ok(None) => page::notice(cx, 404, "Not found", "There is no file at this address."),
        Err(error) => {
            let text = "The site could not answer. Please try again.";
            let mut response = page::notice(cx, 500, "Something went wrong", text);
            response.log = Some(error.to_string());
            response
        }
    };
    if request.method == "HEAD" {
        response.opened_file = false;
        response.body.clear();
    }
    response
        .headers
        .retain(|(name, _)| *name != "referrer-policy" && *name != "x-robots-tag");
    response
        .with_header("referrer-policy", "no-referrer")
        .with_header("x-robots-tag", "noindex")
}

async fn file(cx: &Context, (submission, file, ticket): Ticket) -> Result<Option<Response>, Error> {
    let signer = crate::store::signer(cx).await?;
    if !signer.opens_file(submission, file, &ticket, cx.now()) {
        return Ok(None);
    }
    let found = submissions::find_for_actions(cx, submission).await?;
    let found = found.filter(|found| found.status != SPAM && found.status != TRASH);
    let files = found.map(|found| found.files).unwrap_or_default();
    match files.iter().find(|own| own.id == file) {
        Some(file) => Ok(file_answer(cx, file, false).await?),
        None => Ok(None),
    }
}
