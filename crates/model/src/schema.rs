//! The schema of a form (specification, "FormSchema").

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field::Field;
use crate::ordered;

wire_enum! {
    /// The layout of a form.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "typescript", derive(tsify::Tsify), serde(rename_all = "kebab-case"))]
    pub enum LayoutType {
        /// One page.
        #[default]
        Single = "single",
        /// A wizard with steps.
        MultiStep = "multi-step",
        /// One question at a time.
        Conversational = "conversational",
    }
}

/// One step of a multi-step layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct LayoutStep {
    /// The id, unique among the steps.
    pub id: String,
    /// The step's heading.
    #[serde(default)]
    pub title: String,
    /// The names of the step's fields, in order.
    #[serde(default)]
    pub fields: Vec<String>,
}

/// The layout of a schema; unknown members are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Layout {
    /// The kind of layout.
    #[serde(rename = "type", default)]
    pub kind: LayoutType,
    /// The steps of a multi-step layout. Without them each distinct `group` is a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<LayoutStep>>,
    /// Further members, unchanged.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"))]
    pub other: Map<String, Value>,
}

impl TryFrom<Map<String, Value>> for Layout {
    type Error = serde_json::Error;

    fn try_from(mut other: Map<String, Value>) -> serde_json::Result<Layout> {
        let mut member = |name| other.remove(name).unwrap_or_default().to_string();
        let kind: Option<LayoutType> = serde_json::from_str(&member("type"))?;
        let steps = serde_json::from_str(&member("steps"))?;
        let kind = kind.unwrap_or_default();
        Ok(Layout { kind, steps, other })
    }
}

/// The member of `form_settings` that lists the former names of renamed fields by their current names (contract,
/// section 10).
pub const FORMER_NAMES: &str = "former_names";

/// The member of `form_settings` that maps a former name to the form's revision in which another field took the name.
pub const NAMES_TAKEN: &str = "former_names_taken";

/// The maximum number of former names: per schema when they are read, and per field when a rename is recorded.
const MAX_FORMER_NAMES: usize = 1_000;

/// Maps former names to current names. If several fields had the same name, the first listed field counts.
fn listed_former_names(form_settings: &Map<String, Value>) -> BTreeMap<&str, &str> {
    let mut names = BTreeMap::new();
    let fields = form_settings.get(FORMER_NAMES).and_then(Value::as_object);
    for (name, former) in fields.into_iter().flatten() {
        let former = former.as_array().into_iter().flatten();
        for former in former.filter_map(Value::as_str) {
            if former != name && names.len() < MAX_FORMER_NAMES {
                names.entry(former).or_insert(name.as_str());
            }
        }
    }
    names
}

/// Records a rename in `form_settings`, and keeps the field's earlier names.
pub fn remember_rename(form_settings: &mut Map<String, Value>, from: &str, to: &str) {
    let fields = form_settings
        .entry(FORMER_NAMES)
        .or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(fields) = fields else {
        return;
    };
    let lists = [fields.remove(from), fields.remove(to)];
    let earlier = lists.into_iter().flatten().filter_map(|list| match list {
        Value::Array(names) => Some(names),
        _ => None,
    });
    let mut names = vec![Value::from(from)];
    for name in earlier.flatten() {
        if name != to && !names.contains(&name) && names.len() < MAX_FORMER_NAMES {
            names.push(name);
        }
    }
    fields.insert(to.to_owned(), Value::Array(names));
}

/// The structured definition of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct FormSchema {
    /// The version of the format: 1.
    pub version: u32,
    /// The fields, in display order.
    pub fields: Vec<Field>,
    /// The layout.
    #[serde(default)]
    pub layout: Layout,
    /// Settings of the schema, stored unchanged.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"))]
    pub form_settings: Map<String, Value>,
}

/// The member of `form_settings` that lists the names of the schema's spam traps.
pub const SPAM_TRAPS: &str = "spam_traps";

