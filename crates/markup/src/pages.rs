//! Prepares an author's form for a page: removes form tags, makes addresses absolute for a page of another site, and
//! marks elements for the visitor's script. All other bytes stay unchanged.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::escape::escaped;
use super::html::edits::Edits;
use super::html::place;
use super::html::tag::Tag;
use super::html::text::TextRange;
use super::html::tokens::{self, StartTag, TokenSink};
use super::markers;
use super::read::{Read, StepWay, read, step_id};
use super::sanitize::without_reserved;
use model::field_variants::{NATIONAL_HINTS, SIGNATURE, variants_by};
use model::logic::calc::fields::CALC;
use model::logic::phone::PHONE;
use model::one_control::input_kind;
use model::ordered::Gather;
use model::rows::{RowGroups, row_name};
use model::{Field, FieldType, FormSchema, LayoutType};

/// The ids of all elements of a page, character references decoded.
pub fn ids(html: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    tokens::read(html, &mut |tag: &StartTag<'_, '_>| {
        ids.extend(tag.value_of("id").map(Cow::into_owned));
    });
    ids
}

/// Makes the paths in `href` and `src` absolute. `site` is the address of their site.
pub fn with_whole_addresses(html: &str, site: &str) -> String {
    let mut edits = Edits::default();
    tokens::read(html, &mut |tag: &StartTag<'_, '_>| {
        for name in ["href", "src"] {
            let path = tag.value_of(name);
            let path = path.filter(|path| path.starts_with('/') && !path.starts_with("//"));
            if let Some(path) = path {
                let address = [site, path.as_ref()].concat();
                edits.set_attribute(tag.span.start, name, Some(&address));
            }
        }
    });
    edits.apply(html)
}

/// Converts an author's HTML to the fields of a visitor's page: removes form tags and reserved attributes, and marks
/// the parsed structure. The visitor's script follows these marks and does not parse the structure itself. Rendering
/// for visitors writes them too.
///
/// | attribute | on | value |
/// |---|---|---|
/// | `data-cf-step` | the outermost element of a step | the step's id |
/// | `data-cf-step-title` | the heading or legend that shows a step's title | |
/// | `data-cf-title` | a step without such an element | its title |
/// | `data-cf-way` | a button to another step | `on` or `back` |
/// | `data-cf-conditions` | an element with conditions | all its conditions, as in a schema |
/// | `data-cf-calc` | a calculated control | the name of its field |
/// | `data-cf-signature` | a file input | |
/// | `data-cf-kind` | a number or text input | `range`, `color` or `url`: its type in the author's HTML |
///
/// Spam traps, and elements that contain only them, are hidden from visitors and assistive technology. A select whose
/// first option browsers would preset gets an empty first option with the text `choose`.
pub fn for_visitors(html: &str, choose: &str) -> String {
    let html = &without_reserved(html).0;
    let tags = FormTags::of(html);
    let mut edits = tags.edits;
    let read = read(html);
    let unset = read.as_ref().map_or(&[][..], |read| &read.unset_selects);
    let traps = read.as_ref().map_or(&[][..], |read| &read.traps.controls);
    let schema = read.as_ref().ok().map(|read| &read.schema);
    let groups = schema.map(FormSchema::row_groups).unwrap_or_default();
    let mut needs_empty_option = false;
    tokens::read(html, &mut |tag: &StartTag<'_, '_>| {
        stand_in(tag, &mut edits);
        keep_off_page(tag, &mut edits);
        if !groups.is_empty() {
            name_in_row(tag, &groups, &mut edits);
        }
        if traps.binary_search(&place(tag.span.start)).is_err() {
            hint_entry(tag, &mut edits);
        }
        let at = tag.span.start;
        if tag.tag == Tag::Select {
            needs_empty_option = unset.binary_search(&place(at)).is_ok();
        } else if matches!(tag.tag, Tag::Option | Tag::Optgroup)
            && std::mem::take(&mut needs_empty_option)
        {
            let (class, choose) = (markers::CHOOSE_CLASS, escaped(choose));
            let option = format!("<option value=\"\" class=\"{class}\">{choose}</option>");
            edits.replace(at..at, option);
        }
    });
    if let Ok(read) = read {
        for option in &read.empty_options {
            edits.set_attribute(*option as usize, "selected", Some(""));
        }
        for element in &read.conditions {
            let rules = Some(&element.rules).filter(|rules| !rules.is_empty());
            let json = rules.and_then(|rules| serde_json::to_string(rules).ok());
            let at = element.offset as usize;
            edits.set_attribute(at, "data-cf-conditions", json.as_deref());
        }
        mark_required(html, &read, &mut edits);
        for control in &read.traps.controls {
            edits.set_attribute(*control as usize, "tabindex", Some("-1"));
            edits.set_attribute(*control as usize, "autocomplete", Some("off"));
        }
        for element in &read.traps.hidden {
            edits.set_attribute(*element as usize, "hidden", Some(""));
            edits.set_attribute(*element as usize, "aria-hidden", Some("true"));
        }
        if read.schema.layout.kind == LayoutType::MultiStep {
            mark_steps(&read, &tags.places, &mut edits);
        }
    }
    edits.apply(html)
}

