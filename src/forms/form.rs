//! A form as the engine works with it, and how it is loaded.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::cache::{HeldForms, RevisionCache};
use super::defaults::defaults;
use super::settings::Settings;
use super::{FORMER_NAMES, FormSchema, NAMES_TAKEN};
use crate::error::{Error, Missing};
use crate::logic::conditions::Visibility;
use crate::logic::validate::Rules;
use crate::markup::{Parsed, parse};
use crate::store::StoreError;
use crate::store::forms::{self, By, Listing};
use crate::store::queue::NewEntry;
use crate::store::{Form, Source, Status};
use crate::submissions::entries_of;
use crate::task::{Context, Port};

impl Form {
    /// The form's own schema.
    pub fn schema(&self) -> Result<Option<FormSchema>, StoreError> {
        let stored = self.stored_schema.as_deref();
        Ok(stored.map(serde_json::from_str).transpose()?)
    }

    /// Parses the form's markup.
    pub fn parsed_markup(&self) -> Result<Parsed, StoreError> {
        parse(&self.markup).map_err(|error| StoreError::Markup(error.to_string()))
    }

    /// The schema that the form's markup means, with the former names of its fields, which HTML has no place for.
    pub fn markup_schema(&self) -> Result<FormSchema, StoreError> {
        let mut schema = self.parsed_markup()?.schema;
        for member in [FORMER_NAMES, NAMES_TAKEN] {
            if let Some(names) = self.settings.get(member) {
                schema
                    .form_settings
                    .insert(member.to_owned(), names.clone());
            }
        }
        Ok(schema)
    }

    /// Why the form takes no submissions at this moment, in milliseconds UTC: the code of the message.
    pub fn closed_because(&self, settings: &Settings, now: i64) -> Option<&'static str> {
        let ended = settings.closes_at.is_some_and(|at| at <= now);
        if self.status == Status::Closed || ended {
            return Some("form_closed");
        }
        let waits = settings.opens_at.is_some_and(|at| at > now);
        waits.then_some("form_not_open")
    }

    /// The address of its page.
    pub fn url(&self) -> String {
        [&*self.front, &self.slug].concat()
    }

    /// Replaces settings; null resets one to its default.
    pub fn set_settings(&mut self, settings: Map<String, Value>) {
        set_members(&mut self.settings, settings);
    }

    /// Replaces messages; null resets one to its default.
    pub fn set_messages(&mut self, messages: Map<String, Value>) {
        set_members(&mut self.messages, messages);
    }

    /// Replaces the form's markup, which becomes its source. The same markup again is no edit:
    /// clients send the whole form when only its title changed.
    pub fn set_markup(&mut self, markup: String) {
        if markup != self.markup {
            self.markup = markup;
            self.source = Source::Markup;
        }
    }

    /// Replaces the form's schema, which becomes its source.
    pub fn set_schema(&mut self, schema: &FormSchema) -> Result<(), StoreError> {
        self.source = Source::Schema;
        self.keep_schema(schema)
    }

    /// Stores a schema that was generated, which is no edit: the source stays.
    pub fn keep_schema(&mut self, schema: &FormSchema) -> Result<(), StoreError> {
        self.stored_schema = Some(serde_json::to_string(schema)?);
        self.has_schema = true;
        Ok(())
    }
}

fn set_members(stored: &mut Map<String, Value>, given: Map<String, Value>) {
    for (key, value) in given {
        match value {
            Value::Null => drop(stored.remove(&key)),
            value => drop(stored.insert(key, value)),
        }
    }
}

/// Loads the form of an id.
pub async fn load(cx: &Context, id: i64) -> Result<Option<Form>, StoreError> {
    find(cx, By::Id(id)).await
}

/// Loads the form of an id; an error where there is none.
pub async fn load_existing(cx: &Context, id: i64) -> Result<Form, Error> {
    load(cx, id).await?.ok_or(Error::NotFound(Missing::Form))
}

/// Forms that are each loaded once: those of a list of submissions.
#[derive(Default)]
pub struct Loaded(Vec<(i64, Option<Form>)>);

impl Loaded {
    /// Returns the form of an id.
    pub async fn get(&mut self, cx: &Context, id: i64) -> Result<Option<&Form>, StoreError> {
        let is_own = |(own, _): &&(i64, Option<Form>)| *own == id;
        if !self.0.iter().any(|own| is_own(&own)) {
            self.0.push((id, load(cx, id).await?));
        }
        let own = self.0.iter().find(is_own);
        Ok(own.and_then(|(_, form)| form.as_ref()))
    }
}

/// Loads the form of a slug.
pub async fn load_by_slug(cx: &Context, slug: &str) -> Result<Option<Form>, StoreError> {
    let form = find(cx, By::Slug(slug)).await?;
    // Of a host's own meta store the revision tells nothing.
    if let Some(form) = form.as_ref().filter(|_| !cx.has(Port::Meta)) {
        cx.state::<RefCell<HeldForms>>().borrow_mut().put(form);
    }
    Ok(form)
}

/// Loads the form that has a slug, or had it before and no form has it since.
pub async fn load_by_any_slug(cx: &Context, slug: &str) -> Result<Option<Form>, StoreError> {
    if let Some(form) = load_by_slug(cx, slug).await? {
        return Ok(Some(form));
    }
    match forms::id_of_former_slug(cx, slug).await? {
        Some(id) => load(cx, id).await,
        None => Ok(None),
    }
}

