//! The routes of forms (specification, "Forms").

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::author::Author;
use super::fields::edit_markup;
use super::schema::with_unchecked;
use crate::actions;
use crate::actions::secrets::{SecretCipher, has_secrets, mistyped_secrets};
use crate::error::{Error, Fault};
use crate::forms::settings::{Action, Settings};
use crate::forms::spam_settings::missing_setting;
use crate::forms::{self, Form, FormSchema, Source, Status};
use crate::front;
use crate::http::{Response, Unchanged};
use crate::json;
use crate::markup::Warning;
use crate::rest::Call;
use crate::rest::paging::Page;
use crate::store::forms::{Listing, Order, version_of};
use crate::task::{Context, Port, SqlValue};

/// The longest title of a form, in characters.
pub const MAX_TITLE_CHARS: usize = 200;

/// What is added to the title of a copy.
const COPY: &str = " (copy)";

/// How many unknown types of actions and spam checks a response names.
pub(super) const MAX_NAMED_TYPES: usize = 10;

/// The most characters of a setting's name in a warning: a header is no place for more.
const MAX_NAMED_CHARS: usize = 100;

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
        limit: page.per_page,
    };
    let (forms, total) = forms::list(&call.cx, &listing).await?;
    page.answer(&call, "/forms", total, &forms)
}

/// `POST /cf/v1/forms`.
pub async fn create(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let author = Author::of(&call);
    let (markup, mut removed) =
        allowed_markup(&call, arguments.text("markup").unwrap_or_default())?;
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
    let form = forms::create(&call.cx, new, None, &call.principal, unfiltered).await?;
    let settings = arguments.object("settings");
    let markup = arguments.text("markup").map(|_| form.markup.as_str());
    let response = created(&call, &form);
    let response = with_warnings(&call, response, (removed, markup), settings).await;
    Ok(with_unchecked(response, schema.iter()))
}

/// `POST /cf/v1/forms/{id}/duplicate`: a draft of the same, with a slug of its own.
pub async fn duplicate(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let room = MAX_TITLE_CHARS - COPY.len();
    let title: String = form.title.chars().take(room).collect();
    let new = Form {
        id: 0,
        title: [&title, COPY].concat(),
        status: Status::Draft,
        submission_count: 0,
        ..form
    };
    // What it holds was stored before, by whoever had the right to.
    let copy = forms::create(&call.cx, new, None, &call.principal, true).await?;
    Ok(created(&call, &copy))
}

fn created(call: &Call, form: &Form) -> Response {
    let location = call.address(&format!("/forms/{}", form.id));
    answer(201, form).with_header("location", location)
}

/// `POST /cf/v1/forms/preview`: the page that visitors would see. Nothing is stored or counted.
pub async fn preview(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let object = |name: &str| arguments.object(name).cloned().unwrap_or_default();
    let (markup, warnings) = harmless(&call, arguments.text("markup").unwrap_or_default())?;
    let mut form = Form {
        title: arguments.text("title").unwrap_or_default().to_owned(),
        // A slug is never this, so that no form gets what the preview may send.
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
    let html = front::preview(&call.cx, &form).await?;
    let mut answer = json!({"html": html, "warnings": warnings});
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
        answer = json::with(answer, converted);
    }
    Ok(Response::json(200, &answer))
}

