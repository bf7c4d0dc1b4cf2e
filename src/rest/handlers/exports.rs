//! `GET /cf/v1/forms/{form_id}/submissions/export` (contract, section 5).

use super::download;
use super::submissions::read_filter;
use crate::dates;
use crate::error::Error;
use crate::forms::{self, Form};
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
            let format = Format::Csv {
                columns: columns(&call, &form).await?,
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

/// The columns of a table, as the request asks for them.
async fn columns(call: &Call, form: &Form) -> Result<Columns, Error> {
    let arguments = &call.arguments;
    let schema = forms::effective_schema(&call.cx, form)?;
    let ever = answer_names::read(&call.cx, form.id).await?;
    let mut columns = Columns::new(&schema, ever).separated_by(match arguments.text("separator") {
        Some(";") => ';',
        Some("\t" | "tab") => '\t',
        _ => ',',
    });
    if let Some(names) = arguments.text("columns") {
        let names = names.split(',').map(|name| name.trim().to_owned());
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        columns = columns.only(&names).map_err(|unknown| {
            let message = format!("There is no column `{unknown}`.");
            Error::invalid("columns", "rest_not_in_enum", message)
        })?;
    }
    Ok(if arguments.flag("labels") {
        columns.with_labels(schema)
    } else {
        columns
    })
}