/// Replaces the types of inputs that browsers would handle badly: ranges and colours without a value, which they
/// would preset, and addresses, which they would reject without a scheme. The visitor's script restores the types.
fn stand_in(tag: &StartTag<'_, '_>, edits: &mut Edits) {
    if tag.tag != Tag::Input {
        return;
    }
    let kind = input_kind(tag.raw_value("type")).unwrap_or_default();
    let Some(stand_in) = kind.facts().stand_in else {
        return;
    };
    if stand_in.only_unset && !tag.raw_value("value").trim().is_empty() {
        return;
    }
    let mut set = |name, value| edits.set_attribute(tag.span.start, name, Some(value));
    set("type", stand_in.input_type);
    for (name, usual) in stand_in.hints {
        if *name == "pattern" || tag.attribute(name).is_none() {
            set(name, usual);
        }
    }
    set(markers::KIND, kind.as_str());
    if kind == FieldType::Range {
        set(markers::UNSET_RANGE, "");
    }
    if tag.attribute("data-cf-required").is_some() {
        set("required", "");
    }
}

/// Removes attributes that must stay on the server, and marks calculated controls and signatures for the script.
fn keep_off_page(tag: &StartTag<'_, '_>, edits: &mut Edits) {
    let at = tag.span.start;
    let name = tag
        .value_of("name")
        .filter(|_| tag.attribute(CALC).is_some());
    if let Some(name) = name {
        edits.set_attribute(at, markers::CALCULATED, Some(name.trim()));
    }
    if tag.tag == Tag::Input && tag.attribute(SIGNATURE).is_some() {
        edits.set_attribute(at, markers::SIGNATURE, Some(""));
    }
    for name in markers::OFF_PAGES {
        if tag.attribute(name).is_some() {
            edits.set_attribute(at, name, None);
        }
    }
}

/// Gives a control of a repeating group its name in the first row, unless its name already includes a row.
fn name_in_row(tag: &StartTag<'_, '_>, groups: &RowGroups<'_>, edits: &mut Edits) {
    if !matches!(tag.tag, Tag::Input | Tag::Select | Tag::Textarea) {
        return;
    }
    let written = tag.value_of("name").unwrap_or_default();
    let column = written.find('[').unwrap_or(written.len());
    let Some((column, rest)) = written.trim().split_at_checked(column) else {
        return;
    };
    if let Some(group) = groups.get(column) {
        let name = row_name(&group.name, "0", column) + rest;
        edits.set_attribute(tag.span.start, "name", Some(&name));
    }
}

/// Marks the labels of required fields, unless the author's text already does.
fn mark_required(html: &str, read: &Read<'_>, edits: &mut Edits) {
    // Rendered fields, which a plugin's filter passes here, already have their marks.
    if html.contains("cf-required") {
        return;
    }
    let fields = read.schema.fields.iter().zip(&read.places);
    for (field, place) in fields.filter(|(field, _)| field.required) {
        let says_so = ["*", "required"]
            .iter()
            .any(|mark| field.label.contains(mark));
        let spans = read.texts.spans(place.label.clone(), false);
        if let Some(end) = spans.last().map(|span| span.end).filter(|_| !says_so) {
            let mark = "<span class=\"cf-required\" aria-hidden=\"true\"> *</span>";
            edits.replace(end..end, mark.to_owned());
        }
    }
}

/// Adds the attributes for on-screen keyboards and autofill that the author's input lacks.
fn hint_entry(tag: &StartTag<'_, '_>, edits: &mut Edits) {
    if tag.tag != Tag::Input {
        return;
    }
    let kind = input_kind(tag.raw_value("type")).unwrap_or_default();
    let hints = match tag.attribute(PHONE) {
        Some(_) if variants_by(kind, PHONE).next().is_some() => &NATIONAL_HINTS,
        _ => kind.entry_hints(),
    };
    for (name, hint) in hints {
        if tag.attribute(name).is_none() {
            edits.set_attribute(tag.span.start, name, Some(hint));
        }
    }
}

