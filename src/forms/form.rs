//! Loading of forms, and values derived from them.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::cache::{CachedForms, RevisionCache};
use super::defaults::defaults;
use super::entries::entries_of;
use super::settings::Settings;
use super::{FORMER_NAMES, FormSchema, NAMES_TAKEN};
use crate::error::{Error, Missing};
use crate::logic::conditions::Visibility;
use crate::logic::piping::{self, PipeNames};
use crate::logic::prefill::Prefill;
use crate::logic::validate::Rules;
use crate::markup::{Parsed, parse};
use crate::store::StoreError;
use crate::store::forms::{self, By, Listing};
use crate::store::queue::NewEntry;
use crate::store::{Among, Form, Source, Status};
use crate::task::{Context, Port};
use model::dates::DAY_MS;

impl Form {
    /// The form's stored schema.
    pub fn schema(&self) -> Result<Option<FormSchema>, StoreError> {
        let stored = self.stored_schema.as_deref();
        Ok(stored.map(serde_json::from_str).transpose()?)
    }

    /// Parses the form's markup.
    pub fn parsed_markup(&self) -> Result<Parsed, StoreError> {
        parse(&self.markup).map_err(|error| StoreError::Markup(error.to_string()))
    }

    /// The schema of the form's markup, with the former names of its fields, which HTML cannot contain.
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

    /// The reason why the form is closed at a moment (milliseconds UTC), as the code of a message.
    pub fn closed_because(&self, settings: &Settings, now: i64) -> Option<&'static str> {
        let ended = settings.closes_at.is_some_and(|at| at <= now);
        if self.status == Status::Closed || ended {
            return Some("form_closed");
        }
        let waits = settings.opens_at.is_some_and(|at| at > now);
        waits.then_some("form_not_open")
    }

    /// The answers that the query of the page's URL fills in; none if the form has switched that off.
    pub fn prefill(&self, schema: &FormSchema, query: &str) -> Prefill {
        if self.has_prefill() {
            Prefill::of(schema, query)
        } else {
            Prefill::default()
        }
    }

    /// Whether the queries of the form's URLs fill in fields.
    pub fn has_prefill(&self) -> bool {
        self.setting("prefill").and_then(Value::as_str) != Some("off")
    }

    /// The way in which the form saves progress: `off`, `button` or `auto`.
    pub fn saving(&self) -> &str {
        let way = self.setting("save").and_then(Value::as_str);
        way.filter(|way| ["button", "auto"].contains(way))
            .unwrap_or("off")
    }

    /// The number of days for which saved progress is kept.
    pub fn save_days(&self) -> i64 {
        let days = self.setting("save_days").and_then(Value::as_i64);
        days.unwrap_or(30).clamp(1, 90)
    }

    /// Whether visitors can get the link to their saved progress by mail. Mails contain links only if the site has a
    /// public URL.
    pub fn mails_saved_link(&self, cx: &Context) -> bool {
        self.setting("save_mail") == Some(&Value::Bool(true))
            && !cx.shared().public_url().is_empty()
    }

    /// The form's time zone; empty for UTC.
    pub fn time_zone(&self) -> &str {
        let zone = self.setting("time_zone").and_then(Value::as_str);
        zone.unwrap_or_default()
    }

    /// Converts a moment (milliseconds UTC) to the form's local time; unchanged if the host does not know the time
    /// zone.
    pub async fn local(&self, cx: &Context, moment: i64) -> i64 {
        match self.time_zone() {
            "" => moment,
            zone => cx.in_zone(zone, moment).await.unwrap_or(moment),
        }
    }

    /// Whether visitors see answers instead of the pipes in the schema's texts. Pipes in an author's HTML are never
    /// replaced.
    pub fn has_pipes(&self, schema: &FormSchema) -> bool {
        self.source == Source::Schema && PipeNames::of(schema).is_some()
    }

    /// The URL of the form's page.
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

    /// Replaces the form's markup, which becomes the source. Equal markup does not change the source, since clients
    /// send the whole form when only the title changed.
    pub fn set_markup(&mut self, markup: String) {
        if markup != self.markup {
            self.markup = markup;
            self.source = Source::Markup;
        }
    }

    /// Replaces the form's schema, which becomes the source.
    pub fn set_schema(&mut self, schema: &FormSchema) -> Result<(), StoreError> {
        self.source = Source::Schema;
        self.keep_schema(schema)
    }

    /// Stores a generated schema. The source stays, because no author edited the schema.
    pub fn keep_schema(&mut self, schema: &FormSchema) -> Result<(), StoreError> {
        self.stored_schema = Some(serde_json::to_string(schema)?);
        self.has_schema = true;
        Ok(())
    }
}

