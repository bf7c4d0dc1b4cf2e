//! `GET /-/files/{submission}/{file}/{ticket}`: a file of a submission. Mails of the form's email action contain this
//! signed URL (contract, section 9).

use super::audience::VisitorTexts;
use super::page;
use crate::error::Error;
use crate::files::file_response;
use crate::forms;
use crate::http::{Fetch, Request, Response};
use crate::security::LinkedFile;
use crate::store::{submissions, uploads};
use crate::submissions::{SPAM, TRASH};
use crate::task::Context;

/// The prefix of files' paths.
const FILES: &str = "/-/files/";

/// The submission, the file and the ticket in the path of a file.
pub(super) type Ticket = (i64, i64, String);

/// Parses the path of a file; `None` for any other path.
pub(super) fn ticket(request: &Request) -> Option<Ticket> {
    let path = request.path.strip_prefix(FILES)?;
    let is_read = matches!(request.method.as_str(), "GET" | "HEAD");
    let mut parts = path.splitn(3, '/');
    let mut id = || parts.next()?.parse().ok().filter(|_| is_read);
    Some((id()?, id()?, parts.next()?.to_owned()))
}

/// Responds with the file. The response is 404 when the file does not exist, the ticket is invalid or expired, the form
/// offers no file links, or the submission has become spam or trash. A page that embeds the file gets a 403.
pub(super) async fn respond(cx: &Context, request: &Request, ticket: Ticket) -> Response {
    let found = if Fetch::of(request).opens() {
        file(cx, ticket).await
    } else {
        Err(Error::FileFetchRefused)
    };
    let texts = VisitorTexts::of(cx, request.header("accept-language").unwrap_or_default());
    let mut response = match found {
        Ok(Some(file)) => file,
        Err(error @ Error::FileFetchRefused) => {
            super::error_response(403, "file_fetch_refused", &error.to_string(), "")
                .with_header("x-content-type-options", "nosniff")
        }
        Ok(None) => {
            let text = texts.word("file_link_expired");
            page::notice(
                cx,
                404,
                &texts.language,
                texts.word("not_found_title"),
                text,
            )
        }
        Err(error) => {
            let text = texts.word("site_failed");
            let text = text.replace("{request_id}", &request.request_id);
            let title = texts.word("failed_title");
            let mut response = page::notice(cx, 500, &texts.language, title, &text);
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
    let Some(epochs) = uploads::link_epochs(cx, submission).await? else {
        return Ok(None);
    };
    let linked = LinkedFile {
        submission_id: submission,
        file_id: file,
        epochs,
    };
    if !signer.opens_file(&linked, &ticket, cx.now()) {
        return Ok(None);
    }
    let found = submissions::find_for_actions(cx, submission).await?;
    let found = found.filter(|found| found.status != SPAM && found.status != TRASH);
    let Some(found) = found else {
        return Ok(None);
    };
    // If the form offers no file links, older links do not work either.
    let form = forms::load(cx, found.form_id).await?;
    if form.is_none_or(|form| form.settings().file_link_days == 0) {
        return Ok(None);
    }
    let files = found.files;
    match files.iter().find(|candidate| candidate.id == file) {
        Some(file) => Ok(file_response(cx, file, false).await?),
        None => Ok(None),
    }
}
