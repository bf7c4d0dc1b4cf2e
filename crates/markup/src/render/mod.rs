//! Renders a schema as HTML: the fields, without the form element around them.
//!
//! The output is stable, valid and accessible: every control has a label, `aria-describedby` ties descriptions to
//! controls, and sets of controls are in a fieldset with a legend. It contains no inline style; classes begin with
//! `cf-`. Reading it gives the schema back ([`super::markers`]).

mod calculated;
mod control;
mod element;
mod group;
mod pipes;
mod rows;
mod variants;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::rows::Expanded;
use super::markers;
use model::field_kinds::Control;
use model::logic::piping::{PipeNames, Piped};
use model::messages::word;
use model::ordered::Gather;
use model::plan::{Event, Plan, Section};
use model::{Field, FormSchema, LayoutType, collapse, is_unseen};

/// The options of rendering.
#[derive(Clone, Debug, Default)]
pub struct RenderOptions {
    /// A prefix that keeps the ids of several forms on one page apart, such as the form's slug. It has letters,
    /// digits and single dashes.
    pub instance: String,
    /// The translated words of a visitor's page, by the keys of [`model::messages::WORDS`]; `None` for other pages. A
    /// visitor's page also shows elements that the reader would mistake for other fields (the text of "Other", a
    /// range's value, the ends of a scale).
    pub visitors: Option<Rc<BTreeMap<String, String>>>,
    /// Whether the HTML replaces a part of an author's HTML; its selects then get no additional empty option.
    pub is_in_place: bool,
    /// The known answers for the pipes in the texts of a visitor's page.
    pub piped: Piped,
    /// The known values of the calculated fields of a visitor's page, as people read them.
    pub calculated: Rc<BTreeMap<String, String>>,
    /// The numbers of the rows of each repeating group on a visitor's page, by the group's name. A group that is
    /// missing here gets its minimum number of rows, but at least one.
    pub rows: BTreeMap<String, Vec<usize>>,
}

/// The parts of a visitor's page that [`super::with_variants`] adds to an author's HTML.
pub(crate) enum Part {
    Ranking,
    Countries,
    Heads,
}

/// Renders a part of a field of a schema.
pub(crate) fn part(
    part: &Part,
    field: &Field,
    schema: &FormSchema,
    options: &RenderOptions,
) -> String {
    let expanded = Expanded::default();
    let mut page = Page::of(schema, schema, &expanded, options);
    match part {
        Part::Ranking => page.ranking(field, false),
        Part::Countries => page.countries(field),
        Part::Heads => page.heads(field),
    }
    page.out
}

/// Writes the fields of a schema as HTML. Takes time linear in the size of the schema.
pub fn render(schema: &FormSchema, options: &RenderOptions) -> String {
    let expanded = match &options.visitors {
        Some(_) => Expanded::of(schema, &options.rows),
        None => Expanded::default(),
    };
    let mut known = expanded.schema.clone();
    if let Some(known) = &mut known {
        // Texts outside rows may name fields in rows.
        let groups = schema.row_groups();
        let in_rows = |field: &&Field| groups.contains_key(field.name.as_str());
        known
            .fields
            .extend(schema.fields.iter().filter(in_rows).cloned());
    }
    let known = known.as_ref().unwrap_or(schema);
    let schema = expanded.schema.as_ref().unwrap_or(schema);
    let mut page = Page::of(schema, known, &expanded, options);
    page.schema(schema);
    page.out
}

/// The HTML written so far.
struct Page<'s> {
    out: String,
    options: &'s RenderOptions,
    /// The names of the fields whose `id` from the author can be used unchanged.
    usable_ids: BTreeSet<&'s str>,
    /// The fields that the texts of a visitor's page may name; `None` for a schema without pipes, and on other pages.
    pipes: Option<PipeNames<'s>>,
    /// Whether groups are steps for the visitor's script.
    groups_are_steps: bool,
    /// Whether a visitor's page asks one question at a time. Such a page marks optional questions.
    asks: bool,
    /// The fields by name, for a visitor's page with calculations.
    fields: BTreeMap<&'s str, &'s Field>,
    /// The columns of the matrices of a visitor's page.
    columns: variants::Columns<'s>,
    /// The rows of repeating groups.
    expanded: &'s Expanded,
}

