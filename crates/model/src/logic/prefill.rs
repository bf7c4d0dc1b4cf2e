//! Fills in answers from the URL of a form's page: `?email=ada%40example.org&topic=help&name.first=Ada`.
//!
//! - A parameter fills in the field of the same name. The attribute `data-prefill` lists other names for the
//!   parameter; the first listed name that the URL contains counts. `off` means no parameter, and an empty value the
//!   field's name. Hidden and readonly fields are filled in only if they have the attribute.
//! - Consents, passwords, files, calculated and disabled fields are never filled in, nor are fields whose names begin
//!   with `_`.
//! - A part is written `name.first` or `name[first]`, and several values `a=1&a=2` or `a[]=1`. An option is found by
//!   its value, or else by its label; any other text becomes the answer to "Other".
//! - A value is validated as in a submit. An invalid or empty value, and a value beyond the limits, is ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::answer::is_on;
use super::input::Input;
use super::query::{Parameter, parameters};
use super::validate::checked_alone;
use crate::field_kinds::AnswerShape;
use crate::one_control::says_list_by_name;
use crate::unicode::case::lowercase;
use crate::{Field, FieldOption, FieldType, FormSchema, collapse};

/// The attribute with the names of a field's parameters.
pub const ATTRIBUTE: &str = "data-prefill";

/// The value of the attribute for a field that no URL may fill in.
const OFF: &str = "off";

/// The longest query, in bytes; a longer query is ignored.
const MAX_QUERY_BYTES: usize = 8 * 1024;

/// The maximum number of parameters that are read.
const MAX_PARAMETERS: usize = 200;

/// The longest value, in characters; a longer value is ignored.
const MAX_VALUE_CHARS: usize = 2_000;

/// The answers that a query fills in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefill {
    /// The values by input name. A cleared checkbox has no values.
    pub values: Vec<(String, Vec<String>)>,
    /// The names of the filled fields of type `hidden`.
    pub hidden: Vec<String>,
    /// The positions of the parameters that filled in a field.
    used: BTreeSet<usize>,
}

impl Prefill {
    /// Reads a query, without its question mark.
    pub fn of(schema: &FormSchema, query: &str) -> Prefill {
        let parameters = parameters(query);
        let mut prefill = Prefill::default();
        if query.len() > MAX_QUERY_BYTES || parameters.is_empty() {
            return prefill;
        }
        let mut named: Named<'_> = BTreeMap::new();
        let is_short = |(_, parameter): &(usize, &Parameter<'_>)| {
            parameter.value.chars().count() <= MAX_VALUE_CHARS
        };
        let read = parameters.iter().enumerate().take(MAX_PARAMETERS);
        for (position, parameter) in read.filter(is_short) {
            let name = parameter.name.strip_suffix("[]");
            let places = named.entry(name.unwrap_or(&parameter.name)).or_default();
            places.push((position, &parameter.value));
        }
        for field in schema.answer_fields().filter(|field| may_fill(field)) {
            let sources = sources(field);
            let part_names = |source: &str| {
                let parts = field.parts().iter();
                let part = |part: &str| [format!("{source}.{part}"), format!("{source}[{part}]")];
                parts.flat_map(|known| part(known.name)).collect::<Vec<_>>()
            };
            let is_named = |source: &&str| {
                named.contains_key(*source)
                    || part_names(source)
                        .iter()
                        .any(|name| named.contains_key(name.as_str()))
            };
            if let Some(source) = sources.into_iter().find(is_named) {
                prefill.fill(field, source, &named);
            }
        }
        prefill
    }

