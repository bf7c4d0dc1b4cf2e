//! Builds a form. A reader first adds the fields in order; rules can then refer to them by the other product's names.

use model::check::MAX_FIELDS;
use model::is_reserved_name;
use serde_json::{Map, Value};

use super::item::Item;
use super::{maps, rules};
use crate::gravity_text::{note_formatting, without_tags};
use crate::values::{Places, one_line, put, put_text, shortened, texts};
use crate::{Draft, Origin, Page, Report, schema};

/// The name of the submit button.
const BUTTON: &str = "submit_button";

/// The maximum size of a file, in bytes, if the export does not state the other product's limit.
pub const USUAL_FILE_BYTES: f64 = 10_485_760.0;

/// A form under construction.
pub struct Builder<'r> {
    pub report: &'r mut Report,
    format: &'static str,
    pub title: String,
    pub slug: String,
    /// The text of the submit button.
    pub button: String,
    pub settings: Map<String, Value>,
    pub messages: Map<String, Value>,
    pub origin: Origin,
    pub(super) actions: Vec<Value>,
    pub(super) endings: Vec<Value>,
    pub items: Vec<Item>,
    /// The titles of the pages, each with the index of its first field.
    pub(super) pages: Vec<(String, usize)>,
    /// The distinct texts of the buttons to the next page, and of those to the previous page.
    pub(super) page_words: [Vec<String>; 2],
    ids: Places,
    names: Places,
    pub(super) has_confirmation: bool,
    pub(super) is_conversational: bool,
    /// The group to which fields are added.
    pub group: String,
}

