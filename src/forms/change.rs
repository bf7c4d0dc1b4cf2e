//! Making, changing and deleting forms. A change is made to what was just read and is stored only
//! if nothing else came between; else it is made again to what is there by then. So two changes
//! of different keys both survive.

use serde_json::{Map, Value};

use super::defaults::defaults;
use super::form::{front, load_existing};
use super::former_names;
use super::hand_over::hand_over;
use crate::error::Error;
use crate::http::Principal;
use crate::store::{Changed, Form, StoreError, forms, meta};
use crate::submissions::remove_files;
use crate::task::Context;
use model::UNFILTERED_HTML;
use model::slug::{MAX_SLUG_CHARS, numbered_slug, slug_of};

/// How often a change is made again. Of changes at one time each round lets one through, so this
/// many may meet.
const ATTEMPTS: usize = 100;

/// The most bytes of a form's settings, and of its messages, as JSON. Changes merge, so the limit
/// on a request's body does not bound them.
const MAX_JSON_BYTES: usize = 1_000_000;

/// Stores a new form, with its schema if it has one, in one write. An empty slug is made from the title; a
/// number is added when another form has it. `origin` is what it is imported from; `unfiltered` says whether its
/// markup was stored by somebody who may store any.
pub async fn create(
    cx: &Context,
    new: Form,
    origin: Option<&str>,
    author: &Principal,
    unfiltered: bool,
) -> Result<Form, Error> {
    let mut form = Form {
        revision: 1,
        created_at: cx.now(),
        updated_at: cx.now(),
        defaults: defaults(cx).await,
        front: front(cx),
        former_slugs: Vec::new(),
        ..new
    };
    if form.slug.is_empty() {
        form.slug = slug_of(&form.title);
    }
    let wanted = form.slug.clone();
    form.settings.retain(|_, value| !value.is_null());
    form.messages.retain(|_, value| !value.is_null());
    check_length("settings", &form.settings)?;
    check_length("messages", &form.messages)?;
    for _ in 0..ATTEMPTS {
        if let Some(id) = forms::insert(cx, &form, origin, author, unfiltered).await? {
            form.id = id;
            if form.has_schema {
                hand_over(cx, id).await;
            }
            return Ok(form);
        }
        form.slug = free_slug(cx, &wanted, "").await?;
    }
    Err(Error::Conflict)
}

/// The wanted slug, or with the first number that no form has but the one whose slug is `own`.
async fn free_slug(cx: &Context, wanted: &str, own: &str) -> Result<String, StoreError> {
    // Adding a number may cut the slug's end off, but never this much.
    let digits = u64::MAX.ilog10() as usize + 2;
    let beginning: String = wanted.chars().take(MAX_SLUG_CHARS - digits).collect();
    let taken = forms::slugs_beginning(cx, beginning.trim_end_matches('-')).await?;
    let free = std::iter::once(wanted.to_owned())
        .chain((2..).map(|number| numbered_slug(wanted, number)))
        .find(|slug| slug == own || !taken.contains(slug));
    Ok(free.unwrap_or_else(|| wanted.to_owned()))
}

/// Details of a change of a form, besides the edit.
#[derive(Clone, Debug, Default)]
pub struct ChangeDetails {
    /// The summary of the change, in place of the names of what it changes.
    pub summary: Option<String>,
    /// The version of the draft that the change publishes, and removes.
    pub draft: Option<i64>,
    /// Whether its content was cleaned, although its author need not have been.
    pub is_filtered: bool,
}

/// Changes a form by `edit`, which may inspect it first and refuse, and runs again where another change came
/// first. Returns the form as it is then. An edit that changes nothing is not stored and makes no revision.
pub async fn change(
    cx: &Context,
    id: i64,
    author: &Principal,
    details: &ChangeDetails,
    edit: &mut dyn FnMut(&mut Form) -> Result<(), Error>,
) -> Result<Form, Error> {
    for _ in 0..ATTEMPTS {
        let before = load_existing(cx, id).await?;
        let mut form = before.clone();
        edit(&mut form)?;
        let left_to_title = form.slug.is_empty();
        if left_to_title {
            form.slug = free_slug(cx, &slug_of(&form.title), &before.slug).await?;
        }
        if form == before {
            return Ok(form);
        }
        retire_slug(&before, &mut form);
        form.revision += 1;
        form.updated_at = cx.now();
        former_names::keep(cx, &before, &mut form)?;
        let mut changed = changed(&before, &form)?;
        changed.unfiltered = !details.is_filtered && author.can(UNFILTERED_HTML);
        changed.revokes_links =
            form.settings().file_link_days == 0 && before.settings().file_link_days > 0;
        if let Some(summary) = &details.summary {
            summary.clone_into(&mut changed.summary);
        }
        check_length("settings", &form.settings)?;
        check_length("messages", &form.messages)?;
        let is_new_schema = changed.schema.is_some();
        match forms::update(cx, &form, changed, details.draft, author).await {
            Ok(true) => {
                if is_new_schema {
                    hand_over(cx, id).await;
                }
                return Ok(form);
            }
            outcome => {
                // Two forms that want one slug at the same time: the database lets one fail.
                if form.slug == before.slug || load_other(cx, &form).await?.is_none() {
                    outcome?;
                } else if !left_to_title {
                    return Err(Error::SlugExists);
                }
            }
        }
    }
    Err(Error::Conflict)
}

