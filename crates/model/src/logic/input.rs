//! The values of a submit, from a form body or a JSON body.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::file_types::Content;
use crate::ordered::Gather;
use crate::{FormSchema, collapse};

/// The deepest nesting in a JSON body that is read.
const MAX_DEPTH: usize = 4;

/// The longest name of a field, in bytes: 200 characters of up to 4 bytes.
const MAX_NAME_BYTES: usize = 800;

/// A file of a submit. The host keeps its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct UploadedFile {
    /// The name of the input that sent the file.
    pub field: String,
    /// The file's name in the visitor's browser.
    pub filename: String,
    /// The type that the visitor's browser sent. The engine ignores it.
    pub content_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The facts from the first bytes; `None` if they were not read.
    #[serde(skip)]
    pub content: Option<Content>,
    /// Whether the visitor sent a token without a usable file: unknown, expired, used, or of another form or field.
    #[serde(skip)]
    pub is_unusable: bool,
}

/// The values of a submit by field name (see [`field_name`]), and the files in order.
#[derive(Clone, Debug, Default)]
pub struct Input {
    texts: BTreeMap<String, Vec<String>>,
    /// The names with `true` or `false` in JSON, and whether any of these was `true`.
    switches: BTreeMap<String, bool>,
    /// The names with a list in JSON.
    lists: BTreeSet<String>,
    /// Whether the page that sent the values was rendered before the form's last change.
    pub is_of_older_page: bool,
    /// The files, including the entries that browsers send for empty inputs.
    pub files: Vec<UploadedFile>,
}

impl Input {
    /// The input of a form body: its pairs in order, and the files of a multipart body.
    pub fn of_pairs(pairs: Vec<(String, String)>, files: Vec<UploadedFile>) -> Input {
        let mut input = Input {
            files,
            ..Input::default()
        };
        for (name, value) in pairs {
            input.add(name, value);
        }
        for file in &mut input.files {
            if let Cow::Owned(name) = field_name(&file.field) {
                file.field = name;
            } else {
                let length = field_name(&file.field).len();
                file.field.truncate(length);
            }
        }
        input
    }

    /// The input of a JSON body. The items of a list are several values of one name. The members of an object get the
    /// names `name[member]`, and those of an object in a list `name[0][member]`. Null is a missing value, or an empty
    /// text in a list of texts or numbers. Numbers and booleans count as their text.
    pub fn of_json(body: &Map<String, Value>) -> Input {
        let mut input = Input::default();
        for (name, value) in body {
            input.add_json(name, value, 1);
        }
        input
    }

    fn add(&mut self, mut name: String, value: String) {
        match field_name(&name) {
            Cow::Owned(field) => name = field,
            Cow::Borrowed(field) => {
                let length = field.len();
                name.truncate(length);
            }
        }
        self.texts.entry(name).or_default().push(value);
    }