impl<'r> Builder<'r> {
    pub fn new(format: &'static str, title: &str, report: &'r mut Report) -> Builder<'r> {
        let title = one_line(title);
        report.begin(&title);
        Builder {
            report,
            format,
            title,
            slug: String::new(),
            button: String::new(),
            settings: Map::new(),
            messages: Map::new(),
            origin: Origin::default(),
            actions: Vec::new(),
            endings: Vec::new(),
            items: Vec::new(),
            pages: Vec::new(),
            page_words: Default::default(),
            ids: Places::default(),
            names: Places::default(),
            has_confirmation: false,
            is_conversational: false,
            group: String::new(),
        }
    }

    /// This engine's kind for the other product's type; `None` for a type without a counterpart. Such types are
    /// reported, except those that `maps.json` marks with `-`.
    pub fn kind(&mut self, theirs: &str, place: &str) -> Option<&'static str> {
        let ours = maps::kind(self.format, theirs).unwrap_or("!unknown_field");
        match ours.strip_prefix('!') {
            Some("unknown_field") => self.note("unknown_field", place, theirs),
            Some("payments") => self.note("payments/field", place, theirs),
            Some(code) => self.note(code, place, ""),
            None if ours == "-" => {}
            None => return Some(ours),
        }
        None
    }

    pub fn note(&mut self, remark: &'static str, place: &str, about: &str) {
        self.report.remark_once(remark, place, about);
    }

    /// Creates a field. Its name comes from `wanted_name`, or from the label if `wanted_name` has no usable characters.
    pub fn item(&mut self, id: &str, wanted_name: &str, label: &str, kind: &'static str) -> Item {
        let name = self.free_name(id, wanted_name, label);
        let (kind, class) = kind.split_once(' ').unwrap_or((kind, ""));
        let mut item = Item::default();
        item.id = id.to_owned();
        item.name = name;
        item.kind = kind;
        item.label = one_line(label);
        item.group.clone_from(&self.group);
        match class {
            "multiple" => item.flag("multiple", true),
            "repeat" => self.note("repeat", &item.name, ""),
            class => item.class(class),
        }
        item
    }

    fn free_name(&mut self, id: &str, wanted_name: &str, label: &str) -> String {
        let from_label = || match name_of_label(label) {
            name if name.is_empty() || name == "cf" => ["field_", &name_of_label(id)]
                .concat()
                .trim_end_matches('_')
                .to_owned(),
            name => name,
        };
        let name = if is_plain_name(wanted_name) {
            wanted_name.to_owned()
        } else {
            match name_of_label(wanted_name) {
                made if made.is_empty() => from_label(),
                made => made,
            }
        };
        let mut free = name.clone();
        if self.is_taken(&free) {
            let suffix = name_of_label(id);
            if !suffix.is_empty() {
                free = [&name, "_", &suffix].concat();
            }
            // `names` stores the next number to try; lower numbers are taken.
            let mut number = self.names.get(&name).unwrap_or_default().max(2);
            while self.is_taken(&free) {
                free = format!("{name}_{number}");
                number += 1;
            }
            self.names.put(&name, number);
        }
        if !wanted_name.is_empty() && free != wanted_name {
            self.note("renamed", wanted_name, &free);
        }
        self.names.put(&free, 0);
        free
    }

    fn is_taken(&self, name: &str) -> bool {
        name == BUTTON || self.names.get(name).is_some()
    }

    /// Adds a field.
    pub fn add(&mut self, item: Item) {
        if !item.id.is_empty() {
            self.ids.put(&item.id, self.items.len());
        }
        self.items.push(item);
    }

    /// Adds another id of the last added field, by which rules may refer to it.
    pub fn alias(&mut self, id: &str) {
        if let Some(last) = self.items.len().checked_sub(1)
            && !id.is_empty()
        {
            self.ids.put(id, last);
        }
    }

    pub fn find(&self, id: &str) -> Option<&Item> {
        self.items.get(self.ids.get(id)?)
    }

    pub fn find_mut(&mut self, id: &str) -> Option<&mut Item> {
        self.items.get_mut(self.ids.get(id)?)
    }

    /// The index of a field in `items`.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.ids.get(id)
    }

    /// Adds a paragraph, unless its text, which may be HTML, is empty.
    pub fn paragraph(&mut self, id: &str, wanted_name: &str, html: &str) {
        let plain = without_tags(html);
        if !plain.is_empty() {
            let mut item = self.item(id, wanted_name, wanted_name, "paragraph");
            note_formatting(html, &item.name, self.report);
            item.label = plain;
            self.add(item);
        }
    }

    /// Sets a field's help text, which may be HTML.
    pub fn describe(&mut self, item: &mut Item, html: &str) {
        note_formatting(html, &item.name, self.report);
        item.set("description", &without_tags(html));
    }

    /// Adds a question with rows: a group of fields, one for each row. `rows` have a value, a label and whether an
    /// answer is required; `columns` have a value and a label.
    pub fn matrix(
        &mut self,
        mut frame: Item,
        kind: &'static str,
        rows: &[(String, String, bool)],
        columns: &[(String, String)],
    ) {
        self.note("matrix", &frame.name, "");
        frame.kind = "fieldset";
        let (name, id) = (frame.name.clone(), frame.id.clone());
        let outer = std::mem::replace(&mut self.group, name.clone());
        self.add(frame);
        for (row, label, is_required) in rows {
            let key = if row.is_empty() { label } else { row };
            let member_name = [&name, "_", &name_of_label(key)].concat();
            let mut item = self.item(&[&id, ".", key].concat(), &member_name, label, kind);
            for (value, label) in columns {
                item.choice("", value, label);
            }
            item.require(*is_required);
            self.add(item);
        }
        self.group = outer;
    }

    /// Adds a date and a time in a group.
    pub fn date_and_time(&mut self, mut frame: Item, is_required: bool) {
        frame.kind = "fieldset";
        let (id, name) = (frame.id.clone(), frame.name.clone());
        let outer = std::mem::replace(&mut self.group, name.clone());
        self.add(frame);
        for (kind, label) in [("date", "Date"), ("time", "Time")] {
            let member_name = [&name, "_", kind].concat();
            let mut item = self.item(&[&id, ".", kind].concat(), &member_name, label, kind);
            item.require(is_required);
            self.add(item);
        }
        self.group = outer;
    }

    /// Creates a rule about a field from the other product's id and operator. An operator or field without a
    /// counterpart is reported.
    pub fn rule(&mut self, id: &str, theirs: &str, value: &str, place: &str) -> Option<Value> {
        let operators = maps::operator(self.format, theirs);
        let (Some(operators), Some(item)) = (operators, self.find(id)) else {
            let about = if operators.is_none() { theirs } else { id };
            self.note("condition", place, about);
            return None;
        };
        let made = operators
            .split('|')
            .map(|operator| rule_about(item, operator, value));
        rules::group("any", made.collect())
    }

    /// Creates a rule about a field with this engine's operator.
    pub fn rule_with(
        &mut self,
        id: &str,
        operator: &str,
        value: &str,
        place: &str,
    ) -> Option<Value> {
        let made = self.find(id).map(|item| rule_about(item, operator, value));
        if made.is_none() {
            self.note("condition", place, id);
        }
        made
    }

    /// Sets the conditions of a field.
    pub fn show_if(&mut self, id: &str, conditions: Option<Value>) {
        if let Some(item) = self.find_mut(id)
            && conditions.is_some()
        {
            item.conditions = conditions;
        }
    }

    /// Finishes the form.
    pub fn finish(mut self) -> Draft {
        for (code, words) in ["next_step", "previous_step"]
            .into_iter()
            .zip(&self.page_words)
        {
            if let (1, Some(words)) = (words.len(), words.first()) {
                put_text(&mut self.messages, code, words);
            }
            if words.len() > 1 {
                self.report
                    .remark_once("page_button", code, &words.join(", "));
            }
        }
        if !self.settings.contains_key("hide_after_success") {
            put(&mut self.settings, "hide_after_success", Value::Bool(true));
        }
        for (name, list) in [("actions", self.actions), ("endings", self.endings)] {
            if !list.is_empty() {
                put(&mut self.settings, name, Value::Array(list));
            }
        }
        let mut ids = Map::new();
        for (id, place) in self.ids.all() {
            if let Some(item) = self.items.get(place) {
                put_text(&mut ids, id, &item.name);
            }
        }
        self.report
            .keep_first(&mut self.items, MAX_FIELDS - 1, "too_many_fields");
        let button = match self.button.trim() {
            "" => "Submit",
            words => words,
        };
        let mut schema = schema(pages(self.items, &self.pages), BUTTON, button, self.report);
        if let (true, Some(schema)) = (self.is_conversational, schema.as_object_mut()) {
            put(
                schema,
                "layout",
                Value::Object(texts(&[("type", "conversational")])),
            );
        }
        Draft {
            title: self.title,
            slug: self.slug,
            schema: Some(schema),
            from_schema: true,
            settings: self.settings,
            messages: self.messages,
            origin: self.origin,
            ids,
            ..Draft::default()
        }
    }
}