/// The maximum number of spam traps that are read.
const MAX_SPAM_TRAPS: usize = 100;

impl FormSchema {
    /// The current version of the format.
    pub const VERSION: u32 = 1;

    /// Creates a schema with these fields on a single page. Sorts the fields by position and numbers them from 0.
    pub fn of(fields: Vec<Field>) -> FormSchema {
        let mut schema = FormSchema {
            version: FormSchema::VERSION,
            fields,
            layout: Layout::default(),
            form_settings: Map::new(),
        };
        schema.renumber();
        schema
    }

    /// The fields that have an entry in a submission's answers. Submit buttons are included if several have a value;
    /// the answer is then the value of the pressed button. A repeating group has one entry, which contains the
    /// answers of its rows.
    pub fn answer_fields(&self) -> impl Iterator<Item = &Field> {
        let groups = self.row_groups();
        self.all_answer_fields()
            .filter(move |field| !groups.contains_key(field.name.as_str()))
    }

    /// The fields of [`FormSchema::answer_fields`], and also the fields in rows.
    pub fn all_answer_fields(&self) -> impl Iterator<Item = &Field> {
        let buttons: usize = self.fields.iter().map(Field::button_count).sum();
        let takes =
            move |field: &&Field| field.takes_answer() || (buttons > 1 && field.button_count() > 0);
        self.fields.iter().filter(takes)
    }

    /// The field with a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Maps former names ([`FORMER_NAMES`]) to current names. A former name that another field has now is left out.
    pub fn former_names(&self) -> BTreeMap<&str, &str> {
        let mut names = listed_former_names(&self.form_settings);
        if !names.is_empty() {
            for field in self.all_answer_fields() {
                names.remove(field.name.as_str());
            }
        }
        names
    }

    /// Maps former names to current names for a submission that was validated by a revision of the form. A name that
    /// another field took after that revision still belongs to the field that had it then.
    pub fn former_names_at(&self, revision: i64) -> BTreeMap<&str, &str> {
        let mut names = listed_former_names(&self.form_settings);
        if names.is_empty() {
            return names;
        }
        let taken = self.form_settings.get(NAMES_TAKEN);
        let since = |name: &str| taken.and_then(|taken| taken.get(name)?.as_i64());
        for field in self.all_answer_fields() {
            if since(&field.name).is_none() {
                names.remove(field.name.as_str());
            }
        }
        names.retain(|former, _| since(former).is_none_or(|since| revision < since));
        names
    }

    /// Sorts the fields by position (stable), and numbers them from 0.
    pub fn renumber(&mut self) {
        ordered::sort_by(&mut self.fields, |one, other| {
            one.position.cmp(&other.position)
        });
        self.number();
    }

    /// Numbers the fields from 0 in their current order.
    pub fn number(&mut self) {
        for (position, field) in self.fields.iter_mut().enumerate() {
            field.position = u32::try_from(position).unwrap_or(u32::MAX);
        }
    }

    /// The names of the spam traps. Names that a field has are left out.
    pub fn spam_traps(&self) -> impl Iterator<Item = &str> {
        let listed = self.form_settings.get(SPAM_TRAPS).and_then(Value::as_array);
        let names = listed.into_iter().flatten().take(MAX_SPAM_TRAPS);
        let names = names.filter_map(Value::as_str);
        names.filter(|name| !name.is_empty() && self.field(name).is_none())
    }

    /// Adds names to the list of spam traps, each once.
    pub fn add_spam_traps(&mut self, names: &[String]) {
        if names.is_empty() {
            return;
        }
        let listed = self.form_settings.entry(SPAM_TRAPS);
        if let Value::Array(listed) = listed.or_insert_with(|| Value::Array(Vec::new())) {
            for name in names {
                if !listed.iter().any(|known| known == name) {
                    listed.push(Value::from(name.as_str()));
                }
            }
        }
    }

    /// Whether any field takes files, so that the form must be sent as multipart.
    pub fn takes_files(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| field.kind.takes_files())
    }
}
