//! The routes of forms (specification, "Forms").

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::actions;
use crate::actions::secrets::{Keeper, has_secrets};
use crate::error::Error;
use crate::forms::settings::{Action, Settings};
use crate::forms::slug::slug_of;
use crate::forms::{self, Form, FormView, NewForm};
use crate::http::Response;
use crate::markup::sanitize;
use crate::rest::Call;
use crate::rest::paging::Page;
use crate::store::forms::{Listing, Order};

/// The capability to store markup as it is (contract, section 4).
const UNFILTERED_HTML: &str = "unfiltered_html";

/// How many unknown types of action an answer names.
const MAX_NAMED_TYPES: usize = 10;

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
    let views: Vec<FormView> = forms.iter().map(Form::view).collect();
    page.answer(&call, "/forms", total, &views)
}

/// `POST /cf/v1/forms`.
pub async fn create(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let (markup, removed) = allowed_markup(&call, arguments.text("markup").unwrap_or_default());
    let settings = sealed_settings(&call, keeper(&call).await?.as_ref(), &Map::new())?;
    let new = NewForm {
        title: arguments.text("title").unwrap_or_default().to_owned(),
        slug: chosen_slug(&call).map(str::to_owned),
        markup,
        settings,
        messages: arguments.object("messages").cloned().unwrap_or_default(),
    };
    let form = forms::create(&call.cx, new, &call.principal).await?;
    let location = call.address(&format!("/forms/{}", form.id));
    let response = answer(201, &form).with_header("location", location);
    Ok(with_warnings(&call, response, removed).await)
}

/// `GET /cf/v1/forms/{id}`.
pub async fn get(call: Call) -> Result<Response, Error> {
    Ok(answer(200, &call.form().await?))
}

/// `PATCH /cf/v1/forms/{id}`.
pub async fn update(call: Call) -> Result<Response, Error> {
    let keeper = keeper(&call).await?;
    let (form, removed) = call
        .change_form(|form| apply(&call, keeper.as_ref(), form))
        .await?;
    Ok(with_warnings(&call, answer(200, &form), removed).await)
}

/// Gives a form the members of the request. Answers how many things were removed from the markup.
fn apply(call: &Call, keeper: Option<&Keeper>, form: &mut Form) -> Result<usize, Error> {
    let arguments = &call.arguments;
    if let Some(title) = arguments.text("title") {
        title.clone_into(&mut form.title);
    }
    match arguments.text("slug") {
        Some("") => form.slug = slug_of(&form.title),
        Some(slug) => slug.clone_into(&mut form.slug),
        None => {}
    }
    let settings = sealed_settings(call, keeper, &form.settings)?;
    form.settings.extend(settings);
    let messages = arguments.object("messages").cloned();
    form.messages.extend(messages.unwrap_or_default());
    match arguments.text("markup") {
        // What somebody else may have stored stays as it is when it only comes along.
        Some(markup) if markup != form.markup => {
            let (markup, removed) = allowed_markup(call, markup);
            form.set_markup(markup);
            Ok(removed)
        }
        _ => Ok(0),
    }
}

/// What encrypts secrets, when the request's settings may have any.
async fn keeper(call: &Call) -> Result<Option<Keeper>, Error> {
    let settings = call.arguments.object("settings");
    match settings.is_some_and(has_secrets) {
        true => Keeper::of(&call.cx).await.map(Some),
        false => Ok(None),
    }
}

/// The settings of the request, the secrets of their actions encrypted.
fn sealed_settings(
    call: &Call,
    keeper: Option<&Keeper>,
    stored: &Map<String, Value>,
) -> Result<Map<String, Value>, Error> {
    let mut settings = call
        .arguments
        .object("settings")
        .cloned()
        .unwrap_or_default();
    if let Some(keeper) = keeper {
        keeper.seal_settings(&mut settings, stored)?;
    }
    Ok(settings)
}

/// `DELETE /cf/v1/forms/{id}`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let precondition = &call.precondition;
    let form = forms::delete(&call.cx, call.arguments.id("id"), |form| {
        precondition.check(form.revision)
    })
    .await?;
    let body = json!({"deleted": true, "previous": form.view()});
    Ok(Response::json(200, &body))
}

/// The slug that a request asks for; an empty one is left to the title.
fn chosen_slug(call: &Call) -> Option<&str> {
    call.arguments.text("slug").filter(|slug| !slug.is_empty())
}

/// The markup as the caller may store it, and how many things were removed from it.
fn allowed_markup(call: &Call, markup: &str) -> (String, usize) {
    if call.principal.can(UNFILTERED_HTML) {
        return (markup.to_owned(), 0);
    }
    let (cleaned, warnings) = sanitize(markup);
    (cleaned, warnings.len())
}

/// Adds what the caller should know about the form that was stored: how many things were removed
/// from its markup, and which actions have a type that nobody offers.
async fn with_warnings(call: &Call, response: Response, removed: usize) -> Response {
    let mut response = response;
    if removed > 0 {
        response = response.with_header("x-cf-warnings", removed.to_string());
    }
    let unknown = unknown_actions(call).await;
    if !unknown.is_empty() {
        response = response.with_header("x-cf-warning", unknown.join(", "));
    }
    response
}

async fn unknown_actions(call: &Call) -> Vec<String> {
    let settings = call.arguments.object("settings");
    let actions = settings.map(|settings| Settings::read(settings).actions);
    let actions = actions.unwrap_or_default();
    if actions.is_empty() {
        return Vec::new();
    }
    let known = actions::all_types(&call.cx).await;
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    for Action { kind, .. } in actions {
        if !known.iter().any(|(own, _)| *own == kind) {
            // A header holds nothing but visible ASCII, and not much of it.
            unknown.insert(format!("unknown action type \"{}\"", kind.escape_default()));
        }
    }
    unknown.into_iter().take(MAX_NAMED_TYPES).collect()
}

fn answer(status: u16, form: &Form) -> Response {
    Response::json(status, &form.view()).with_version(form.revision)
}