/// `GET /cf/v1/forms/{id}`.
pub async fn get(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let mut response = answer(200, &form);
    // Of defaults that plugins give, and of a host's own meta store, the database knows nothing.
    if form.defaults.is_none() && !call.cx.has(Port::Meta) {
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
    Ok(with_warnings(&call, answer(200, &form), (removed, markup), settings).await)
}

/// Keeps those of the former slugs that are listed.
fn shorten_former_slugs(form: &mut Form, listed: &[Value]) -> Result<(), Error> {
    let is_known = |slug: &Value| form.former_slugs.iter().any(|own| slug == own);
    if let Some(unknown) = listed.iter().find(|slug| !is_known(slug)) {
        let message = format!("{unknown} is no former slug of this form.");
        return Err(Error::invalid("former_slugs", "rest_not_in_enum", message));
    }
    form.former_slugs
        .retain(|own| listed.iter().any(|slug| slug == own));
    Ok(())
}

/// Gives a form the members of the request. Returns how many things were removed from its HTML.
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
        // What somebody else may have stored stays as it is when it only comes along.
        Some(markup) if markup != form.markup => {
            let (markup, removed) = allowed_markup(call, markup)?;
            form.set_markup(markup);
            Ok(in_texts + removed)
        }
        // The markup on its own is to be the source. Beside a title it comes with the whole form.
        Some(_) if arguments.text("title").is_none() => {
            form.source = Source::Markup;
            Ok(in_texts)
        }
        _ => Ok(in_texts),
    }
}

/// What encrypts secrets, when the request's settings may have any.
async fn cipher(call: &Call) -> Result<Option<SecretCipher>, Error> {
    let settings = call.arguments.object("settings");
    if settings.is_some_and(has_secrets) {
        SecretCipher::of(&call.cx).await.map(Some)
    } else {
        Ok(None)
    }
}

/// The settings of the request, the secrets of their actions encrypted.
fn sealed_settings(
    call: &Call,
    cipher: Option<&SecretCipher>,
    stored: &Map<String, Value>,
) -> Result<Map<String, Value>, Error> {
    let settings = call.arguments.object("settings").cloned();
    let mut settings = settings.unwrap_or_default();
    if let Some(cipher) = cipher {
        cipher.seal_settings(&mut settings, stored)?;
    }
    let mut faults = masks_of_nothing(&settings);
    faults.extend(mistyped_secrets(&call.cx, &settings));
    if faults.is_empty() {
        Ok(settings)
    } else {
        Err(Error::InvalidParameters(faults))
    }
}

/// Reports spam checks whose secret came as a mask with no stored secret: they would let everything
/// pass.
pub(super) fn masks_of_nothing(settings: &Map<String, Value>) -> Vec<Fault> {
    let checks = settings.get("spam_checks").and_then(Value::as_array);
    let checks = checks.into_iter().flatten().enumerate();
    let faults = checks.filter_map(|(index, check)| {
        let key = missing_setting(check.as_object()?)?;
        let path = format!("settings.spam_checks[{index}].{key}");
        let message = "The mask stands for a secret that is not stored. Send the secret.";
        Some(Fault::new(path, "rest_property_required", message))
    });
    faults.collect()
}

/// `DELETE /cf/v1/forms/{id}`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let check = |form: &Form| call.precondition.check(form.revision);
    let form = forms::delete(&call.cx, call.arguments.id("id"), &check).await?;
    let body = json!({"deleted": true, "previous": json::value(&form)});
    Ok(Response::json(200, &body))
}

/// The markup as the caller may store it, and how many things were removed from it.
pub(super) fn allowed_markup(call: &Call, markup: &str) -> Result<(String, usize), Error> {
    let (cleaned, warnings) = harmless(call, markup)?;
    Ok((cleaned, warnings.len()))
}

/// The markup as the caller may store it, and what was removed from it.
pub(super) fn harmless(call: &Call, markup: &str) -> Result<(String, Vec<Warning>), Error> {
    Author::of(call).markup(markup)
}

