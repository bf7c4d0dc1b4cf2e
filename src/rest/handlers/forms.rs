//! The routes of forms (specification, "Forms").

use serde_json::{Map, Value};

use super::author::Author;
use super::fields::edit_markup;
use super::form_warnings::{masks_without_secret, with_unchecked, with_warnings};
use crate::action_types::secrets::{SecretCipher, has_secrets, mistyped_secrets};
use crate::error::Error;
use crate::forms::{self, Among, ChangeDetails, Form, FormSchema, Source, Status};
use crate::http::{Response, Unchanged};
use crate::json;
use crate::pages;
use crate::rest::Call;
use crate::rest::form_members::MAX_TITLE_CHARS;
use crate::rest::paging::Page;
use crate::store::forms::{Listing, Order, version_of};
use crate::task::{Port, SqlValue};

/// The suffix of a copy's title.
const COPY_SUFFIX: &str = " (copy)";

/// `GET /cf/v1/forms`.
pub async fn list(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let page = Page::read(arguments);
    let words = arguments.text("search").unwrap_or_default();
    let listing = Listing {
        words: words.split_whitespace().map(str::to_owned).collect(),
        slug: arguments.text("slug").map(str::to_owned),
        status: arguments
            .text("status")
            .filter(|_| !is_trash(&call))
            .map(Status::read),
        among: among(&call),
        order: match arguments.text("orderby") {
            Some("title") => Order::Title,
            Some("created_at") => Order::CreatedAt,
            Some("updated_at") => Order::UpdatedAt,
            _ => Order::Id,
        },
        descending: arguments.text("order") != Some("asc"),
        offset: page.offset(),
        limit: page.per_page,
    };
    let (forms, total) = forms::list(&call.cx, &listing).await?;
    page.respond(&call, "/forms", total, &forms)
}

/// Whether the request is about forms in the trash.
fn is_trash(call: &Call) -> bool {
    call.arguments.text("status") == Some(Among::TRASH)
}

/// The forms that the request is about: trashed forms if its status is `trash`, else live forms.
fn among(call: &Call) -> Among {
    if is_trash(call) {
        Among::Trash
    } else {
        Among::Live
    }
}

/// `POST /cf/v1/forms`.
pub async fn create(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let author = Author::of(&call);
    let (markup, warnings) = author.markup(arguments.text("markup").unwrap_or_default())?;
    let mut removed = warnings.len();
    let mut settings = sealed_settings(&call, cipher(&call).await?.as_ref(), &Map::new())?;
    let mut messages = arguments.object("messages").cloned().unwrap_or_default();
    removed += author.settings(None, &mut settings).len();
    removed += author.messages(None, &mut messages).len();
    let schema: Option<FormSchema> = arguments.value("schema").map(crate::json::of).transpose()?;
    let mut new = Form {
        title: arguments.text("title").unwrap_or_default().to_owned(),
        slug: arguments.text("slug").unwrap_or_default().to_owned(),
        markup,
        settings,
        messages,
        status: Status::read(arguments.text("status").unwrap_or_default()),
        ..Form::default()
    };
    let schema = match schema {
        Some(schema) => {
            let (schema, warnings) = author.schema(None, schema)?;
            new.set_schema(&schema)?;
            removed += warnings.len();
            Some(schema)
        }
        None => None,
    };
    let unfiltered = author.is_unfiltered;
    let form = forms::create(&call.cx, new, &[], &call.principal, unfiltered).await?;
    let settings = arguments.object("settings");
    let markup = arguments.text("markup").map(|_| form.markup.as_str());
    let response = created(&call, &form);
    let response = with_warnings(&call, response, (removed, markup), settings).await;
    Ok(with_unchecked(response, schema.iter()))
}

/// `POST /cf/v1/forms/{id}/duplicate`: an unpublished copy of the form, with a new slug.
pub async fn duplicate(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let room = MAX_TITLE_CHARS - COPY_SUFFIX.len();
    let title: String = form.title.chars().take(room).collect();
    let new = Form {
        id: 0,
        title: [&title, COPY_SUFFIX].concat(),
        status: Status::Draft,
        submission_count: 0,
        ..form
    };
    // The content is stored already, with sufficient rights.
    let copy = forms::create(&call.cx, new, &[], &call.principal, true).await?;
    Ok(created(&call, &copy))
}

