//! Selects the reader for a file in XML, HTML or CSV, or for a workbook.

use crate::formats::{formidable, xlsform};
use crate::values::counterpart;
use serde_json::Value;

use crate::{
    Clock, Contents, FORMATS, ImportError, MAX_FORMS, Options, Report, contact_form_7, csv, drafts,
    entries, html_forms, html_page, marks, wordpress, workbook, wxr,
};

/// Reads CSV: an XLSForm, or submissions for a form that the caller names.
pub fn read_csv(
    text: &str,
    stated: Option<&'static str>,
    options: &Options,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    let sheets = workbook::sheets_of_csv(text);
    if stated.is_none_or(|stated| stated == "xlsform") && xlsform::is_one(&sheets) {
        return Ok(xlsform::read(&sheets, report));
    }
    let header = csv::header(text);
    let found = entries::about::format_of(&header, text);
    let is_named = options.forms.contains_key("") || options.are_forms_known;
    let format = match stated.and_then(entries::known) {
        Some(stated) => stated,
        None if stated.is_none() && (found != "submissions-csv" || is_named) => found,
        None => return read_sheets(&sheets, report),
    };
    entries::read_csv(text, format, options, clock, report)
}

/// Reads an XLSForm from the sheets of a workbook.
pub fn read_sheets(
    sheets: &[workbook::Sheet],
    report: &mut Report,
) -> Result<Contents, ImportError> {
    if xlsform::is_one(sheets) {
        return Ok(xlsform::read(sheets, report));
    }
    let message = "This workbook has no sheet `survey` with a column `type`.";
    Err(ImportError::unknown(message.to_owned()))
}

/// Reads an export of a content platform or of Formidable Forms, or a web page.
pub fn read_markup(
    text: &str,
    stated: Option<&'static str>,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    let is_page = match (stated, marks::of_markup(text)) {
        (Some("formidable"), _) | (None, Some("formidable")) => {
            return formidable::read(text, clock, report).map_err(ImportError::from);
        }
        (Some(format), _) => format == "html",
        (None, Some("html")) => true,
        (None, _) => false,
    };
    if !is_page {
        return read_posts(text, stated, clock, report).map_err(|message| match stated {
            Some(_) => message.into(),
            None => ImportError::unknown(message),
        });
    }
    let mut forms = html_page::drafts(text, report);
    if forms.is_empty() {
        let message = "There is no form with a field on this page.";
        return Err(ImportError::unknown(message.to_owned()));
    }
    report.keep_first(&mut forms, MAX_FORMS, "too_many_forms");
    Ok(Contents {
        format: "html".to_owned(),
        forms,
        submissions: Vec::new(),
        ..Contents::default()
    })
}

/// Reads a site's export (WXR): the whole site, or only the forms of one plugin among its posts.
pub fn read_posts(
    text: &str,
    stated: Option<&'static str>,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, String> {
    let (site, posts) = wxr::read(text);
    if stated == Some("wordpress") || stated.is_none() && wordpress::is_one(&posts) {
        return Ok(wordpress::read(&site, &posts, clock, report));
    }
    let format_of = |post: &Value| counterpart("posts.formats", crate::values::text(post, "kind"));
    let cf7 = Some("contact-form-7");
    let format = match stated {
        Some(format @ ("contact-form-7" | "html-forms")) => format,
        Some(format) => return Err(format!("This is XML, but an export of {format} is JSON.")),
        None if posts.iter().any(|post| format_of(post) == cf7) => "contact-form-7",
        None => "html-forms",
    };
    let of_format = |format| {
        posts
            .iter()
            .filter(move |post| format_of(post) == Some(format))
    };
    let chosen: Vec<&Value> = of_format(format).collect();
    if chosen.is_empty() {
        let found = match posts.len() {
            0 => "There are no posts in this XML.".to_owned(),
            1 => "The 1 post in this XML is not a form.".to_owned(),
            count => format!("None of the {count} posts in this XML is a form."),
        };
        let kinds = match stated {
            None => "html-form, core-form or wpcf7_contact_form",
            Some("contact-form-7") => "wpcf7_contact_form",
            Some(_) => "html-form or core-form",
        };
        return Err(format!(
            "{found} Import a file of Tools → Export that has posts of the type {kinds}."
        ));
    }
    // Posts of other formats need another import.
    let other = FORMATS.into_iter().filter(|known| *known != format);
    for (other, count) in other.map(|other| (other, of_format(other).count())) {
        if count > 0 {
            let message = format!(
                "The file also has {count} forms of {other}: import it again in that format."
            );
            report.note("not_read", other, &message);
        }
    }
    let draft = |post: &Value, report: &mut Report| {
        if cf7 == Some(format) {
            contact_form_7::draft(post, &site, report)
        } else {
            html_forms::draft(post, report)
        }
    };
    Ok(drafts(format, chosen, &draft, report))
}