/// Marks the steps and the buttons between them. Steps are the elements with a step's id. If there are none, steps are
/// the sections of groups, and the outermost containers and fieldsets.
fn mark_steps(read: &Read<'_>, places: &Places, edits: &mut Edits) {
    let headings = &places.headings;
    let mut mark = |at: usize, id: &str, shown: &TextRange, title: &str| {
        edits.set_attribute(at, "data-cf-step", Some(id));
        let text = read.texts.spans(shown.clone(), false);
        let is_before = |text: &Range<usize>| headings.partition_point(|place| *place < text.start);
        let heading = text.first().and_then(|text| is_before(text).checked_sub(1));
        match heading.and_then(|heading| headings.get(heading)) {
            Some(heading) if *heading >= at => {
                edits.set_attribute(*heading, "data-cf-step-title", Some(""));
            }
            _ if title.is_empty() => {}
            _ => edits.set_attribute(at, "data-cf-title", Some(title)),
        }
    };
    let schema = &read.schema;
    let titles = schema.layout.steps.iter().flatten();
    let titles = titles.map(|step| (step.id.as_str(), step.title.as_str()));
    let titles: BTreeMap<&str, &str> = titles.gather();
    let has_ids = read.steps.iter().any(|step| step_id(step).is_some());
    for (number, step) in (1..).zip(&read.steps) {
        let id = step_id(step);
        if let Some(at) = step.offset.get().filter(|_| id.is_some() || !has_ids) {
            let id = id.or_else(|| places.groups.get(&at).cloned());
            let id = id.unwrap_or_else(|| format!("step-{number}"));
            let title = titles.get(id.as_str()).copied();
            mark(at, &id, &step.title, title.unwrap_or_default());
        }
    }
    let holds = |field: &&Field| field.kind.holds_fields();
    let names = schema.fields.iter().filter(holds);
    let names: BTreeSet<&str> = names.map(|field| field.name.as_str()).gather();
    for (field, place) in schema.fields.iter().zip(&read.places) {
        let is_outer = match field.group.as_deref() {
            Some(group) => read.steps.is_empty() && !names.contains(group),
            None => !has_ids,
        };
        let label = read.texts.spans(place.label.clone(), false);
        let start = label.first().and_then(|label| places.fieldset_of(label));
        let start = start.filter(|_| !field.options.is_empty());
        let start = start.or(holds(&field).then_some(place.offset as usize));
        if let Some(at) = start.filter(|_| is_outer) {
            mark(at, &field.name, &place.label, &field.label);
        }
    }
    for (button, way) in &read.step_buttons {
        let way = way.map(|way| if way == StepWay::On { "on" } else { "back" });
        if way.is_some() {
            edits.set_attribute(*button as usize, "data-cf-way", way);
        }
    }
}

/// Removes `<form>` and `</form>`. A page puts another form element around the fields, which browsers would end at the
/// author's `</form>`.
pub fn without_form_tags(html: &str) -> String {
    FormTags::of(html).edits.apply(html)
}

/// Removes form tags, and collects the places of elements that matter for steps.
#[derive(Default)]
struct FormTags {
    edits: Edits,
    places: Places,
}

/// The places of elements that matter for steps.
#[derive(Default)]
struct Places {
    /// The starts of headings and legends.
    headings: Vec<usize>,
    /// The start of the last fieldset.
    fieldset: usize,
    /// The content of each legend, with the start of its fieldset.
    legends: Vec<(Range<usize>, usize)>,
    /// The names of groups, by the starts of their sections.
    groups: BTreeMap<usize, String>,
}

impl Places {
    /// The start of the fieldset whose legend contains a text.
    fn fieldset_of(&self, text: &Range<usize>) -> Option<usize> {
        let mut legends = self.legends.iter();
        let legend = legends.find(|(content, _)| content.contains(&text.start));
        legend.map(|(_, fieldset)| *fieldset)
    }
}

impl FormTags {
    fn remove_form_tag(&mut self, name: &str, span: Range<usize>) {
        if name.eq_ignore_ascii_case("form") {
            self.edits.replace(span, String::new());
        }
    }

    fn of(html: &str) -> FormTags {
        let mut tags = FormTags::default();
        tokens::read(html, &mut tags);
        tags
    }
}

impl<'a> TokenSink<'a> for FormTags {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let places = &mut self.places;
        if tag.tag == Tag::Legend || tag.tag.is_heading() {
            places.headings.push(tag.span.start);
        }
        if tag.tag == Tag::Fieldset {
            places.fieldset = tag.span.start;
        } else if tag.tag == Tag::Legend {
            let legend = tag.span.end..usize::MAX;
            places.legends.push((legend, places.fieldset));
        } else if let Some(group) = tag.attribute("data-cf-group") {
            places.groups.insert(tag.span.start, group.value().into());
        }
        self.remove_form_tag(tag.name, tag.span.clone());
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        if let Some((legend, _)) = self.places.legends.last_mut()
            && name.eq_ignore_ascii_case("legend")
        {
            legend.end = legend.end.min(span.start);
        }
        self.remove_form_tag(name, span);
    }
}
