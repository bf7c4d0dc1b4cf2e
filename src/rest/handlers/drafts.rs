//! Drafts of forms. A draft is stored unchecked, and publishing it creates one revision (contract, sections 9 and 10).

use serde_json::{Map, Value};

use super::author::Author;
use super::form_warnings::{masks_without_secret, with_unchecked, with_warnings};
use crate::action_types::secrets::{SecretCipher, has_secrets, mask_settings};
use crate::dates::format_moment;
use crate::error::{Error, Missing};
use crate::forms::{ChangeDetails, Form, FormSchema, Source, Status};
use crate::http::Response;
use crate::json;
use crate::markup::Warning;
use crate::rest::Call;
use crate::rest::form_members::check_form;
use crate::store::drafts::{self, Expected, StoredDraft};

/// Limit on the bytes of a draft, as JSON.
const MAX_BYTES: usize = 8_000_000;

/// Limit on the warnings that a draft lists.
const MAX_WARNINGS: usize = 200;

/// Limit on the authors that a draft lists.
const MAX_AUTHORS: usize = 50;

/// The members of a draft: the form's revision when the draft began, and the draft's content.
const MEMBERS: [&str; 7] = [
    "base_revision",
    "title",
    "markup",
    "schema",
    "settings",
    "messages",
    "source",
];

type Members = Map<String, Value>;

/// `GET /cf/v1/forms/{id}/draft`.
pub async fn get(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let (stored, members) = stored(&call, &form).await?;
    Ok(shown(stored.version, members))
}

/// `PUT /cf/v1/forms/{id}/draft`: replaces the draft without checks, except that HTML is sanitized by the author's
/// rights.
pub async fn put(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let before = drafts::find(&call.cx, form.id).await?;
    let expected = call.precondition.expected(before.as_ref())?;
    let mut draft = Map::new();
    let mut set = |name: &str, value: Value| drop(draft.insert(name.to_owned(), value));
    set("user", json!(call.principal.login));
    set("updated_at", json!(format_moment(call.cx.now())));
    for name in MEMBERS {
        set(
            name,
            call.arguments.value(name).cloned().unwrap_or_default(),
        );
    }
    let author = Author::of(&call);
    let removed = clean(author, &form, &mut draft)?;
    let earlier = before.as_ref().map(members_of).transpose()?;
    add_authors(&mut draft, &earlier.unwrap_or_default(), &removed);
    if let Some(Value::Object(settings)) = draft.get_mut("settings")
        && has_secrets(settings)
    {
        let known = known_settings(&form, before.as_ref())?;
        let cipher = SecretCipher::of(&call.cx).await?;
        cipher.seal_settings(settings, &known)?;
    }
    let text = serde_json::to_string(&draft)?;
    if text.len() > MAX_BYTES {
        return Err(Error::PayloadTooLarge);
    }
    let rights = (call.principal.id.as_str(), author.is_unfiltered);
    let saved = drafts::put(&call.cx, form.id, rights, &text, expected).await?;
    let saved = saved.ok_or(match expected {
        Expected::Any => Error::NotFound(Missing::Form),
        Expected::Absent | Expected::Version(_) => Error::PreconditionFailed,
    })?;
    let response = shown(saved.version, draft);
    Ok(with_warnings(&call, response, (removed.len(), None), None).await)
}

/// Sanitizes a draft by its author's rights; returns warnings about removed parts. Unchanged markup stays, since an author
/// with more rights may have stored it.
fn clean(author: Author, form: &Form, draft: &mut Members) -> Result<Vec<Warning>, Error> {
    let mut removed = Vec::new();
    if let Some(Value::String(markup)) = draft.get_mut("markup")
        && *markup != form.markup
    {
        (*markup, removed) = author.markup(markup)?;
    }
    removed.extend(author.texts(form, draft));
    Ok(removed)
}

/// Adds the draft's authors, the latest last, and the warnings about their saves. A draft also contains the work of
/// earlier authors, so their names and warnings are kept.
fn add_authors(draft: &mut Members, earlier: &Members, removed: &[Warning]) {
    let user = draft.get("user").cloned().unwrap_or_default();
    let is_of_others = |login: &Value| *login != user;
    let mut authors = authors(earlier);
    authors.retain(is_of_others);
    authors.push(user.clone());
    let excess = authors.len().saturating_sub(MAX_AUTHORS);
    authors.drain(..excess);
    let saved_by = earlier.get("user").cloned().unwrap_or_default();
    let mut warnings = removed_before(earlier);
    warnings.retain(|warning| is_of_others(warning.get("user").unwrap_or(&saved_by)));
    let removed = removed.iter();
    warnings
        .extend(removed.map(|warning| json::with(json::value(warning), json!({ "user": user }))));
    warnings.truncate(MAX_WARNINGS);
    draft.insert("authors".to_owned(), Value::Array(authors));
    draft.insert("warnings".to_owned(), Value::Array(warnings));
}

/// The authors of a draft; only the last author if an older version of the engine stored the draft.
fn authors(draft: &Members) -> Vec<Value> {
    match draft.get("authors") {
        Some(Value::Array(authors)) => authors.clone(),
        _ => draft.get("user").cloned().into_iter().collect(),
    }
}

fn members_of(stored: &StoredDraft) -> Result<Members, Error> {
    Ok(serde_json::from_str(&stored.content)?)
}

/// The settings with the secrets that a mask may represent: the form's settings, overridden by the draft's.
fn known_settings(form: &Form, draft: Option<&StoredDraft>) -> Result<Members, Error> {
    let mut known = form.settings.clone();
    if let Some(draft) = draft {
        let mut earlier = members_of(draft)?;
        if let Some(Value::Object(earlier)) = earlier.remove("settings") {
            known.extend(earlier);
        }
    }
    Ok(known)
}