fn set_members(stored: &mut Map<String, Value>, changes: Map<String, Value>) {
    for (key, value) in changes {
        match value {
            Value::Null => drop(stored.remove(&key)),
            value => drop(stored.insert(key, value)),
        }
    }
}

/// Loads the form with an id, unless the form is in the trash.
pub async fn load(cx: &Context, id: i64) -> Result<Option<Form>, StoreError> {
    find(cx, By::Id(id), Among::Live).await
}

/// Loads the form with an id, in use or in the trash.
pub async fn load_any(cx: &Context, id: i64) -> Result<Option<Form>, StoreError> {
    find(cx, By::Id(id), Among::All).await
}

/// Loads the form with an id; fails if the form does not exist or is in the trash.
pub async fn load_existing(cx: &Context, id: i64) -> Result<Form, Error> {
    load_among(cx, id, Among::Live).await
}

/// Loads the form with an id among live forms, trashed forms or both; fails if there is none.
pub async fn load_among(cx: &Context, id: i64, among: Among) -> Result<Form, Error> {
    let found = find(cx, By::Id(id), among).await?;
    found.ok_or(Error::NotFound(Missing::Form))
}

/// The forms of a list of submissions, each loaded once, including forms in the trash.
#[derive(Default)]
pub struct Loaded(Vec<(i64, Option<Form>)>);

impl Loaded {
    /// Returns the form with an id.
    pub async fn get(&mut self, cx: &Context, id: i64) -> Result<Option<&Form>, StoreError> {
        let has_id = |(entry, _): &&(i64, Option<Form>)| *entry == id;
        if !self.0.iter().any(|entry| has_id(&entry)) {
            self.0.push((id, load_any(cx, id).await?));
        }
        let entry = self.0.iter().find(has_id);
        Ok(entry.and_then(|(_, form)| form.as_ref()))
    }
}

/// Loads the form with a slug.
pub async fn load_by_slug(cx: &Context, slug: &str) -> Result<Option<Form>, StoreError> {
    let form = find(cx, By::Slug(slug), Among::Live).await?;
    // With a host's meta store the revision does not cover the schema, so the form is not cached.
    if let Some(form) = form.as_ref().filter(|_| !cx.has(Port::Meta)) {
        cx.state::<RefCell<CachedForms>>().borrow_mut().put(form);
    }
    Ok(form)
}

/// Loads the form with a slug, or else with a former slug.
pub async fn load_by_any_slug(cx: &Context, slug: &str) -> Result<Option<Form>, StoreError> {
    if let Some(form) = load_by_slug(cx, slug).await? {
        return Ok(Some(form));
    }
    match forms::id_of_former_slug(cx, slug).await? {
        Some(id) => load(cx, id).await,
        None => Ok(None),
    }
}

/// The cached form with a slug, if no plugin could change it.
pub fn cached_form(cx: &Context, slug: &str) -> Option<Rc<Form>> {
    let forms = cx.state::<RefCell<CachedForms>>();
    let form = forms.borrow().get(slug);
    form.filter(|form| form.defaults.is_none() && !cx.has_any_callbacks())
}

/// Lists forms without their schemas, with the total of all pages.
pub async fn list(cx: &Context, listing: &Listing) -> Result<(Vec<Form>, i64), StoreError> {
    let (mut forms, total) = forms::list(cx, listing).await?;
    let (defaults, front) = (defaults(cx).await, front(cx));
    for form in &mut forms {
        form.defaults.clone_from(&defaults);
        form.front = Rc::clone(&front);
    }
    Ok((forms, total))
}

async fn find(cx: &Context, by: By<'_>, among: Among) -> Result<Option<Form>, StoreError> {
    let mut found = forms::find(cx, by, among).await?;
    if let Some(form) = &mut found {
        form.defaults = defaults(cx).await;
        form.front = front(cx);
    }
    Ok(found)
}

/// The beginning of the URLs of all forms' pages, on the site that received the request.
pub fn front(cx: &Context) -> Rc<str> {
    let prefix = &cx.shared().configuration().front_prefix;
    [cx.base_url(), prefix, "/"].concat().into()
}