fn created(call: &Call, form: &Form) -> Response {
    let location = call.address(&format!("/forms/{}", form.id));
    respond(201, form).with_header("location", location)
}

/// `POST /cf/v1/forms/preview`: the page that visitors would see. Nothing is stored or counted.
pub async fn preview(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let object = |name: &str| arguments.object(name).cloned().unwrap_or_default();
    let markup = arguments.text("markup").unwrap_or_default();
    let (markup, warnings) = Author::of(&call).markup(markup)?;
    let mut form = Form {
        title: arguments.text("title").unwrap_or_default().to_owned(),
        // No form has this slug, so a submit from the preview reaches no form.
        slug: "-".to_owned(),
        markup,
        settings: object("settings"),
        messages: object("messages"),
        ..Form::default()
    };
    if let Some(schema) = arguments.value("schema") {
        form.set_schema(&crate::json::of(schema)?)?;
    }
    if let Some(edit) = arguments.object("edit") {
        edit_markup(&call, &mut form, edit)?;
    }
    // The conversion below keeps the form's own texts.
    let mut shown = form.clone();
    forms::language::fill_in_form_language(&call.cx, &mut shown);
    let html = pages::preview(&call.cx, &shown).await?;
    let mut body = json!({"html": html, "warnings": warnings});
    if arguments.flag("convert") {
        let (schema, lost) = match form.schema()? {
            Some(schema) => {
                form.markup = forms::schema_markup(&call.cx, &form, &schema, None).await?;
                (schema, Vec::new())
            }
            None => {
                let parsed = form.parsed_markup()?;
                (parsed.schema, parsed.warnings)
            }
        };
        let converted =
            json!({"schema": json::value(&schema), "markup": form.markup, "lost": lost});
        body = json::with(body, converted);
    }
    Ok(Response::json(200, &body))
}

/// `GET /cf/v1/forms/{id}`.
pub async fn get(call: Call) -> Result<Response, Error> {
    let id = call.arguments.id("id");
    let form = forms::load_among(&call.cx, id, among(&call)).await?;
    let mut response = respond(200, &form);
    // The database knows neither the defaults of plugins nor the contents of the host's meta store, so then no
    // statement can validate the response.
    if form.defaults.is_none() && form.trashed_at.is_none() && !call.cx.has(Port::Meta) {
        let (sql, params) = version_of(&call.cx, form.id);
        let former_slugs = i64::try_from(form.former_slugs.len()).unwrap_or_default();
        let rows = [
            form.revision,
            form.updated_at,
            form.submission_count,
            former_slugs,
        ];
        response.holds_while = Some(Box::new(Unchanged {
            sql,
            params,
            rows: vec![rows.map(SqlValue::from).into()],
        }));
    }
    Ok(response)
}

/// `PATCH /cf/v1/forms/{id}`.
pub async fn update(call: Call) -> Result<Response, Error> {
    let cipher = cipher(&call).await?;
    let (form, removed) = call
        .change_form(&mut |form| apply(&call, cipher.as_ref(), form))
        .await?;
    let settings = call.arguments.object("settings");
    let markup = call.arguments.text("markup");
    let markup = markup.map(|_| form.markup.as_str());
    Ok(with_warnings(&call, respond(200, &form), (removed, markup), settings).await)
}

/// Drops the form's former slugs that are not in the list; fails for an unknown slug.
fn shorten_former_slugs(form: &mut Form, listed: &[Value]) -> Result<(), Error> {
    let is_known = |slug: &Value| form.former_slugs.iter().any(|former| slug == former);
    if let Some(unknown) = listed.iter().find(|slug| !is_known(slug)) {
        let message = format!("{unknown} is not a former slug of this form.");
        return Err(Error::invalid("former_slugs", "rest_not_in_enum", message));
    }
    form.former_slugs
        .retain(|former| listed.iter().any(|slug| slug == former));
    Ok(())
}