/// `DELETE /cf/v1/forms/{id}/draft`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let (stored, members) = stored(&call, &form).await?;
    call.precondition.check(stored.version)?;
    drafts::remove(&call.cx, form.id, stored.version).await?;
    let body = json!({"deleted": true, "previous": masked(members)});
    Ok(Response::json(200, &body))
}

/// `POST /cf/v1/forms/{id}/publish`: checks the draft, then applies it to the form and removes it in one write. A
/// request with a status needs no draft.
pub async fn publish(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let status = call.arguments.text("status").map(Status::read);
    let (stored, members) = match stored(&call, &form).await {
        Err(Error::NotFound(Missing::Draft)) if status.is_some() => (None, Map::new()),
        found => {
            let (stored, members) = found?;
            (Some(stored), members)
        }
    };
    let base = members.get("base_revision").and_then(Value::as_i64);
    let draft = check_form(&members)?;
    let object = |name: &str| draft.get(name).and_then(Value::as_object).cloned();
    let settings = object("settings").unwrap_or_default();
    let faults = masks_without_secret(&settings);
    if !faults.is_empty() {
        return Err(Error::InvalidParameters(faults));
    }
    // A draft keeps its author's rights, so that another author's script does not gain the publisher's rights.
    let author = Author::of(&call).and(stored.as_ref().is_none_or(|stored| stored.unfiltered));
    let details = ChangeDetails {
        draft: stored.as_ref().map(|stored| stored.version),
        is_filtered: !author.is_unfiltered,
        ..ChangeDetails::default()
    };
    let mut change = |form: &mut Form| {
        if base.is_some_and(|base| base != form.revision) {
            return Err(Error::PreconditionFailed);
        }
        if let Some(title) = draft.get("title").and_then(Value::as_str) {
            title.clone_into(&mut form.title);
        }
        form.status = status.unwrap_or(form.status);
        let mut settings = settings.clone();
        let mut messages = object("messages").unwrap_or_default();
        let mut removed = author.settings(Some(form), &mut settings);
        removed.extend(author.messages(Some(form), &mut messages));
        form.set_settings(settings);
        form.set_messages(messages);
        removed.extend(apply_content(author, &draft, form)?);
        Ok(removed.iter().map(json::value).collect())
    };
    let (form, mut removed) = call.change_form_with(&details, &mut change).await?;
    if let Some(stored) = &stored
        && Some(form.revision) == base
    {
        drafts::remove(&call.cx, form.id, stored.version).await?;
    }
    let mut warnings = removed_before(&members);
    warnings.append(&mut removed);
    let body = json::with(json::value(&form), json!({"warnings": warnings}));
    let response = Response::json(200, &body).with_version(form.revision);
    let markup = draft.get("markup").map(|_| form.markup.as_str());
    let warned = (warnings.len(), markup);
    let response = with_warnings(&call, response, warned, Some(&settings)).await;
    let schema = form.schema()?.filter(|_| draft.contains_key("schema"));
    Ok(with_unchecked(response, schema.iter()))
}

/// Applies the draft's markup, schema and source to a form; returns warnings about removed parts.
fn apply_content(author: Author, draft: &Members, form: &mut Form) -> Result<Vec<Warning>, Error> {
    let mut removed = Vec::new();
    let markup = draft.get("markup").and_then(Value::as_str);
    if let Some(markup) = markup.filter(|markup| *markup != form.markup) {
        let (markup, from_markup) = author.markup(markup)?;
        form.set_markup(markup);
        removed = from_markup;
    }
    if let Some(schema) = draft.get("schema") {
        let schema: FormSchema = crate::json::of(schema)?;
        let (schema, from_schema) = author.schema(Some(form), schema)?;
        if form.schema()?.as_ref() != Some(&schema) {
            form.set_schema(&schema)?;
        }
        removed.extend(from_schema);
    }
    match draft.get("source").and_then(Value::as_str) {
        Some("schema") if form.stored_schema.is_none() => {
            let message = "The form has no schema that could be its source.";
            return Err(Error::invalid("source", "rest_invalid_param", message));
        }
        Some("schema") => form.source = Source::Schema,
        Some(_) => form.source = Source::Markup,
        None => {}
    }
    Ok(removed)
}

/// The warnings about parts that were removed from a draft when it was saved or read.
fn removed_before(members: &Members) -> Vec<Value> {
    let warnings = members.get("warnings").and_then(Value::as_array);
    warnings.cloned().unwrap_or_default()
}

/// Reads a form's stored draft and its members. Sanitizes the draft of an author without `unfiltered_html` again, since
/// older versions of the engine did not sanitize drafts.
async fn stored(call: &Call, form: &Form) -> Result<(StoredDraft, Members), Error> {
    let stored = drafts::find(&call.cx, form.id).await?;
    let stored = stored.ok_or(Error::NotFound(Missing::Draft))?;
    let mut members = members_of(&stored)?;
    let author = Author {
        is_unfiltered: stored.unfiltered,
    };
    let removed = clean(author, form, &mut members)?;
    let mut warnings = removed_before(&members);
    warnings.extend(removed.iter().map(json::value));
    warnings.truncate(MAX_WARNINGS);
    members.insert("warnings".to_owned(), Value::Array(warnings));
    members.entry("source").or_insert(Value::Null);
    members.insert("authors".to_owned(), authors(&members).into());
    Ok((stored, members))
}

fn masked(mut draft: Members) -> Members {
    if let Some(Value::Object(settings)) = draft.get_mut("settings") {
        mask_settings(settings);
    }
    draft
}

fn shown(version: i64, draft: Members) -> Response {
    Response::json(200, &masked(draft)).with_version(version)
}
