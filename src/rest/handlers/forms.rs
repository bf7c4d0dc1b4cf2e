//! The routes of forms (specification, "Forms").

use serde_json::{Map, Value};

use crate::dates;
use crate::error::Error;
use crate::forms::messages::messages_over_defaults;
use crate::forms::settings::settings_over_defaults;
use crate::forms::{self, Form, Source};
use crate::http::Response;
use crate::rest::Call;
use crate::rest::paging::Page;
use crate::store::forms::{Listing, Order};

/// `GET /cf/v1/forms`.
pub async fn list(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let page = Page::read(arguments);
    let words = arguments.text("search").unwrap_or_default();
    let listing = Listing {
        words: words.split_whitespace().map(str::to_owned).collect(),
        slug: arguments.text("slug").map(str::to_owned),
        order: match arguments.text("orderby") {
            Some("title") => Order::Title,
            Some("created_at") => Order::CreatedAt,
            Some("updated_at") => Order::UpdatedAt,
            _ => Order::Id,
        },
        descending: arguments.text("order") != Some("asc"),
        offset: page.offset(),
        limit: page.per_page(),
    };
    let (forms, total) = forms::list(&call.cx, &listing).await?;
    let answers: Vec<FormAnswer> = forms.iter().map(FormAnswer::of).collect();
    page.answer(&call, "/forms", total, &answers)
}

/// A form as clients see it.
#[derive(serde::Serialize)]
struct FormAnswer<'a> {
    id: i64,
    title: &'a str,
    slug: &'a str,
    markup: &'a str,
    settings: Map<String, Value>,
    messages: Map<String, Value>,
    source: Source,
    has_schema: bool,
    revision: i64,
    submission_count: i64,
    created_at: String,
    updated_at: String,
}

impl FormAnswer<'_> {
    fn of(form: &Form) -> FormAnswer<'_> {
        FormAnswer {
            id: form.id,
            title: &form.title,
            slug: &form.slug,
            markup: &form.markup,
            settings: settings_over_defaults(&form.settings),
            messages: messages_over_defaults(&form.messages),
            source: form.source,
            has_schema: form.has_schema,
            revision: form.revision,
            submission_count: form.submission_count,
            created_at: dates::format_moment(form.created_at),
            updated_at: dates::format_moment(form.updated_at),
        }
    }
}