/// The most former slugs of a form; the oldest go.
const MAX_FORMER_SLUGS: usize = 50;

/// Keeps the slug that a change replaces among the former ones.
fn retire_slug(before: &Form, form: &mut Form) {
    if form.slug != before.slug {
        form.former_slugs
            .retain(|slug| *slug != form.slug && *slug != before.slug);
        form.former_slugs.insert(0, before.slug.clone());
        form.former_slugs.truncate(MAX_FORMER_SLUGS);
    }
}

/// Another form with the form's slug.
async fn load_other(cx: &Context, form: &Form) -> Result<Option<Form>, StoreError> {
    let found = super::form::load_by_slug(cx, &form.slug).await?;
    Ok(found.filter(|found| found.id != form.id))
}

/// Deletes a form that `check` does not refuse, with everything that belongs to it, and returns
/// what it was.
pub async fn delete(
    cx: &Context,
    id: i64,
    check: &dyn Fn(&Form) -> Result<(), Error>,
) -> Result<Form, Error> {
    for _ in 0..ATTEMPTS {
        let form = load_existing(cx, id).await?;
        check(&form)?;
        if let Some(files) = forms::delete(cx, id, form.revision).await? {
            clean_up(cx, id, &files).await;
            return Ok(form);
        }
    }
    Err(Error::Conflict)
}

/// Removes what a deleted form left outside the database. Nothing refers to it any more, so a
/// failure is for the log alone.
async fn clean_up(cx: &Context, id: i64, files: &[String]) {
    if let Err(error) = meta::drop_schema(cx, id).await {
        let fields = json!({"form_id": id, "error": error.to_string()});
        cx.log("warn", "a deleted form left its schema behind", fields)
            .await;
    }
    remove_files(cx, files).await;
}

fn check_length(name: &str, members: &Map<String, Value>) -> Result<(), Error> {
    if serde_json::to_string(members)?.len() > MAX_JSON_BYTES {
        let message = format!("{name} may have at most {MAX_JSON_BYTES} bytes.");
        return Err(Error::invalid(name, "rest_too_long", message));
    }
    Ok(())
}

fn changed(before: &Form, form: &Form) -> Result<Changed, Error> {
    let text = |old: &str, new: &str| (old != new).then(|| new.to_owned());
    let json = |old: &Map<String, Value>, new: &Map<String, Value>| {
        (old != new).then(|| serde_json::to_string(new)).transpose()
    };
    let schema = form.stored_schema.as_ref();
    let differ = [
        ("title", before.title != form.title),
        ("slug", before.slug != form.slug),
        (
            "former slugs",
            before.slug == form.slug && before.former_slugs != form.former_slugs,
        ),
        ("status", before.status != form.status),
        ("markup", before.markup != form.markup),
        ("schema", before.stored_schema != form.stored_schema),
        ("source", before.source != form.source),
        ("settings", before.settings != form.settings),
        ("messages", before.messages != form.messages),
    ];
    let names = differ.iter().filter(|(_, differs)| *differs);
    let names: Vec<&str> = names.map(|(name, _)| *name).collect();
    Ok(Changed {
        summary: names.join(", "),
        title: text(&before.title, &form.title),
        markup: text(&before.markup, &form.markup),
        schema: schema
            .filter(|_| before.stored_schema != form.stored_schema)
            .cloned(),
        settings: json(&before.settings, &form.settings)?,
        messages: json(&before.messages, &form.messages)?,
        former_slugs: (before.slug != form.slug || before.former_slugs != form.former_slugs)
            .then(|| form.former_slugs.clone()),
        unfiltered: false,
        revokes_links: false,
    })
}
