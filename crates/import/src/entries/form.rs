//! The facts about the target form that the readers of submissions need.

use model::FieldType;
use serde_json::Value;

use crate::forms::builder::name_of_label;
use crate::values::{member, number, one_line, text, values};

/// A field that accepts answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub label: String,
    pub kind: FieldType,
    /// The name of the group that contains the field; empty outside of groups.
    pub group: String,
    /// The values and labels of the choices.
    pub options: Vec<(String, String)>,
    /// Whether the field accepts free answers.
    pub has_other: bool,
    /// Whether the field accepts a list.
    pub is_list: bool,
    /// The highest number that the field accepts.
    pub most: Option<f64>,
}

/// The target form of submissions.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The fields that accept answers.
    pub fields: Vec<Field>,
    /// The names and labels of the fields without answers, such as groups.
    groups: Vec<(String, String)>,
    /// The fields' names by their ids in the original product.
    ids: Value,
}

impl Form {
    /// Reads a schema that has a member `ids` next to its `fields`.
    pub fn of(schema: &Value) -> Form {
        let mut form = Form {
            fields: Vec::new(),
            groups: Vec::new(),
            ids: member(schema, "ids").clone(),
        };
        for field in values(member(schema, "fields")) {
            let kind = FieldType::parse(text(field, "type")).unwrap_or_default();
            if !kind.captures_value() {
                let named = [text(field, "name"), text(field, "label")].map(str::to_owned);
                form.groups.push(named.into());
                continue;
            }
            let options = values(member(field, "options")).into_iter();
            let options: Vec<(String, String)> = options
                .map(|option| [text(option, "value"), text(option, "label")].map(str::to_owned))
                .map(Into::into)
                .collect();
            let attributes = member(field, "attributes");
            let is_multiple = attributes.get("multiple").is_some();
            form.fields.push(Field {
                name: text(field, "name").to_owned(),
                label: text(field, "label").to_owned(),
                kind,
                group: text(field, "group").to_owned(),
                is_list: kind == FieldType::Checkbox && !options.is_empty()
                    || kind == FieldType::Select && is_multiple,
                options,
                has_other: attributes.get(model::Field::OTHER).is_some(),
                most: number(member(field, "validation"), "max"),
            });
        }
        form
    }

    /// Whether the fields' original ids are known.
    pub fn has_ids(&self) -> bool {
        self.ids.as_object().is_some_and(|ids| !ids.is_empty())
    }

    /// The field with this name.
    pub fn named(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field with this id in the original product.
    pub fn of_id(&self, id: &str) -> Option<&Field> {
        self.named(text(&self.ids, id))
    }

    /// Whether a group has this name.
    pub fn is_group(&self, name: &str) -> bool {
        self.groups.iter().any(|(known, _)| known == name)
    }

    /// The field with this name or label.
    pub fn find(&self, name: &str) -> Option<&Field> {
        let slug = name_of_label(name);
        self.named(name)
            .or_else(|| self.fields.iter().find(|field| same(&field.label, name)))
            .or_else(|| self.named(&slug).filter(|_| !slug.is_empty()))
    }

    /// A row of a grid: the field with this label in the group that `group` names or labels.
    pub fn row(&self, group: &str, label: &str) -> Option<&Field> {
        let slug = name_of_label(group);
        let is_it = |(name, label): &&(String, String)| same(label, group) || *name == slug;
        let (group, _) = self.groups.iter().find(is_it)?;
        let is_row = |field: &&Field| field.group == *group && same(&field.label, label);
        self.fields.iter().find(is_row)
    }
}

impl Field {
    /// Whether the field's answer has parts.
    pub fn is_composite(&self) -> bool {
        matches!(self.kind, FieldType::Name | FieldType::Address)
    }

    /// The value of the choice with this value or label.
    pub fn choice(&self, name: &str) -> Option<&str> {
        let name = name.trim();
        let by_value = self.options.iter().find(|(value, _)| value == name);
        let by_label = || self.options.iter().find(|(_, label)| same(label, name));
        let (value, _) = by_value.or_else(by_label)?;
        Some(value)
    }
}

/// Whether two labels are equal, apart from the amount of white space and the case of ASCII letters.
fn same(one: &str, other: &str) -> bool {
    one_line(one).eq_ignore_ascii_case(&one_line(other))
}
