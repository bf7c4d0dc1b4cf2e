//! A submission (specification, "Submission"; contract, section 5).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::logic::display::chosen_labels;
use crate::logic::piping;
use crate::ordered::Gather;
use crate::{FormSchema, dates};

/// The answers of a submission by field name, in the order of the schema. In JSON they are an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data(pub Vec<(String, Value)>);

impl Data {
    /// The answer of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut answers = self.iter();
        answers.find_map(|(known, value)| (known == name).then_some(value))
    }

    /// The names and answers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The answers as a map.
    pub fn to_map(&self) -> Map<String, Value> {
        self.0.iter().cloned().gather()
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        struct DataVisitor;
        impl<'de> Visitor<'de> for DataVisitor {
            type Value = Data;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
                let mut answers = Vec::new();
                while let Some(answer) = map.next_entry()? {
                    answers.push(answer);
                }
                Ok(Data(answers))
            }
        }
        deserializer.deserialize_map(DataVisitor)
    }
}

/// The labels of chosen options by field name: in the order of the answers, then those of fields in rows. In JSON they
/// are an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(pub Vec<(String, String)>);

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

impl Labels {
    /// Finds the labels of the options that the answers chose.
    pub fn of(schema: &FormSchema, data: &Data) -> Labels {
        let words = piping::in_words(schema);
        let schema = words.as_ref().unwrap_or(schema);
        let labels = data.iter().filter_map(|(name, value)| {
            let labels = chosen_labels(schema.field(name)?, value)?;
            Some((name.to_owned(), labels))
        });
        let groups = schema.row_groups();
        let in_rows = groups.keys().filter_map(|name| {
            let values = schema.values_of(&groups, name, &|name| data.get(name));
            let field = schema.field(name)?;
            let labels = values
                .into_iter()
                .filter_map(|value| chosen_labels(field, value));
            let labels = labels.collect::<Vec<_>>().join(", ");
            (!labels.is_empty()).then(|| ((*name).to_owned(), labels))
        });
        Labels(labels.chain(in_rows).collect())
    }
}

/// A file of a submission. Deserialization reads the stored form; serialization writes the form that clients see.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StoredFile {
    /// The file's number within the submission, from 1.
    #[serde(skip_deserializing)]
    pub id: i64,
    /// The name of the file's field.
    pub field: String,
    /// The file name from the visitor's browser, made safe.
    #[serde(rename(serialize = "name"))]
    pub filename: String,
    /// The size in bytes.
    pub size: u64,
    /// The media type.
    #[serde(rename(serialize = "type"))]
    pub content_type: String,
    /// The address in the REST API.
    #[serde(skip_deserializing)]
    pub url: String,
    /// The key in the host's `Files` port; never shown to clients.
    #[serde(skip_serializing)]
    pub key: String,
}

impl StoredFile {
    /// The stored form of the file.
    pub fn stored(&self) -> Value {
        json!({
            "field": self.field,
            "filename": self.filename,
            "content_type": self.content_type,
            "size": self.size,
            "key": self.key,
        })
    }
}

/// Deserializes a struct member that is stored as JSON text.
pub fn json_text<'de, D: Deserializer<'de>, T: DeserializeOwned>(text: D) -> Result<T, D::Error> {
    serde_json::from_str(&String::deserialize(text)?).map_err(D::Error::custom)
}

/// A submission. Deserialization reads the stored form; serialization writes the form that clients, actions and hooks
/// see.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Submission {
    /// The id; 0 for a test submission, which is not stored.
    pub id: i64,
    /// The id of the form.
    pub form_id: i64,
    /// The status.
    pub status: String,
    /// Whether the submission counts as spam.
    pub is_spam: bool,
    /// The reasons why the submission counts as spam.
    #[serde(deserialize_with = "json_text")]
    pub spam_reasons: Vec<String>,
    /// The certainty of the spam checks, from 0 to 100.
    pub spam_score: i64,
    /// Whether a user starred the submission.
    pub starred: bool,
    /// The answers.
    #[serde(deserialize_with = "json_text")]
    pub data: Data,
    /// The labels of the options that the answers chose, by field name.
    #[serde(skip_deserializing)]
    pub labels: Labels,
    /// The files.
    #[serde(deserialize_with = "json_text")]
    pub files: Vec<StoredFile>,
    /// The visitor's IP address; empty if the form does not store it.
    pub ip_address: String,
    /// The user agent of the visitor's browser; empty if the form does not store it.
    pub user_agent: String,
    /// The page from which the visitor came to the form's page.
    pub referer_url: String,
    /// The page that held the form.
    pub page_url: String,
    /// The moment of the submit, in milliseconds UTC; in JSON ISO 8601.
    #[serde(serialize_with = "dates::serialize_moment")]
    pub submitted_at: i64,
    /// The moment of the last change, in milliseconds UTC; in JSON ISO 8601. Grows with every change.
    #[serde(serialize_with = "dates::serialize_moment")]
    pub modified_at: i64,
    /// The moment of the move to the trash, in milliseconds UTC; in JSON ISO 8601.
    #[serde(
        serialize_with = "dates::serialize_optional_moment",
        skip_serializing_if = "Option::is_none"
    )]
    pub trashed_at: Option<i64>,
    /// The revision of the form that validated the answers.
    pub schema_revision: i64,
    /// The form's current revision; `None` if the form is deleted.
    #[serde(skip_serializing)]
    pub form_revision: Option<i64>,
}

impl Submission {
    /// Applies the form's schema to the answers: renames them to the fields' current names, and sets the labels of
    /// chosen options.
    pub fn read_by(&mut self, schema: &FormSchema) {
        self.rename(schema.former_names_at(self.schema_revision));
        self.labels = Labels::of(schema, &self.data);
    }

    fn rename(&mut self, mut names: BTreeMap<&str, &str>) {
        // If another answer has the current name, an answer keeps its old name. That name may be the current name of a
        // third answer, so the names are checked until none is dropped.
        let mut count = 0;
        while count != names.len() {
            count = names.len();
            let stored = || self.data.iter().map(|(name, _)| name);
            let kept = stored().filter(|name| !names.contains_key(name));
            let mut taken: BTreeSet<&str> = kept.gather();
            for name in stored() {
                let current = names.get(name).copied();
                if current.is_some_and(|current| !taken.insert(current)) {
                    names.remove(name);
                }
            }
        }
        let answers = self.data.0.iter_mut().map(|(name, _)| name);
        let files = self.files.iter_mut().map(|file| &mut file.field);
        for name in answers.chain(files) {
            if let Some(current) = names.get(name.as_str()) {
                (*current).clone_into(name);
            }
        }
    }
}
