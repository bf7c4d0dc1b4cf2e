//! Work in progress on a form: kept unchecked, published as one revision (contract, section 9).

use serde_json::{Map, Value};

use super::forms::{allowed_markup, answer, masks_of_nothing, with_warnings};
use super::schema::with_unchecked;
use crate::actions::secrets::{SecretCipher, has_secrets, mask_settings};
use crate::dates::format_moment;
use crate::error::{Error, Missing};
use crate::forms::{ChangeDetails, Form, FormSchema};
use crate::http::Response;
use crate::rest::Call;
use crate::rest::routes::check_form;
use crate::store::drafts;

/// The most bytes of it, as JSON.
const MAX_BYTES: usize = 8_000_000;

/// The revision that it began with, and what of a form it may hold.
const MEMBERS: [&str; 6] = [
    "base_revision",
    "title",
    "markup",
    "schema",
    "settings",
    "messages",
];

/// `GET /cf/v1/forms/{id}/draft`.
pub async fn get(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let (_, draft) = stored(&call, form.id).await?;
    Ok(shown(draft))
}

/// `PUT /cf/v1/forms/{id}/draft`: replaces what was kept, unchecked.
pub async fn put(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
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
    if let Some(Value::Object(settings)) = draft.get_mut("settings")
        && has_secrets(settings)
    {
        let known = known_settings(&call, &form).await?;
        let cipher = SecretCipher::of(&call.cx).await?;
        cipher.seal_settings(settings, &known)?;
    }
    let text = serde_json::to_string(&draft)?;
    if text.len() > MAX_BYTES {
        return Err(Error::PayloadTooLarge);
    }
    if !drafts::put(&call.cx, form.id, &text).await? {
        return Err(Error::NotFound(Missing::Form));
    }
    Ok(shown(draft))
}

/// The settings whose secrets a mask may stand for: those of the form under those that were kept.
async fn known_settings(call: &Call, form: &Form) -> Result<Map<String, Value>, Error> {
    let mut known = form.settings.clone();
    if let Some(text) = drafts::find(&call.cx, form.id).await? {
        let mut earlier: Map<String, Value> = serde_json::from_str(&text)?;
        if let Some(Value::Object(earlier)) = earlier.remove("settings") {
            known.extend(earlier);
        }
    }
    Ok(known)
}

/// `DELETE /cf/v1/forms/{id}/draft`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let (text, draft) = stored(&call, form.id).await?;
    drafts::remove(&call.cx, form.id, &text).await?;
    let body = json!({"deleted": true, "previous": masked(draft)});
    Ok(Response::json(200, &body))
}

/// `POST /cf/v1/forms/{id}/publish`: checks it, makes it the form and removes it, in one write.
pub async fn publish(call: Call) -> Result<Response, Error> {
    let id = call.form().await?.id;
    let (text, draft) = stored(&call, id).await?;
    let base = draft.get("base_revision").and_then(Value::as_i64);
    let draft = check_form(&draft)?;
    let object = |name: &str| draft.get(name).and_then(Value::as_object).cloned();
    let settings = object("settings").unwrap_or_default();
    let faults = masks_of_nothing(&settings);
    if !faults.is_empty() {
        return Err(Error::InvalidParameters(faults));
    }
    let details = ChangeDetails {
        draft: Some(text.clone()),
        ..ChangeDetails::default()
    };
    let mut change = |form: &mut Form| {
        if Some(form.revision) != base {
            return Err(Error::PreconditionFailed);
        }
        if let Some(title) = draft.get("title").and_then(Value::as_str) {
            title.clone_into(&mut form.title);
        }
        form.set_settings(settings.clone());
        form.set_messages(object("messages").unwrap_or_default());
        let markup = draft.get("markup").and_then(Value::as_str);
        let removed = match markup.filter(|markup| *markup != form.markup) {
            Some(markup) => {
                let (markup, removed) = allowed_markup(&call, markup)?;
                form.set_markup(markup);
                removed
            }
            None => 0,
        };
        if let Some(schema) = draft.get("schema") {
            let schema: FormSchema = crate::json::of(schema)?;
            if form.schema()?.as_ref() != Some(&schema) {
                form.set_schema(&schema)?;
            }
        }
        Ok(removed)
    };
    let (form, removed) = call.change_form_with(&details, &mut change).await?;
    if Some(form.revision) == base {
        drafts::remove(&call.cx, id, &text).await?;
    }
    let response = answer(200, &form);
    let response = with_warnings(&call, response, removed, Some(&settings)).await;
    let schema = form.schema()?.filter(|_| draft.contains_key("schema"));
    Ok(with_unchecked(response, schema.iter()))
}

/// The draft that is kept: as it is stored, and read.
async fn stored(call: &Call, form_id: i64) -> Result<(String, Map<String, Value>), Error> {
    let text = drafts::find(&call.cx, form_id).await?;
    let text = text.ok_or(Error::NotFound(Missing::Draft))?;
    let draft = serde_json::from_str(&text)?;
    Ok((text, draft))
}

fn masked(mut draft: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(settings)) = draft.get_mut("settings") {
        mask_settings(settings);
    }
    draft
}

fn shown(draft: Map<String, Value>) -> Response {
    Response::json(200, &masked(draft))
}