impl<'s> Page<'s> {
    /// A page of a schema; `known` also has the fields that its texts and calculations may name.
    fn of(
        schema: &'s FormSchema,
        known: &'s FormSchema,
        expanded: &'s Expanded,
        options: &'s RenderOptions,
    ) -> Page<'s> {
        let has_calculations = schema.fields.iter().any(Field::is_calculated);
        let fields = known.fields.iter();
        let fields = fields.filter(|_| has_calculations && options.visitors.is_some());
        let columns = options.visitors.as_ref().map(|_| schema);
        Page {
            out: String::with_capacity(schema.fields.len() * 256 + 64),
            options,
            usable_ids: usable_ids(schema),
            pipes: options.visitors.as_ref().and_then(|_| PipeNames::of(known)),
            groups_are_steps: false,
            asks: options.visitors.is_some() && schema.layout.kind == LayoutType::Conversational,
            columns: columns.map(variants::columns).unwrap_or_default(),
            fields: fields.map(|field| (field.name.as_str(), field)).gather(),
            expanded,
        }
    }

    fn schema(&mut self, schema: &'s FormSchema) {
        let plan = Plan::of(schema);
        self.groups_are_steps = self.options.visitors.is_some() && plan.names_steps;
        self.out.push_str("<div");
        self.attribute("class", markers::FIELDS_CLASS);
        self.attribute("data-layout", schema.layout.kind.as_str());
        if !plan.says(&schema.layout) {
            self.json("data-cf-layout", &schema.layout);
        }
        if !schema.form_settings.is_empty() && self.options.visitors.is_none() {
            self.json("data-cf-settings", &schema.form_settings);
        }
        self.line(">");
        let mut closing: Vec<Cow<'static, str>> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut disabled_depth: Option<usize> = None;
        for event in &plan.events {
            match event {
                Event::Section(section) => {
                    self.section(section);
                    closing.push("</section>\n".into());
                }
                Event::Field(field) => {
                    self.field(field, disabled_depth.is_some());
                }
                Event::Open(field) if self.expanded.elements.contains_key(&field.name) => {
                    let Some(row) = self.expanded.elements.get(&field.name) else {
                        continue;
                    };
                    let place = places.entry(field.group.as_deref().unwrap_or_default());
                    let place = place.or_default();
                    *place += 1;
                    let end = self.open_row(row, *place);
                    closing.push(end.into());
                }
                Event::Open(field) => {
                    let is_step = self.groups_are_steps && closing.is_empty();
                    self.open_group(field, is_step);
                    if field.attributes.contains_key("disabled")
                        && field.kind.facts().control == Control::Fieldset
                    {
                        disabled_depth.get_or_insert(closing.len());
                    }
                    closing.push(match field.kind.facts().control {
                        Control::Fieldset => "</fieldset>\n".into(),
                        _ => "</div>\n".into(),
                    });
                }
                Event::Close => {
                    self.out.push_str(&closing.pop().unwrap_or_default());
                    if disabled_depth == Some(closing.len()) {
                        disabled_depth = None;
                    }
                }
            }
        }
        self.line("</div>");
    }

    fn section(&mut self, section: &Section<'_>) {
        let mut attributes = vec![("class", markers::STEP_CLASS)];
        attributes.extend(section.step.map(|step| ("data-step", step.id.as_str())));
        attributes.extend(section.group.map(|group| ("data-cf-group", group)));
        // The attributes of `super::for_visitors`.
        let step = section.step.filter(|_| self.options.visitors.is_some());
        let group = section.group.filter(|_| self.groups_are_steps);
        let id = step.map(|step| step.id.as_str()).or(group);
        attributes.extend(id.map(|id| ("data-cf-step", id)));
        self.open("section", &attributes);
        self.line("");
        if let Some(title) = section.title {
            let mut attributes = vec![("class", markers::STEP_TITLE_CLASS)];
            attributes.extend(id.map(|_| ("data-cf-step-title", "")));
            self.piped_element("h2", &attributes, title);
            self.line("");
        }
    }

    fn field(&mut self, field: &Field, is_in_disabled: bool) {
        if field.is_calculated() && self.options.visitors.is_some() {
            return self.calculated(field);
        }
        if field.is_ranking() && self.options.visitors.is_some() {
            return self.ranking(field, is_in_disabled);
        }
        match field.kind.facts().control {
            Control::Heading | Control::Paragraph | Control::Divider => self.structure(field),
            Control::Button if !field.options.is_empty() => self.buttons(field, is_in_disabled),
            Control::Button => self.submit(field),
            Control::Radios => self.set(field, is_in_disabled),
            Control::Boxes if !field.options.is_empty() => self.set(field, is_in_disabled),
            Control::Parts => self.composite(field, is_in_disabled),
            Control::Input if field.is_date_in_parts() && self.options.visitors.is_some() => {
                self.date_parts(field, is_in_disabled);
            }
            _ => self.control(field, is_in_disabled),
        }
    }

    /// A word that the engine adds, in the language of the visitor's page.
    fn word(&self, key: &str) -> String {
        let words = self.options.visitors.as_deref();
        let translated = words.and_then(|words| words.get(key)).cloned();
        translated.unwrap_or_else(|| word(key).to_owned())
    }

    /// The id of a field's control or fieldset.
    fn id(&self, field: &Field) -> String {
        let is_usable = self.usable_ids.contains(field.name.as_str());
        let id = field.attributes.get("id").filter(|_| is_usable).cloned();
        id.unwrap_or_else(|| self.made_id(field))
    }

    /// The id derived from a field's name.
    fn made_id(&self, field: &Field) -> String {
        if let Some(id) = self.expanded.ids.get(&field.name) {
            return [markers::ID_PREFIX, &self.options.instance, "--", id].concat();
        }
        markers::id_of(&self.options.instance, &field.name)
    }

    /// The id of a part of a field: its description, its list, a choice.
    fn part_id(&self, field: &Field, part: &str) -> String {
        format!("{}--{part}", self.made_id(field))
    }
}

/// The names of the fields whose `id` attribute can be used unchanged: it is valid and unique.
fn usable_ids(schema: &FormSchema) -> BTreeSet<&str> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut usable = BTreeSet::new();
    for field in &schema.fields {
        let Some(id) = field.attributes.get("id") else {
            continue;
        };
        let is_valid = !id.is_empty()
            && !id.contains(|c: char| c.is_ascii_whitespace())
            && !id.starts_with(markers::ID_PREFIX);
        if is_valid && seen.insert(id) {
            usable.insert(field.name.as_str());
        }
    }
    usable
}

/// A text as visitors see it: collapsed, and empty if all characters are invisible.
fn seen(text: &str) -> String {
    if is_unseen(text) {
        String::new()
    } else {
        collapse(text)
    }
}
