//! The schema of a form (specification, "FormSchema").

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field::{Field, FieldType};
use crate::ordered;

wire_enum! {
    /// How a form is laid out.
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
    /// Unique among the steps.
    pub id: String,
    /// The step's heading.
    #[serde(default)]
    pub title: String,
    /// The names of its fields, in order.
    #[serde(default)]
    pub fields: Vec<String>,
}

/// The layout of a schema; members that the service does not know are kept.
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
    /// Further members, as they came.
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

/// The structured definition of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct FormSchema {
    /// The format's version; 1.
    pub version: u32,
    /// The fields, in display order.
    pub fields: Vec<Field>,
    /// The layout.
    #[serde(default)]
    pub layout: Layout,
    /// Schema-level settings, as they came.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"))]
    pub form_settings: Map<String, Value>,
}

impl FormSchema {
    /// The current version of the format.
    pub const VERSION: u32 = 1;

    /// A schema of these fields on a single page, renumbered.
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

    /// The fields that capture an answer.
    pub fn answer_fields(&self) -> impl Iterator<Item = &Field> {
        let fields = self.fields.iter();
        fields.filter(|field| field.kind.captures_value())
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Sorts by position (stable) and numbers the fields from 0.
    pub fn renumber(&mut self) {
        ordered::sort_by(&mut self.fields, |one, other| {
            one.position.cmp(&other.position)
        });
        self.number();
    }

    /// Numbers the fields from 0 in the order in which they are.
    pub fn number(&mut self) {
        for (position, field) in self.fields.iter_mut().enumerate() {
            field.position = u32::try_from(position).unwrap_or(u32::MAX);
        }
    }

    /// Whether any field takes files, so that the form must be sent as multipart.
    pub fn takes_files(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| field.kind == FieldType::File)
    }
}
