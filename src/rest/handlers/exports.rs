//! `GET /cf/v1/forms/{form_id}/submissions/export` (contract, section 5).

use super::submissions::read_filter;
use crate::dates;
use crate::error::Error;
use crate::forms;
use crate::http::Response;
use crate::rest::Call;
use crate::store::answer_names;
use crate::store::submissions::Walk;
use crate::submissions::export::{Columns, Export, Format};

/// All submissions that a filter lets through, as a file. A client that reads slowly, or stops, is
/// all that the host has to wait for: a piece is made when the one before has been taken.
pub async fn submissions(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let form_id = arguments.id("form_id");
    let filter = read_filter(&call, Some(form_id)).await?;
    let form = forms::load_existing(&call.cx, form_id).await?;
    let (format, extension) = match arguments.text("format") {
        Some("json") => (Format::Json, "json"),
        Some("ndjson") => (Format::Ndjson, "ndjson"),
        _ => {
            let schema = forms::effective_schema(&call.cx, &form)?;
            let ever = answer_names::read(&call.cx, form_id).await?;
            let format = Format::Csv {
                columns: Columns::new(&schema, ever),
                byte_order_mark: arguments.flag("bom"),
            };
            (format, "csv")
        }
    };
    let day = dates::day_of(call.cx.now());
    let filename = [&form.slug, "-", &day, ".", extension].concat();
    let media_type = format.media_type();
    let mut export = Export::new(Walk::new(filter), format);
    let first = export.next(&call.cx).await?;
    let response = Response::of(200, media_type, first).as_download(&filename);
    if export.is_done() {
        return Ok(response);
    }
    let cx = call.cx;
    Ok(response.followed_by(async move {
        while !export.is_done() {
            let piece = export.next(&cx).await?;
            cx.send(piece).await?;
        }
        Ok(())
    }))
}
