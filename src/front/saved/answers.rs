//! The content of saved progress: the fields' texts as sent and unchecked, the step, and the tokens of uploads.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::Error;
use crate::forms::{Field, Form, FormSchema};
use crate::front::input::Sent;
use crate::front::page;
use crate::http::Response;
use crate::logic::input::Input;
use crate::logic::validate::{checked_alone, is_disabled, unchecked_data};
use crate::pages::KeptFile;
use crate::security::{Signer, token_hash};
use crate::submissions::Submission;
use crate::task::Context;
use model::field_kinds::AnswerShape;

/// Limit on the names and texts, in bytes.
const MAX_BYTES: usize = 1_000_000;

/// Limit on the step's name, in characters.
const MAX_STEP_CHARS: usize = 200;

/// Decrypted saved progress.
#[derive(Default)]
pub struct Answers {
    values: BTreeMap<String, Vec<String>>,
    /// The fields of uploads, and their tokens.
    pub files: Vec<(String, String)>,
    pub step: String,
    /// The hash of the schema's fields when the answers were saved.
    schema: String,
}

/// Reads the answers in a request; `None` if they exceed the limit.
pub fn of_sent(schema: &FormSchema, sent: &Sent) -> Option<Answers> {
    let mut values = BTreeMap::new();
    let mut bytes = 0;
    for (name, texts) in sent.input.iter() {
        if !name.starts_with('_') && field_of(schema, name).is_some_and(is_saved) {
            let texts = texts.to_vec();
            bytes += name.len() + texts.iter().map(String::len).sum::<usize>();
            values.insert(name.to_owned(), texts);
        }
    }
    let files = sent.uploads.iter().filter_map(|upload| {
        let field = upload.stored.as_ref()?.field.clone();
        Some((field, upload.token.clone()?))
    });
    let step = sent.value("_cf_step").unwrap_or_default();
    (bytes <= MAX_BYTES).then(|| Answers {
        values,
        files: files.collect(),
        step: step.chars().take(MAX_STEP_CHARS).collect(),
        schema: hash_of(schema),
    })
}

fn hash_of(schema: &FormSchema) -> String {
    token_hash(&serde_json::to_string(&schema.fields).unwrap_or_default())
}

/// The field that a sent name belongs to, including names within a row of a repeating group.
fn field_of<'s>(schema: &'s FormSchema, name: &str) -> Option<&'s Field> {
    if let Some(field) = schema.field(name) {
        return Some(field);
    }
    let whole = name.rfind('[').and_then(|at| schema.field(name.get(..at)?));
    if whole.is_some() {
        return whole;
    }
    let (base, rest) = name.split_once('[')?;
    let field = schema.field(base)?;
    if !field.kind.holds_fields() {
        return Some(field);
    }
    let inner = rest.split("][").nth(1)?;
    schema.field(inner.trim_end_matches(']'))
}

/// Whether the answers of a field are saved.
fn is_saved(field: &Field) -> bool {
    use AnswerShape::{Button, Consent, Files, None, Secret};
    let is_lost = matches!(field.shape(), Button | Consent | Files | None | Secret);
    !is_lost && !field.is_calculated() && !is_disabled(field)
}

impl Answers {
    pub fn to_json(&self) -> Value {
        json!({"values": self.values, "files": self.files, "step": self.step, "schema": self.schema})
    }

    pub fn of_json(stored: &Value) -> Answers {
        let text = |name: &str| stored.get(name).and_then(Value::as_str);
        let member = |name: &str| stored.get(name).cloned().unwrap_or_default();
        Answers {
            values: serde_json::from_value(member("values")).unwrap_or_default(),
            files: serde_json::from_value(member("files")).unwrap_or_default(),
            step: text("step").unwrap_or_default().to_owned(),
            schema: text("schema").unwrap_or_default().to_owned(),
        }
    }

    /// The keyed hashes of the email addresses in the answers.
    pub fn owners(&self, signer: &Signer, schema: &FormSchema, input: &Input) -> Vec<String> {
        signer.address_hashes(&Submission {
            data: unchecked_data(schema, input).answers,
            ..Submission::default()
        })
    }

    /// Returns the answers that the form still accepts, and the fields of the others. An unchanged form accepts all
    /// answers, even invalid ones, since answers are saved unchecked.
    pub fn still_fitting(
        &self,
        schema: &FormSchema,
        messages: &Map<String, Value>,
    ) -> (BTreeMap<String, Vec<String>>, Vec<String>) {
        if self.schema == hash_of(schema) {
            return (self.values.clone(), Vec::new());
        }
        let pairs = self
            .values
            .iter()
            .flat_map(|(name, texts)| texts.iter().map(|text| (name.clone(), text.clone())));
        let mut input = Input::of_pairs(pairs.collect(), Vec::new());
        input.use_current_names(schema);
        let (mut values, mut changed) = (BTreeMap::new(), Vec::new());
        for (name, texts) in input.iter() {
            let field = field_of(schema, name).filter(|field| is_saved(field));
            // Fields in rows of a repeating group are only checked at the submit.
            let fits = field.is_some_and(|field| {
                field.group.is_some() && !name.starts_with(&field.name)
                    || !checked_alone(field, &input, messages).1
            });
            if fits {
                values.insert(name.to_owned(), texts.to_vec());
            } else {
                let name = field.map_or(name, |field| &field.name).to_owned();
                if !changed.contains(&name) {
                    changed.push(name);
                }
            }
        }
        (values, changed)
    }
}

/// The page of a form with these saved answers and hidden inputs.
pub async fn fill(
    cx: &Context,
    form: &Form,
    values: &BTreeMap<String, Vec<String>>,
    hidden: &[(&str, &str)],
    files: Vec<KeptFile>,
    changed: &[String],
    step: &str,
) -> Result<Response, Error> {
    let pairs = values
        .iter()
        .flat_map(|(name, texts)| texts.iter().map(|text| (name.clone(), text.clone())));
    let hidden = hidden
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let input = Input::of_pairs(pairs.chain(hidden).collect(), Vec::new());
    page::resumed(cx, form, &input, files, changed, step).await
}
