//! `GET /cf/v1/forms/{form_id}/submissions/export` (contract, section 5).

use super::download;
use super::submissions::read_filter;
use crate::dates;
use crate::error::Error;
use crate::forms;
use crate::http::Response;
use crate::rest::Call;
use crate::store::answer_names;
use crate::store::submissions::Walk;
use crate::submissions::export::{Columns, Export, Format};
use crate::task::Context;

/// All submissions that a filter lets through, as a file.
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
    let next = async move |cx: &Context| {
        let piece = export.next(cx).await?;
        Ok((piece, export.is_done()))
    };
    download(call.cx, media_type, &filename, next).await
}
