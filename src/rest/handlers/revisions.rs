//! The revisions of a form: listing, reading and restoring them.

use super::author::Author;
use super::form_warnings::with_warnings;
use super::forms::respond;
use crate::action_types::secrets::mask_settings;
use crate::error::{Error, Missing};
use crate::forms::{ChangeDetails, Form, FormSchema};
use crate::http::Response;
use crate::json;
use crate::rest::Call;
use crate::rest::paging::Page;
use crate::store::revisions::{self, Revision, RevisionContent};

/// `GET /cf/v1/forms/{id}/revisions`: the revisions, the newest first.
pub async fn list(call: Call) -> Result<Response, Error> {
    let id = call.arguments.id("id");
    let page = Page::read(&call.arguments);
    let limit = page.per_page.unwrap_or(20);
    let found = revisions::list(&call.cx, id, page.offset(), limit).await?;
    let (rows, total) = found.ok_or(Error::NotFound(Missing::Form))?;
    page.respond(&call, &format!("/forms/{id}/revisions"), total, &rows)
}

/// `GET /cf/v1/forms/{id}/revisions/{revision}`: a revision with the content that the form had then.
pub async fn get(call: Call) -> Result<Response, Error> {
    let mut form = call.form().await?;
    let (revision, content) = read(&call).await?;
    apply(&mut form, content);
    let mut settings = form.all_settings();
    mask_settings(&mut settings);
    let content = json!({
        "title": form.title,
        "markup": form.markup,
        "schema": form.schema()?,
        "source": form.source,
        "settings": settings,
        "messages": form.all_messages(),
    });
    Ok(Response::json(200, &json::with(json!(revision), content)))
}

/// `POST /cf/v1/forms/{id}/revisions/{revision}/restore`: stores an old revision's content as a new revision. The slug
/// and the status stay.
pub async fn restore(call: Call) -> Result<Response, Error> {
    call.form().await?;
    let (revision, content) = read(&call).await?;
    let author = Author::of(&call);
    let of_markup = author.and(content.markup_is_unfiltered);
    let of_schema = author.and(content.schema_is_unfiltered != Some(false));
    let details = ChangeDetails {
        summary: Some(format!("restored revision {}", revision.revision)),
        is_filtered: !(of_markup.is_unfiltered && of_schema.is_unfiltered),
        ..ChangeDetails::default()
    };
    let mut change = |form: &mut Form| {
        let mut content = content.clone();
        let mut removed = 0;
        if content.markup != form.markup {
            let (markup, warnings) = of_markup.markup(&content.markup)?;
            content.markup = markup;
            removed = warnings.len();
        }
        if let Some(schema) = &mut content.schema {
            let parsed: FormSchema = serde_json::from_str(schema)?;
            let (parsed, warnings) = of_schema.schema(Some(form), parsed)?;
            if !warnings.is_empty() {
                *schema = serde_json::to_string(&parsed)?;
                removed += warnings.len();
            }
        }
        removed += author.settings(Some(form), &mut content.settings).len();
        removed += author.messages(Some(form), &mut content.messages).len();
        // A form never loses its stored schema, even if the restored revision had none.
        content.schema = content.schema.or_else(|| form.stored_schema.clone());
        apply(form, content);
        Ok(removed)
    };
    let (form, removed) = call.change_form_with(&details, &mut change).await?;
    let warned = (removed, Some(form.markup.as_str()));
    Ok(with_warnings(&call, respond(200, &form), warned, None).await)
}

async fn read(call: &Call) -> Result<(Revision, RevisionContent), Error> {
    let (id, number) = (call.arguments.id("id"), call.arguments.id("revision"));
    let found = revisions::find(&call.cx, id, number).await?;
    found.ok_or(Error::NotFound(Missing::Revision))
}

fn apply(form: &mut Form, content: RevisionContent) {
    form.title = content.title;
    form.markup = content.markup;
    form.has_schema = content.schema.is_some();
    form.stored_schema = content.schema;
    form.settings = content.settings;
    form.messages = content.messages;
    form.source = content.source;
}
