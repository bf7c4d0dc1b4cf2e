//! Creating, changing and deleting forms with optimistic locking: when another change came first, the edit is
//! repeated on the newer form. So concurrent changes of different keys both survive.

use serde_json::{Map, Value};

use super::defaults::defaults;
use super::form::{front, load_among};
use super::former_names;
use super::hand_over::hand_over;
use super::holds;
use crate::error::Error;
use crate::files::remove_files;
use crate::store::{Among, Changed, Form, StoreError, forms, meta};
use crate::task::Context;
use model::slug::{MAX_SLUG_CHARS, numbered_slug, slug_of};
use model::{Principal, UNFILTERED_HTML};

/// Limit on the attempts of a change. In each round one of the concurrent changes succeeds, so 100 concurrent changes
/// all succeed.
const MAX_ATTEMPTS: usize = 100;

/// Limit on the bytes of a form's settings, and of its messages, as JSON. Changes accumulate, so the limit on request
/// bodies does not bound them.
const MAX_JSON_BYTES: usize = 1_000_000;

/// Stores a new form, with its schema if it has one, in one write. An empty slug is derived from the title; a taken
/// slug gets a number. `more` are values of meta keys; `unfiltered` tells whether the author has
/// `unfiltered_html`.
pub async fn create(
    cx: &Context,
    new: Form,
    more: &[(&str, String)],
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
    check_settings(cx, &form).await?;
    for _ in 0..MAX_ATTEMPTS {
        if let Some(id) = forms::insert(cx, &form, more, author, unfiltered).await? {
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

/// Returns the wanted slug, with a number if another form has it. The form's own slug, `current`, counts as free.
async fn free_slug(cx: &Context, wanted: &str, current: &str) -> Result<String, StoreError> {
    // Appending a number may shorten the slug, but never by more than this.
    let digits = u64::MAX.ilog10() as usize + 2;
    let beginning: String = wanted.chars().take(MAX_SLUG_CHARS - digits).collect();
    let taken = forms::slugs_beginning(cx, beginning.trim_end_matches('-')).await?;
    let free = std::iter::once(wanted.to_owned())
        .chain((2..).map(|number| numbered_slug(wanted, number)))
        .find(|slug| slug == current || !taken.contains(slug));
    Ok(free.unwrap_or_else(|| wanted.to_owned()))
}

/// Details of a change of a form, without the edit itself.
#[derive(Clone, Debug, Default)]
pub struct ChangeDetails {
    /// The summary of the change; by default, the names of the changed members.
    pub summary: Option<String>,
    /// The version of the draft that the change publishes and removes.
    pub draft: Option<i64>,
    /// Whether the content was sanitized, although the author has `unfiltered_html`.
    pub is_filtered: bool,
    /// Whether the form must be in use, must be in the trash, or may be either.
    pub among: Among,
}

/// Applies `edit` to a form. `edit` may fail, and runs again when another change came first. Returns the changed form.
/// An edit without changes stores no revision.
pub async fn change(
    cx: &Context,
    id: i64,
    author: &Principal,
    details: &ChangeDetails,
    edit: &mut dyn FnMut(&mut Form) -> Result<(), Error>,
) -> Result<Form, Error> {
    for _ in 0..MAX_ATTEMPTS {
        let before = load_among(cx, id, details.among).await?;
        let mut form = before.clone();
        edit(&mut form)?;
        let is_moved = before.trashed_at != form.trashed_at;
        let is_restored = is_moved && form.trashed_at.is_none();
        let may_number_slug = form.slug.is_empty() || is_restored;
        if is_restored {
            form.slug = free_slug(cx, &form.slug, "").await?;
        } else if form.slug.is_empty() {
            form.slug = free_slug(cx, &slug_of(&form.title), &before.slug).await?;
        }
        if form == before {
            return Ok(form);
        }
        form.revision += 1;
        form.updated_at = cx.now();
        if !is_moved {
            retire_slug(&before, &mut form);
            former_names::keep(cx, &before, &mut form)?;
        }
        let mut changed = changed(&before, &form)?;
        changed.unfiltered = !details.is_filtered && author.can(UNFILTERED_HTML);
        changed.revokes_links =
            form.settings().file_link_days == 0 && before.settings().file_link_days > 0;
        if let Some(summary) = &details.summary {
            summary.clone_into(&mut changed.summary);
        }
        check_settings(cx, &form).await?;
        let is_new_schema = changed.schema.is_some();
        let moves_holds = changed.moves_holds;
        match forms::update(cx, &form, changed, details.draft, author).await {
            Ok(true) => {
                settle(cx, id, is_new_schema, moves_holds).await?;
                return Ok(form);
            }
            outcome => {
                // The database may have failed because another form took the slug at the same time.
                let is_slug_new = is_restored || form.slug != before.slug;
                if !is_slug_new || load_other(cx, &form).await?.is_none() {
                    outcome?;
                } else if !may_number_slug {
                    return Err(Error::SlugExists);
                }
            }
        }
    }
    Err(Error::Conflict)
}

/// Runs the work that follows a change of the fields.
async fn settle(
    cx: &Context,
    id: i64,
    is_new_schema: bool,
    moves_holds: bool,
) -> Result<(), Error> {
    if is_new_schema {
        hand_over(cx, id).await;
    }
    if moves_holds {
        holds::settle(cx, id).await?;
    }
    Ok(())
}

/// Limit on the former slugs of a form; the oldest are dropped.
const MAX_FORMER_SLUGS: usize = 50;

/// Adds a replaced slug to the former ones.
fn retire_slug(before: &Form, form: &mut Form) {
    if form.slug != before.slug {
        form.former_slugs
            .retain(|slug| *slug != form.slug && *slug != before.slug);
        form.former_slugs.insert(0, before.slug.clone());
        form.former_slugs.truncate(MAX_FORMER_SLUGS);
    }
}

/// Loads another form with the form's slug.
async fn load_other(cx: &Context, form: &Form) -> Result<Option<Form>, StoreError> {
    let found = super::form::load_by_slug(cx, &form.slug).await?;
    Ok(found.filter(|found| found.id != form.id))
}

/// Deletes a form with everything that belongs to it, unless `check` fails. Returns the deleted form.
pub async fn delete(
    cx: &Context,
    id: i64,
    check: &dyn Fn(&Form) -> Result<(), Error>,
) -> Result<Form, Error> {
    for _ in 0..MAX_ATTEMPTS {
        let form = load_among(cx, id, Among::All).await?;
        check(&form)?;
        if let Some(files) = forms::delete(cx, id, form.revision).await? {
            clean_up(cx, id, &files).await;
            return Ok(form);
        }
    }
    Err(Error::Conflict)
}

/// Removes the remains of a deleted form outside the database. The files are unreferenced, so failures are only logged.
async fn clean_up(cx: &Context, id: i64, files: &[String]) {
    if let Err(error) = meta::drop_schema(cx, id).await {
        let fields = json!({"form_id": id, "error": error.to_string()});
        cx.log(
            "warn",
            "the schema of a deleted form could not be deleted",
            fields,
        )
        .await;
    }
    remove_files(cx, files).await;
}

/// Checks the time zone, which the host must know, and the lengths of settings and messages.
async fn check_settings(cx: &Context, form: &Form) -> Result<(), Error> {
    let zone = form.time_zone();
    if !zone.is_empty() && cx.in_zone(zone, 0).await.is_none() {
        let message = "This must be a time zone, such as Europe/Berlin.";
        let at = "settings.time_zone";
        return Err(Error::invalid(at, "rest_invalid_pattern", message));
    }
    check_length("settings", &form.settings)?;
    check_length("messages", &form.messages)
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
    let is_moved = before.trashed_at != form.trashed_at;
    let status = ["status ", form.status.as_str()].concat();
    let differ = [
        ("title", before.title != form.title),
        ("slug", before.slug != form.slug),
        (
            "former slugs",
            before.slug == form.slug && before.former_slugs != form.former_slugs,
        ),
        (&status, before.status != form.status),
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
        former_slugs: (is_moved
            || before.slug != form.slug
            || before.former_slugs != form.former_slugs)
            .then(|| form.former_slugs.clone()),
        is_moved,
        moves_holds: holds::are_moved(before, form),
        ..Changed::default()
    })
}