/// Distributes the fields to their pages; a page without fields is omitted.
fn pages(items: Vec<Item>, starts: &[(String, usize)]) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    let mut starts = starts.iter().peekable();
    for (index, item) in items.into_iter().enumerate() {
        let mut title = None;
        while let Some((found, _)) = starts.next_if(|(_, start)| *start <= index) {
            title = Some(found.clone());
        }
        if title.is_some() || pages.is_empty() {
            pages.push((title.unwrap_or_default(), Vec::new()));
        }
        if let Some((_, fields)) = pages.last_mut() {
            fields.push(item.into_value());
        }
    }
    if pages.is_empty() {
        pages.push(Page::default());
    }
    pages
}

/// Creates a rule about a field. The operator is adapted to the kind of field.
pub fn rule_about(item: &Item, operator: &str, value: &str) -> Value {
    let is_on = !matches!(value, "" | "0" | "false" | "no" | "off" | "unchecked");
    let operator = match (operator, item.kind) {
        ("equals" | "not_equals", _) if value.is_empty() && item.kind != "consent" => {
            if operator == "equals" {
                "is_empty"
            } else {
                "is_not_empty"
            }
        }
        ("equals" | "contains", "consent") if is_on => "checked",
        ("equals" | "contains", "consent") => "not_checked",
        ("not_equals" | "not_contains", "consent") if is_on => "not_checked",
        ("not_equals" | "not_contains", "consent") => "checked",
        ("is_not_empty", "consent") => "checked",
        ("is_empty", "consent") => "not_checked",
        ("equals", _) if item.is_list() => "contains",
        ("not_equals", _) if item.is_list() => "not_contains",
        ("greater_than", "date") => "after",
        ("less_than", "date") => "before",
        (operator, _) => operator,
    };
    rules::rule(&item.name, operator, item.value_of(value))
}

/// Whether a name of another product is valid here, also in templates.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty()
        && name.chars().count() <= 100
        && name.chars().all(is_plain)
        && !is_reserved_name(name)
        && name != "cf"
}

/// A name from the first six words of a label.
pub fn name_of_label(label: &str) -> String {
    let label = label.to_ascii_lowercase();
    let words = label.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(6).collect();
    let name = shortened(&words.join("_"), 60).to_owned();
    if is_reserved_name(&name) {
        return ["field_", &name].concat();
    }
    name
}
