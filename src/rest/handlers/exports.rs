//! `GET /cf/v1/forms/{form_id}/submissions/export` (contract, section 5).

use super::download;
use super::submission_lists::read_filter;
use crate::dates;
use crate::error::Error;
use crate::forms::{self, Form};
use crate::http::Response;
use crate::rest::Call;
use crate::store::answer_names;
use crate::store::submissions::{Walk, exceeds};
use crate::submissions::export::{Columns, Export, Format};
use crate::task::Context;

/// The parameters that apply only to CSV.
const TABLE_PARAMETERS: [&str; 2] = ["separator", "bom"];

/// Limit on the submissions of an XLSX file.
const MAX_SHEET_ROWS: i64 = 50_000;

/// Exports all submissions that match a filter, as a file.
pub async fn submissions(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let form_id = arguments.id("form_id");
    let filter = read_filter(&call, Some(form_id)).await?;
    let form = forms::load_existing(&call.cx, form_id).await?;
    let members = match arguments.text("columns") {
        Some(_) => Some(columns(&call, &form).await?),
        None => None,
    };
    let (format, extension) = match arguments.text("format") {
        Some("json") => (Format::Json { members }, "json"),
        Some("ndjson") => (Format::Ndjson { members }, "ndjson"),
        Some("xlsx") => {
            if exceeds(&call.cx, &filter, MAX_SHEET_ROWS).await? {
                return Err(Error::ExportTooLarge);
            }
            let columns = match members {
                Some(columns) => columns,
                None => columns(&call, &form).await?,
            };
            (Format::Xlsx { columns }, "xlsx")
        }
        _ => {
            let format = Format::Csv {
                columns: match members {
                    Some(columns) => columns,
                    None => columns(&call, &form).await?,
                },
                byte_order_mark: arguments.flag("bom"),
            };
            (format, "csv")
        }
    };
    let unused = TABLE_PARAMETERS.iter().filter(|name| {
        let mut query = arguments.query.iter();
        extension != "csv" && query.any(|(sent, _)| sent == *name)
    });
    let warnings: Vec<String> = unused
        .map(|name| format!("{name} applies only to format=csv"))
        .collect();
    let day = dates::day_of(call.cx.now());
    let filename = [&form.slug, "-", &day, ".", extension].concat();
    let media_type = format.media_type();
    let mut export = Export::new(Walk::new(filter), format);
    let next = async move |cx: &Context| {
        let piece = export.next(cx).await?;
        Ok((piece, export.is_done()))
    };
    let response = download(call.cx, media_type, &filename, next).await?;
    Ok(if warnings.is_empty() {
        response
    } else {
        response.with_header("x-cf-warning", warnings.join(", "))
    })
}

/// The requested columns.
async fn columns(call: &Call, form: &Form) -> Result<Columns, Error> {
    let arguments = &call.arguments;
    let schema = forms::readable_schema(&call.cx, form)?;
    let ever = answer_names::read(&call.cx, form.id).await?;
    let mut columns = Columns::new(&schema, ever).separated_by(match arguments.text("separator") {
        Some(";") => ';',
        Some("\t" | "tab") => '\t',
        _ => ',',
    });
    if let Some(names) = arguments.text("columns") {
        let names = names.split(',').map(str::trim);
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            let message = "columns must name at least one column.";
            return Err(Error::invalid("columns", "rest_invalid_param", message));
        }
        columns = columns.only(&names, &schema).map_err(|unknown| {
            let message = format!("There is no column `{unknown}`.");
            Error::invalid("columns", "rest_not_in_enum", message)
        })?;
    }
    if arguments.text("titles") == Some("labels") {
        columns = columns.with_titles(schema.clone());
    }
    Ok(if arguments.flag("labels") {
        columns.with_labels(schema)
    } else {
        columns
    })
}