    fn add_json(&mut self, name: &str, value: &Value, depth: usize) {
        match value {
            Value::String(text) => self.add(name.to_owned(), text.clone()),
            Value::Number(number) => self.add(name.to_owned(), number.to_string()),
            Value::Bool(on) => {
                self.add(name.to_owned(), on.to_string());
                *self
                    .switches
                    .entry(field_name(name).into_owned())
                    .or_default() |= on;
            }
            Value::Array(values) if depth < MAX_DEPTH => {
                // An empty list means that nothing was chosen.
                let field = field_name(name);
                self.texts.entry(field.to_string()).or_default();
                self.lists.insert(field.to_string());
                let is_list = |value: &Value| value.is_string() || value.is_number();
                let has_answers = values.iter().any(is_list);
                for (index, value) in values.iter().enumerate() {
                    if value.is_null() && has_answers {
                        // A stored list has null for a number that was left empty.
                        self.add(name.to_owned(), String::new());
                    }
                    if value.is_object() || value.is_array() {
                        self.add_json(&format!("{field}[{index}]"), value, depth + 1);
                    }
                    if !value.is_object() {
                        self.add_json(name, value, depth + 1);
                    }
                }
            }
            Value::Object(members) if depth < MAX_DEPTH => {
                for (member, value) in members {
                    self.add_json(&format!("{name}[{member}]"), value, depth + 1);
                }
            }
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
    }

    /// Moves values from fields' former names to the current names, for pages that were rendered before a rename. If
    /// a page also sent the current name, the values under the former name are ignored.
    pub fn use_current_names(&mut self, schema: &FormSchema) {
        let former = schema.former_names();
        if former.is_empty() {
            return;
        }
        let fields = schema.answer_fields().map(|field| field.name.as_str());
        let fields: BTreeSet<&str> = fields.gather();
        // Splits a sent name after the longest prefix that is a field's name: `home[city]` belongs to `home`, unless
        // a field is named `home[city]`.
        let owner = |sent| {
            let mut names = beginnings(sent);
            names.find(|(name, _)| fields.contains(name) || former.contains_key(name))
        };
        let files = self.files.iter().map(|file| file.field.as_str());
        let sent = self.texts.keys().map(String::as_str).chain(files);
        let sent: Vec<(&str, &str)> = sent.filter_map(owner).collect();
        let current = sent.iter().filter(|(name, _)| fields.contains(name));
        let mut names: BTreeMap<&str, &str> = current.map(|(name, _)| (*name, *name)).gather();
        let mut renamed = BTreeMap::new();
        for (name, rest) in sent {
            if let Some(current) = former.get(name)
                && *names.entry(current).or_insert(name) == name
            {
                renamed.insert([name, rest].concat(), [current, rest].concat());
            }
        }
        for file in &mut self.files {
            if let Some(current) = renamed.get(&file.field) {
                file.field.clone_from(current);
            }
        }
        for (name, current) in renamed {
            if self.lists.remove(&name) {
                self.lists.insert(current.clone());
            }
            let switch = self.switches.remove(&name);
            self.switches
                .extend(switch.map(|is_on| (current.clone(), is_on)));
            let texts = self.texts.remove(&name);
            self.texts.extend(texts.map(|texts| (current, texts)));
        }
    }

    /// Whether a JSON body has a list of several answers under a name.
    pub fn has_list(&self, name: &str) -> bool {
        self.lists.contains(name) && self.all(name).is_some_and(|texts| texts.len() > 1)
    }

    /// Every name with its values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        let texts = self.texts.iter();
        texts.map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// The sent names with a prefix.
    pub fn names_from<'i>(&'i self, prefix: &'i str) -> impl Iterator<Item = &'i str> {
        let names = self
            .texts
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        let names = names.map(|(name, _)| name.as_str());
        names.take_while(move |name| name.starts_with(prefix))
    }

    /// Removes the names with a prefix.
    pub(super) fn remove_names_from(&mut self, prefix: &str) {
        self.texts.retain(|name, _| !name.starts_with(prefix));
    }

    /// The values of a name, in order; `None` if the name was not sent.
    pub fn all(&self, name: &str) -> Option<&[String]> {
        self.texts.get(name).map(Vec::as_slice)
    }

    /// Whether a checkbox is ticked: the box's value was sent under its name. A box without a value sends `on`;
    /// programs may also send `true`, `1` or `yes`. A boolean in JSON decides alone. `None` if the name was not sent.
    pub fn ticks(&self, name: &str, box_value: Option<&str>) -> Option<bool> {
        if let Some(is_on) = self.switches.get(name) {
            return Some(*is_on);
        }
        let is_box_value = |text: &String| match box_value {
            Some(box_value) => text == box_value,
            None => ["on", "true", "1", "yes"].contains(&text.as_str()),
        };
        Some(self.all(name)?.iter().any(is_box_value))
    }

    /// The last value of a name.
    pub fn last(&self, name: &str) -> Option<&str> {
        Some(self.all(name)?.last().map_or("", String::as_str))
    }

    /// The last value of a name, unless it is empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.last(name).filter(|value| !value.is_empty())
    }

    /// The value of a part of a composite field.
    pub fn part(&self, name: &str, part: &str) -> Option<&str> {
        self.last(&format!("{name}[{part}]"))
    }

    /// Removes the texts of a file field, and returns those that are not empty: the tokens of uploaded files.
    pub fn take_tokens(&mut self, name: &str) -> Vec<String> {
        self.lists.remove(name);
        let texts = self.texts.remove(name).unwrap_or_default();
        let is_filled = |text: &String| !text.trim().is_empty();
        texts.into_iter().filter(is_filled).collect()
    }

    /// Replaces the values of a name by one.
    pub fn replace(&mut self, name: &str, value: &str) {
        self.texts.insert(name.to_owned(), vec![value.to_owned()]);
    }

    /// Whether a name has texts that are not empty.
    pub fn has_text(&self, name: &str) -> bool {
        let mut texts = self.all(name).unwrap_or_default().iter();
        texts.any(|text| !text.trim().is_empty())
    }

    /// The files under a name, with their positions among all files. Entries of empty inputs are left out.
    pub fn files_of<'i>(
        &'i self,
        name: &'i str,
    ) -> impl Iterator<Item = (usize, &'i UploadedFile)> {
        self.files.iter().enumerate().filter(move |(_, file)| {
            let is_empty = file.filename.is_empty() && file.size == 0;
            file.field == name && (file.is_unusable || !is_empty)
        })
    }
}

/// A sent name and each of its prefixes that ends before a bracket or a dot, longest first, with the text after the
/// prefix.
fn beginnings(name: &str) -> impl Iterator<Item = (&str, &str)> {
    let edges = name.rmatch_indices(['[', '.']).map(|(at, _)| at);
    let ends = std::iter::once(name.len()).chain(edges);
    let ends = ends.filter(|end| *end <= MAX_NAME_BYTES);
    ends.filter_map(|end| name.split_at_checked(end))
}

/// Whether the name of a control marks a list.
pub fn is_list_name(name: &str) -> bool {
    name.trim_ascii_end().ends_with("[]")
}

/// The name of the field that a control's name belongs to: trimmed, with single spaces, and without the `[]` at its
/// end that marks a list.
pub fn field_name(name: &str) -> Cow<'_, str> {
    let without_brackets = |name: &str| {
        name.strip_suffix("[]")
            .unwrap_or(name)
            .trim_ascii_end()
            .len()
    };
    let is_plain = |c: u8| !c.is_ascii_whitespace();
    if name.bytes().all(is_plain) {
        return Cow::Borrowed(name.get(..without_brackets(name)).unwrap_or_default());
    }
    let mut name_part = collapse(name);
    name_part.truncate(without_brackets(&name_part));
    Cow::Owned(name_part)
}