/// Adds warnings about the form that was stored: how many things were removed from its markup, which
/// of the controls in it no submission can hold, which actions and spam checks have a type that nobody offers, which actions lack a setting, and
/// which have one that nothing reads.
pub(super) async fn with_warnings(
    call: &Call,
    response: Response,
    (removed, markup): (usize, Option<&str>),
    settings: Option<&Map<String, Value>>,
) -> Response {
    let mut response = response;
    let mut warnings = markup.map(forms::unstored_controls).unwrap_or_default();
    let count = removed + warnings.len();
    if count > 0 {
        response = response.with_header("x-cf-warnings", count.to_string());
    }
    warnings.truncate(MAX_NAMED_TYPES);
    if let Some(settings) = settings {
        let unknown = forms::unknown_settings(&call.cx, settings).await;
        let unknown = unknown.iter().take(MAX_NAMED_TYPES);
        warnings.extend(unknown.map(|key| {
            let start: String = key.chars().take(MAX_NAMED_CHARS).collect();
            format!("unknown setting \"{}\"", start.escape_default())
        }));
        warnings.extend(unknown_types(&call.cx, settings, &mut None).await);
        let faults = action_faults(&call.cx, settings).into_iter();
        warnings.extend(faults.map(|fault| fault.what));
        let colours = settings.get("theme_values");
        warnings.extend(model::front_settings::faint_pairs(colours));
    }
    if !warnings.is_empty() {
        response = response.with_header("x-cf-warning", warnings.join(", "));
    }
    response
}

/// What is wrong with an action.
pub(super) struct ActionFault {
    /// Whether the action is skipped because of it; else it is about a setting that nothing reads.
    pub(super) is_skipped: bool,
    /// The action in the settings.
    pub(super) place: String,
    pub(super) what: String,
}

/// The actions of built-in types that will be skipped, because a required setting is empty, then those with
/// settings that nothing reads.
pub(super) fn action_faults(cx: &Context, settings: &Map<String, Value>) -> Vec<ActionFault> {
    let (mut skipped, mut mistaken) = (Vec::new(), Vec::new());
    let actions = settings.get("actions").and_then(Value::as_array);
    for (index, action) in actions.into_iter().flatten().enumerate() {
        let Some(action) = action.as_object() else {
            continue;
        };
        let place = format!("actions[{index}]");
        let fault = |is_skipped, what: &str| ActionFault {
            is_skipped,
            what: format!("{what} at {place}"),
            place: place.clone(),
        };
        let kind = action.get("type").and_then(Value::as_str);
        let kind = kind.and_then(actions::built_in);
        if let Some(kind) = kind
            && let Some(first) = kind.missing_settings(action).first()
        {
            let what = format!("{} action without \"{}\"", kind.kind, first.key);
            skipped.push(fault(true, &what));
        }
        let mistakes = actions::mistakes(cx, action);
        mistaken.extend(mistakes.iter().map(|what| fault(false, what)));
    }
    skipped.truncate(MAX_NAMED_TYPES);
    mistaken.truncate(MAX_NAMED_TYPES);
    skipped.extend(mistaken);
    skipped
}

/// Lists the types of actions and spam checks in settings that nobody offers. Plugins are asked for
/// their action types when they are needed first; `known` keeps the answer.
pub(super) async fn unknown_types(
    cx: &Context,
    settings: &Map<String, Value>,
    known: &mut Option<Vec<(String, String)>>,
) -> Vec<String> {
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    // A header holds nothing but visible ASCII, and not much of it.
    let actions = Settings::read(settings).actions;
    if !actions.is_empty() {
        let known = match known {
            Some(known) => known,
            None => known.insert(actions::all_types(cx).await),
        };
        for Action { kind, .. } in actions {
            if !known.iter().any(|(own, _)| *own == kind) {
                unknown.insert(format!("unknown action type \"{}\"", kind.escape_default()));
            }
        }
    }
    let checks = settings.get("spam_checks").and_then(Value::as_array);
    let kinds = checks.into_iter().flatten();
    for kind in kinds.filter_map(|check| check.get("type")?.as_str()) {
        if !front::is_spam_check(kind) {
            unknown.insert(format!("unknown spam check \"{}\"", kind.escape_default()));
        }
    }
    unknown.into_iter().take(MAX_NAMED_TYPES).collect()
}

pub(super) fn answer(status: u16, form: &Form) -> Response {
    Response::json(status, form).with_version(form.revision)
}