/// Applies the members of the request to a form. Returns the number of parts that were removed from the HTML.
fn apply(call: &Call, cipher: Option<&SecretCipher>, form: &mut Form) -> Result<usize, Error> {
    let arguments = &call.arguments;
    if let Some(title) = arguments.text("title") {
        title.clone_into(&mut form.title);
    }
    if let Some(slug) = arguments.text("slug") {
        slug.clone_into(&mut form.slug);
    }
    if let Some(slugs) = arguments.value("former_slugs").and_then(Value::as_array) {
        shorten_former_slugs(form, slugs)?;
    }
    if let Some(status) = arguments.text("status") {
        form.status = Status::read(status);
    }
    let author = Author::of(call);
    let mut settings = sealed_settings(call, cipher, &form.settings)?;
    let mut messages = arguments.object("messages").cloned().unwrap_or_default();
    let in_settings = author.settings(Some(form), &mut settings);
    let in_texts = in_settings.len() + author.messages(Some(form), &mut messages).len();
    form.set_settings(settings);
    form.set_messages(messages);
    match arguments.text("markup") {
        // Unchanged markup is not sanitized again, since an author with more rights may have stored it.
        Some(markup) if markup != form.markup => {
            let (markup, removed) = author.markup(markup)?;
            form.set_markup(markup);
            Ok(in_texts + removed.len())
        }
        // Unchanged markup without a title becomes the source. With a title, the client sends the whole form.
        Some(_) if arguments.text("title").is_none() => {
            form.source = Source::Markup;
            Ok(in_texts)
        }
        _ => Ok(in_texts),
    }
}

/// The cipher for secrets, if the request's settings may contain any.
async fn cipher(call: &Call) -> Result<Option<SecretCipher>, Error> {
    let settings = call.arguments.object("settings");
    if settings.is_some_and(has_secrets) {
        SecretCipher::of(&call.cx).await.map(Some)
    } else {
        Ok(None)
    }
}

/// The settings of the request, with encrypted secrets; fails for secrets that would be lost or stored unencrypted.
fn sealed_settings(
    call: &Call,
    cipher: Option<&SecretCipher>,
    stored: &Map<String, Value>,
) -> Result<Map<String, Value>, Error> {
    let settings = call.arguments.object("settings").cloned();
    let mut settings = settings.unwrap_or_default();
    let mut faults = mistyped_secrets(&call.cx, &settings);
    if let Some(cipher) = cipher {
        cipher.seal_settings(&mut settings, stored)?;
    }
    faults.extend(masks_without_secret(&settings));
    if faults.is_empty() {
        Ok(settings)
    } else {
        Err(Error::InvalidParameters(faults))
    }
}

/// `DELETE /cf/v1/forms/{id}`: moves the form to the trash, or deletes it permanently.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let is_forced = call.arguments.flag("force");
    let previous = if is_forced {
        let check = |form: &Form| call.precondition.check(form.revision);
        forms::delete(&call.cx, call.arguments.id("id"), &check).await?
    } else {
        let details = ChangeDetails {
            summary: Some("moved to the trash".to_owned()),
            ..ChangeDetails::default()
        };
        let mut trash = |form: &mut Form| {
            let previous = form.clone();
            form.trashed_at = Some(call.cx.now());
            Ok(previous)
        };
        call.change_form_with(&details, &mut trash).await?.1
    };
    let body = json!({"deleted": true, "trashed": !is_forced, "previous": json::value(&previous)});
    Ok(Response::json(200, &body))
}

/// `POST /cf/v1/forms/{id}/restore`: takes the form out of the trash. The slug gets a number if another form uses it
/// now.
pub async fn restore(call: Call) -> Result<Response, Error> {
    let details = ChangeDetails {
        summary: Some("restored from the trash".to_owned()),
        among: Among::Trash,
        ..ChangeDetails::default()
    };
    let mut restore = |form: &mut Form| {
        form.trashed_at = None;
        Ok(())
    };
    let (form, ()) = call.change_form_with(&details, &mut restore).await?;
    let mut response = respond(200, &form);
    response.run_queue = true;
    Ok(response)
}

pub(super) fn respond(status: u16, form: &Form) -> Response {
    Response::json(status, form).with_version(form.revision)
}