/// The schema by which a form's submissions are read and validated: the stored schema if it is the source, else the
/// schema of the markup.
pub fn effective_schema(cx: &Context, form: &Form) -> Result<Rc<FormSchema>, StoreError> {
    match (&form.stored_schema, form.source) {
        // Other programs may write to a host's meta store without a new revision.
        (Some(stored), Source::Schema) if cx.has(Port::Meta) => read_schema(stored),
        (Some(stored), Source::Schema) => cached(cx, form, || read_schema(stored)),
        _ => cached(cx, form, || Ok(Rc::new(form.markup_schema()?))),
    }
}

/// The schema as a visitor sees it, with the answers of a submission instead of pipes.
pub fn schema_with_answers(
    form: &Form,
    schema: &Rc<FormSchema>,
    data: &Map<String, Value>,
) -> Rc<FormSchema> {
    if !form.has_pipes(schema) {
        return Rc::clone(schema);
    }
    let piped = piping::piped_data(schema, data, &form.messages);
    piping::filled(schema, &piped).map_or_else(|| Rc::clone(schema), Rc::new)
}

/// The effective schema for showing stored answers, with fallback words instead of pipes.
pub fn readable_schema(cx: &Context, form: &Form) -> Result<Rc<FormSchema>, StoreError> {
    let schema = effective_schema(cx, form)?;
    if form.source != Source::Schema {
        return Ok(schema);
    }
    Ok(piping::in_words(&schema).map_or(schema, Rc::new))
}

/// Returns the effective schemas of forms, given as pairs of id and current revision. Loads a form only if the schema
/// of its revision is not cached.
pub async fn schemas_of(
    cx: &Context,
    revisions: &[(i64, i64)],
) -> Result<Vec<(i64, Rc<FormSchema>)>, StoreError> {
    let mut schemas = Vec::with_capacity(revisions.len());
    for (id, revision) in revisions.iter().copied() {
        // Other programs may write to a host's meta store without a new revision.
        let cached = (!cx.has(Port::Meta)).then(|| {
            let cache = cx.state::<RefCell<RevisionCache<FormSchema>>>();
            cache.borrow_mut().get(id, revision)
        });
        let schema = match cached.flatten() {
            Some(schema) => Some(schema),
            // Submissions stay readable even if the schema is broken.
            None => match load_any(cx, id).await? {
                Some(form) => effective_schema(cx, &form).ok(),
                None => None,
            },
        };
        schemas.extend(schema.map(|schema| (id, schema)));
    }
    Ok(schemas)
}

/// The values derived from a form that every submit needs.
pub struct SubmitRules {
    /// The form's settings.
    pub settings: Settings,
    /// The effective schema.
    pub schema: Rc<FormSchema>,
    /// The conditions of the schema.
    pub visibility: Visibility,
    /// The entries that a submission adds to the queue.
    pub entries: Rc<[NewEntry]>,
    /// Whether visitors see answers instead of the pipes in the schema's texts.
    pub has_pipes: bool,
}

impl SubmitRules {
    /// Returns validation rules with the messages for faults. `now` is a local time, from which the current day is
    /// derived.
    pub fn with_messages<'a>(&'a self, messages: &'a Map<String, Value>, now: i64) -> Rules<'a> {
        Rules {
            schema: &self.schema,
            visibility: &self.visibility,
            messages,
            required_fields: &self.settings.required_fields,
            email_fields: &self.settings.email_fields,
            has_pipes: self.has_pipes,
            today: now.div_euclid(DAY_MS),
        }
    }
}

/// The rules of a form, cached by revision unless plugins or other programs may change them.
pub fn submit_rules(cx: &Context, form: &Form) -> Result<Rc<SubmitRules>, StoreError> {
    let make = || {
        let schema = effective_schema(cx, form)?;
        let settings = form.settings();
        Ok(Rc::new(SubmitRules {
            entries: entries_of(&settings)?.into(),
            settings,
            visibility: Visibility::of(&schema),
            has_pipes: form.has_pipes(&schema),
            schema,
        }))
    };
    if form.defaults.is_some() || cx.has(Port::Meta) {
        make()
    } else {
        cached(cx, form, make)
    }
}

fn read_schema(stored: &str) -> Result<Rc<FormSchema>, StoreError> {
    Ok(serde_json::from_str(stored)?)
}

/// Returns the cached value of the form's revision, or makes and caches it.
pub(super) fn cached<T: 'static>(
    cx: &Context,
    form: &Form,
    make: impl FnOnce() -> Result<Rc<T>, StoreError>,
) -> Result<Rc<T>, StoreError> {
    // An unstored form has no revision that identifies it.
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