/// The form of a slug as this instance read it last, where no plugin could change it.
pub fn held(cx: &Context, slug: &str) -> Option<Rc<Form>> {
    let forms = cx.state::<RefCell<HeldForms>>();
    let held = forms.borrow().get(slug);
    held.filter(|form| form.defaults.is_none() && !cx.has_any_callbacks())
}

/// Lists forms, without their schemas, and counts those on all pages of the list.
pub async fn list(cx: &Context, listing: &Listing) -> Result<(Vec<Form>, i64), StoreError> {
    let (mut forms, total) = forms::list(cx, listing).await?;
    let (defaults, front) = (defaults(cx).await, front(cx));
    for form in &mut forms {
        form.defaults.clone_from(&defaults);
        form.front = Rc::clone(&front);
    }
    Ok((forms, total))
}

async fn find(cx: &Context, by: By<'_>) -> Result<Option<Form>, StoreError> {
    let mut found = forms::find(cx, by).await?;
    if let Some(form) = &mut found {
        form.defaults = defaults(cx).await;
        form.front = front(cx);
    }
    Ok(found)
}

/// The address below which forms have their pages.
pub(crate) fn front(cx: &Context) -> Rc<str> {
    let configuration = cx.shared().configuration();
    let (site, prefix) = (&configuration.base_url, &configuration.front_prefix);
    [site, prefix, "/"].concat().into()
}

/// The schema that a form's submissions are read and validated by: its own while that is the
/// source, else the one that its markup means.
pub fn effective_schema(cx: &Context, form: &Form) -> Result<Rc<FormSchema>, StoreError> {
    match (&form.stored_schema, form.source) {
        // Others may write to a host's own meta store, and the revision would not tell.
        (Some(stored), Source::Schema) if cx.has(Port::Meta) => read_schema(stored),
        (Some(stored), Source::Schema) => kept(cx, form, || read_schema(stored)),
        _ => kept(cx, form, || Ok(Rc::new(form.markup_schema()?))),
    }
}

/// The schemas that the submissions of these forms are read by: forms by their ids, with the revisions that they have.
/// A form is read only where this instance does not hold the schema of its revision.
pub async fn schemas_of(
    cx: &Context,
    revisions: &[(i64, i64)],
) -> Result<Vec<(i64, Rc<FormSchema>)>, StoreError> {
    let mut schemas = Vec::with_capacity(revisions.len());
    for (id, revision) in revisions.iter().copied() {
        // Others may write to a host's own meta store, and the revision would not tell.
        let cached = (!cx.has(Port::Meta)).then(|| {
            let cache = cx.state::<RefCell<RevisionCache<FormSchema>>>();
            cache.borrow_mut().get(id, revision)
        });
        let schema = match cached.flatten() {
            Some(schema) => Some(schema),
            // What was stored must be readable, whatever became of the schema.
            None => match load(cx, id).await? {
                Some(form) => effective_schema(cx, &form).ok(),
                None => None,
            },
        };
        schemas.extend(schema.map(|schema| (id, schema)));
    }
    Ok(schemas)
}

/// The rules by which a form's submissions are read and checked.
pub struct SubmitRules {
    /// Its settings.
    pub settings: Settings,
    /// Its effective schema.
    pub schema: Rc<FormSchema>,
    /// The conditions of that schema.
    pub visibility: Visibility,
    /// The entries that a submission adds to the queue.
    pub entries: Rc<[NewEntry]>,
}

impl SubmitRules {
    /// The rules, with the messages that say what is wrong.
    pub fn with_messages<'a>(&'a self, messages: &'a Map<String, Value>) -> Rules<'a> {
        Rules {
            schema: &self.schema,
            visibility: &self.visibility,
            messages,
            required_fields: &self.settings.required_fields,
            email_fields: &self.settings.email_fields,
        }
    }
}

/// The rules of a form, made once for a revision unless something else may change them.
pub fn submit_rules(cx: &Context, form: &Form) -> Result<Rc<SubmitRules>, StoreError> {
    let make = || {
        let schema = effective_schema(cx, form)?;
        let settings = form.settings();
        Ok(Rc::new(SubmitRules {
            entries: entries_of(&settings)?.into(),
            settings,
            visibility: Visibility::of(&schema),
            schema,
        }))
    };
    if form.defaults.is_some() || cx.has(Port::Meta) {
        make()
    } else {
        kept(cx, form, make)
    }
}

fn read_schema(stored: &str) -> Result<Rc<FormSchema>, StoreError> {
    Ok(serde_json::from_str(stored)?)
}

/// Returns the cached value of the form's revision; made when there is none.
pub(super) fn kept<T: 'static>(
    cx: &Context,
    form: &Form,
    make: impl FnOnce() -> Result<Rc<T>, StoreError>,
) -> Result<Rc<T>, StoreError> {
    // What is no stored form has no revision that tells it from another.
    if form.id == 0 {
        return make();
    }
    let cache = cx.state::<RefCell<RevisionCache<T>>>();
    let mut cache = cache.borrow_mut();
    if let Some(known) = cache.get(form.id, form.revision) {
        return Ok(known);
    }
    let made = make()?;
    cache.put(form.id, form.revision, Rc::clone(&made));
    Ok(made)
}
