//! A form's markup: checks before it is stored, and rendering for visitors.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use super::FormSchema;
use super::form::{cached, effective_schema};
use super::view::form_argument;
use crate::error::Fault;
use crate::hooks::Kind;
use crate::logic::piping::Piped;
use crate::markup::{
    MAX_MARKUP_BYTES, ParseError, RenderOptions, WarningCode, for_visitors, parse, render,
    with_variants, without_form_tags, without_reserved,
};
use crate::store::{Form, Source, StoreError};
use crate::task::Context;
use model::check::MAX_FIELDS;

/// Limit on the markup that is prepared for the visitor's script and cached, in bytes. Longer forms have no steps and
/// show every field.
const MAX_MARKED_BYTES: usize = 1024 * 1024;

/// The key of the text in a select's empty option.
pub const CHOOSE: &str = "choose";

/// The filter on rendered schemas (specification, "Events").
const SCHEMA_MARKUP: &str = "cf_schema_markup";

/// Checks markup before it is stored. Invalid HTML is accepted. Markup that could not be read back is rejected: too
/// many bytes or fields, or U+0000, which browsers drop and PostgreSQL cannot store.
pub fn check_markup(value: &Value) -> Result<Value, Vec<Fault>> {
    let fault = |code, message: String| Err(vec![Fault::new("", code, message)]);
    let Some(markup) = value.as_str() else {
        return fault("rest_invalid_type", "markup must be a string.".to_owned());
    };
    if markup.contains('\0') {
        let message = "markup must not contain the character U+0000.";
        return fault("rest_invalid_pattern", message.to_owned());
    }
    match parse(markup) {
        Ok(_) => Ok(value.clone()),
        Err(ParseError::TooLarge) => {
            let message = format!("markup may have at most {MAX_MARKUP_BYTES} bytes.");
            fault("rest_too_long", message)
        }
        Err(ParseError::TooManyFields) => {
            let message = format!(
                "markup has more than the {MAX_FIELDS} fields of a schema, or too many options."
            );
            fault("rest_too_many_items", message)
        }
    }
}

/// Warns about controls in an author's HTML that no submission can contain, in ASCII for a response header.
pub fn unstored_controls(markup: &str) -> Vec<String> {
    let warnings = parse(markup).map(|parsed| parsed.warnings);
    let codes = [WarningCode::NameInvalid, WarningCode::ControlWithoutName];
    let lost = warnings.into_iter().flatten();
    let lost = lost.filter(|warning| codes.contains(&warning.code));
    lost.map(|warning| {
        let message = warning.message.escape_default();
        format!(
            "not stored, at byte {} of the markup: {message}",
            warning.offset
        )
    })
    .collect()
}

/// The cached HTML of a form that [`marked`] prepared, with the words in it.
#[derive(Default)]
struct Marked(RefCell<(Rc<BTreeMap<String, String>>, String)>);

/// The HTML of a form's fields, without the form element. This is the author's markup with markers for the visitor's
/// script or, if the schema is the source, the rendered schema after the filter `cf_schema_markup` (html, schema,
/// form). A filter's result that is not a text is ignored.
pub async fn rendered_markup(
    cx: &Context,
    form: &Form,
    visitors: Visitors,
) -> Result<String, StoreError> {
    if form.source == Source::Markup || form.stored_schema.is_none() {
        if form.markup.len() > MAX_MARKED_BYTES {
            return Ok(without_form_tags(&without_reserved(&form.markup).0));
        }
        let words = &visitors.words;
        let cached: Rc<Marked> = cached(cx, form, || Ok(Rc::default()))?;
        let mut cached = cached.0.borrow_mut();
        // The words are in the visitor's language, which the form's revision does not determine.
        if cached.1.is_empty() || cached.0 != *words {
            *cached = (Rc::clone(words), marked(form, &form.markup, words));
        }
        return Ok(cached.1.clone());
    }
    let schema = effective_schema(cx, form)?;
    schema_markup(cx, form, &schema, Some(visitors)).await
}

/// Prepares an author's HTML for the visitor's page of a form.
pub fn marked(form: &Form, html: &str, words: &Rc<BTreeMap<String, String>>) -> String {
    let options = RenderOptions {
        instance: form.id.to_string(),
        visitors: Some(Rc::clone(words)),
        ..RenderOptions::default()
    };
    let choose = words.get(CHOOSE).map_or("", String::as_str);
    with_variants(for_visitors(html, choose), &options)
}

/// Content of a visitor's page that is not in the schema.
#[derive(Default)]
pub struct Visitors {
    /// The translated words, by key.
    pub words: Rc<BTreeMap<String, String>>,
    /// The answers that replace pipes, as far as they are known.
    pub piped: Piped,
    /// The known values of calculated fields, formatted for display.
    pub calculated: Rc<BTreeMap<String, String>>,
    /// The row numbers of each repeating group, by the group's name.
    pub rows: BTreeMap<String, Vec<usize>>,
}

/// Renders a schema of a form and applies the filter `cf_schema_markup`. `visitors` are the words and answers of a
/// visitor's page; `None` renders the plain schema.
pub async fn schema_markup(
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    visitors: Option<Visitors>,
) -> Result<String, StoreError> {
    let is_page = visitors.is_some();
    let Visitors {
        words,
        piped,
        calculated,
        rows,
    } = visitors.unwrap_or_default();
    let options = RenderOptions {
        instance: form.id.to_string(),
        visitors: is_page.then_some(words),
        is_in_place: false,
        piped,
        calculated,
        rows,
    };
    let html = render(schema, &options);
    if !cx.has_callbacks(Kind::Filter, SCHEMA_MARKUP) {
        return Ok(html);
    }
    let arguments = [crate::json::value(schema), form_argument(form)];
    let filtered = cx
        .apply_filters(SCHEMA_MARKUP, json!(html), &arguments)
        .await;
    match filtered {
        Value::String(filtered) if filtered != html => Ok(match &options.visitors {
            Some(words) => marked(form, &filtered, words),
            None => filtered,
        }),
        Value::String(filtered) => Ok(filtered),
        _ => Ok(html),
    }
}
