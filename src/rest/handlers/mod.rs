//! The handlers of the routes. A handler reads the arguments of a request, calls the domain and the store, and builds
//! the response.

pub mod analytics;
mod author;
pub mod drafts;
pub mod exports;
pub mod fields;
mod form_warnings;
pub mod forms;
mod hold_warnings;
pub mod images;
pub mod imports;
pub mod large_imports;
pub mod links;
pub mod privacy;
pub mod resend;
pub mod revisions;
pub mod saved;
pub mod schema;
pub mod submission_lists;
pub mod submissions;
pub mod timeline;
pub mod transfer;
pub mod workflows;

use crate::error::Error;
use crate::http::Response;
use crate::task::Context;

const JSON: &str = "application/json; charset=UTF-8";

/// Responds with a streamed file. `next` returns the next piece, and whether this piece is the last. The engine calls
/// `next` again only after the client has read the previous pieces.
async fn download(
    cx: Context,
    media_type: &str,
    filename: &str,
    mut next: impl AsyncFnMut(&Context) -> Result<(Vec<u8>, bool), Error> + 'static,
) -> Result<Response, Error> {
    let (first, mut is_last) = next(&cx).await?;
    let response = Response::of(200, media_type, first).as_download(filename);
    if is_last {
        return Ok(response);
    }
    Ok(response.followed_by(async move {
        while !is_last {
            let piece;
            (piece, is_last) = next(&cx).await?;
            cx.send(piece).await?;
        }
        Ok(())
    }))
}