    /// The values as pairs of a form body.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let values = self.values.iter();
        let pairs = values.flat_map(|(name, values)| {
            let values = values.iter();
            values.map(move |value| (name.clone(), value.clone()))
        });
        pairs.collect()
    }

    fn fill(&mut self, field: &Field, source: &str, named: &Named<'_>) {
        if field.is_date_in_parts() {
            return self.date(field, source, named);
        }
        for part in field.parts() {
            let names = [
                format!("{source}.{}", part.name),
                format!("{source}[{}]", part.name),
            ];
            let places = names.iter().filter_map(|name| named.get(name.as_str()));
            let places: Vec<_> = places.flatten().copied().collect();
            let Some(text) = places.last().map(|(_, value)| line_of(value)) else {
                continue;
            };
            let pairs = vec![(format!("{}[{}]", field.name, part.name), vec![text])];
            self.accept(field, pairs, &places);
        }
        let Some(places) = named.get(source) else {
            return;
        };
        let values: Vec<&str> = places.iter().map(|(_, value)| value.as_str()).collect();
        match field.shape() {
            AnswerShape::Parts => {}
            AnswerShape::Choice if field.is_switch() => self.switch(field, &values, places),
            AnswerShape::Choice => self.choices(field, &values, places),
            _ => self.texts(field, &values, places),
        }
    }

    /// Fills in a date with separate inputs, from a whole date or from its parts.
    fn date(&mut self, field: &Field, source: &str, named: &Named<'_>) {
        let mut places: Vec<Place<'_>> = Vec::new();
        let mut pairs = Vec::new();
        let mut take = |name: &str, input: &str| {
            let place = named.get(name).and_then(|places| places.last());
            places.extend(place);
            pairs.extend(place.map(|(_, value)| (input.to_owned(), line_of(value))));
        };
        take(source, &field.name);
        for part in field.parts() {
            let input = format!("{}[{}]", field.name, part.name);
            take(&format!("{source}.{}", part.name), &input);
            take(&format!("{source}[{}]", part.name), &input);
        }
        let input = Input::of_pairs(pairs, Vec::new());
        let (value, is_faulty) = checked_alone(field, &input, &Map::new());
        let date = value.as_ref().and_then(Value::as_str);
        let Some(date) = date.filter(|date| !is_faulty && !date.is_empty()) else {
            return;
        };
        let pairs = date.rsplit('-').zip(field.parts()).map(|(text, part)| {
            let text = if part.name == "year" {
                text
            } else {
                text.trim_start_matches('0')
            };
            let name = format!("{}[{}]", field.name, part.name);
            (name, vec![text.to_owned()])
        });
        self.put(pairs.collect(), &places);
    }

    /// Checks or clears a checkbox.
    fn switch(&mut self, field: &Field, values: &[&str], places: &[Place<'_>]) {
        let Some(value) = values.last().filter(|value| !value.is_empty()) else {
            return;
        };
        let box_value = field.attributes.get("value").map_or("on", String::as_str);
        let says_on = |word: &&str| value.eq_ignore_ascii_case(word);
        if *value == box_value || ["on", "true", "1", "yes"].iter().any(says_on) {
            self.accept(
                field,
                vec![(field.name.clone(), vec![box_value.to_owned()])],
                places,
            );
        } else if !is_on(value) {
            self.put(vec![(field.name.clone(), Vec::new())], places);
        }
    }

    /// Chooses options, and fills in the text of "Other".
    fn choices(&mut self, field: &Field, values: &[&str], places: &[Place<'_>]) {
        let is_multiple = field.is_multiple();
        let from = if is_multiple {
            0
        } else {
            values.len().saturating_sub(1)
        };
        let mut chosen: Vec<String> = Vec::new();
        let mut other: Option<String> = None;
        let mut used: Vec<Place<'_>> = Vec::new();
        for (value, place) in values.iter().zip(places).skip(from) {
            let option = option_of(field, value).map(|option| option.value.clone());
            let is_other = option.is_none() && field.attributes.contains_key(Field::OTHER);
            if let Some(option) = option {
                if !chosen.contains(&option) {
                    chosen.push(option);
                }
                used.push(*place);
            } else if is_other && !value.trim().is_empty() {
                other = Some(line_of(value));
                used.push(*place);
            }
        }
        if chosen.is_empty() && other.is_none() {
            return;
        }
        // The radio button for "Other" has an empty value.
        if chosen.is_empty() && field.kind == FieldType::Radio {
            chosen.push(String::new());
        }
        let brackets = if is_multiple { "[]" } else { "" };
        let mut pairs = Vec::new();
        if !chosen.is_empty() {
            pairs.push(([&field.name, brackets].concat(), chosen));
        }
        pairs.extend(other.map(|text| (format!("{}[other]", field.name), vec![text])));
        let places = if is_multiple { &used } else { places };
        self.accept(field, pairs, places);
    }

    /// Fills in a text, number, date, colour or rating, or several of them.
    fn texts(&mut self, field: &Field, values: &[&str], places: &[Place<'_>]) {
        let lines = field.shape() == AnswerShape::Lines;
        let clean = |value: &&str| match lines {
            true => value.replace("\r\n", "\n").replace('\r', "\n"),
            false => line_of(value),
        };
        if field.is_multiple() {
            let texts: Vec<String> = values.iter().map(clean).collect();
            let pairs = if says_list_by_name(field) {
                (format!("{}[]", field.name), texts)
            } else {
                (field.name.clone(), vec![texts.join(",")])
            };
            return self.accept(field, vec![pairs], places);
        }
        let Some(text) = values.last().map(clean) else {
            return;
        };
        let pairs = vec![(field.name.clone(), vec![text])];
        self.accept(field, pairs, places);
    }

    /// Keeps the values of a field if a submit would accept them.
    fn accept(
        &mut self,
        field: &Field,
        mut pairs: Vec<(String, Vec<String>)>,
        places: &[Place<'_>],
    ) {
        let texts = pairs.iter().flat_map(|(name, values)| {
            let values = values.iter();
            values.map(move |value| (name.clone(), value.clone()))
        });
        let texts: Vec<(String, String)> = texts.collect();
        if texts.iter().all(|(_, text)| text.trim().is_empty()) {
            return;
        }
        let input = Input::of_pairs(texts, Vec::new());
        let (value, is_faulty) = checked_alone(field, &input, &Map::new());
        if is_faulty {
            return;
        }
        // Browsers accept dates, colours and points only in the stored format.
        let is_exact =
            field.is_moment() || matches!(field.shape(), AnswerShape::Color | AnswerShape::Points);
        if let (true, Some(value), [(_, texts)]) = (is_exact, value, pairs.as_mut_slice()) {
            match value {
                Value::String(text) => *texts = vec![text],
                Value::Number(number) => *texts = vec![number.to_string()],
                _ => {}
            }
        }
        if field.kind == FieldType::Hidden {
            self.hidden.push(field.name.clone());
        }
        self.put(pairs, places);
    }

    fn put(&mut self, pairs: Vec<(String, Vec<String>)>, places: &[Place<'_>]) {
        self.values.extend(pairs);
        self.used
            .extend(places.iter().map(|(position, _)| *position));
    }
}

/// The position of a parameter and its value.
type Place<'p> = (usize, &'p String);

/// The parameters by name, in order.
type Named<'p> = BTreeMap<&'p str, Vec<Place<'p>>>;

/// Whether a URL may fill in a field.
fn may_fill(field: &Field) -> bool {
    let has = |name: &str| field.attributes.contains_key(name);
    let is_guarded = field.kind == FieldType::Hidden || has("readonly");
    let listed = field.attributes.get(ATTRIBUTE);
    takes_prefill(field.kind)
        && !has("disabled")
        && !field.is_calculated()
        && !field.name.starts_with('_')
        && (listed.is_some() || !is_guarded)
        && listed.is_none_or(|listed| listed.trim() != OFF)
}

/// Whether a URL may fill in fields of a type.
pub fn takes_prefill(kind: FieldType) -> bool {
    kind.captures_value() && kind.stores_in_full() && !kind.is_consent()
}

/// The names of the parameters that may fill in a field, in order of priority.
fn sources(field: &Field) -> Vec<&str> {
    let listed = field.attributes.get(ATTRIBUTE);
    let listed: Vec<&str> = listed
        .map_or("", String::as_str)
        .split_whitespace()
        .collect();
    let names = if listed.is_empty() {
        vec![field.name.as_str()]
    } else {
        listed
    };
    names
        .into_iter()
        .filter(|name| !name.starts_with('_'))
        .collect()
}

/// The option with this value, or else the option with this label, ignoring white space and case.
fn option_of<'f>(field: &'f Field, text: &str) -> Option<&'f FieldOption> {
    let folded = |text: &str| lowercase(&collapse(text));
    let wanted = folded(text);
    let has_label = |option: &&FieldOption| {
        let first_line = option.label.lines().next().unwrap_or_default();
        !wanted.is_empty()
            && [option.label.as_str(), first_line]
                .iter()
                .any(|label| folded(label) == wanted)
    };
    let options = || {
        field
            .options
            .iter()
            .filter(|option| !option.value.is_empty())
    };
    let by_value = options().find(|option| option.value == text);
    by_value.or_else(|| options().find(has_label))
}

/// A text without line breaks, as a browser's single-line input keeps it.
fn line_of(text: &str) -> String {
    text.replace(['\r', '\n'], "")
}

/// The names of the parameters that did not fill in a field.
pub fn ignored(query: &str, prefill: &Prefill) -> Vec<String> {
    let parameters = parameters(query).into_iter().enumerate();
    let ignored = parameters.filter(|(position, _)| !prefill.used.contains(position));
    ignored.map(|(_, parameter)| parameter.name).collect()
}

/// Removes the parameters that filled in a field from a page's URL. Otherwise a stored URL would still contain
/// answers after their erasure.
pub fn without_answers(schema: &FormSchema, address: &str) -> String {
    let (page, fragment) = match address.split_once('#') {
        Some((page, fragment)) => (page, Some(fragment)),
        None => (address, None),
    };
    let Some((path, query)) = page.split_once('?') else {
        return address.to_owned();
    };
    let prefill = Prefill::of(schema, query);
    if prefill.used.is_empty() {
        return address.to_owned();
    }
    let parameters = parameters(query).into_iter().enumerate();
    let kept = parameters.filter(|(position, _)| !prefill.used.contains(position));
    let kept: Vec<&str> = kept.map(|(_, parameter)| parameter.written).collect();
    let mut whole = path.to_owned();
    for (mark, rest) in [
        ('?', kept.join("&")),
        ('#', fragment.unwrap_or_default().to_owned()),
    ] {
        if !rest.is_empty() {
            whole.push(mark);
            whole.push_str(&rest);
        }
    }
    whole
}
