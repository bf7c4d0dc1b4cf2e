//! Edits the answers of a submission. New answers must pass the same checks as a submit.

use serde_json::{Map, Value};

use super::{Data, Labels, Submission};
use crate::analytics::answers;
use crate::error::{Error, Fault};
use crate::forms::{self, Form, FormSchema, submit_rules};
use crate::logic::input::Input;
use crate::logic::validate::{AnswerFault, CleanData, Rules};
use crate::store::holds::{of_answers, stored, taken};
use crate::store::submissions::NewAnswers;
use crate::task::Context;
use model::logic::holds::Hold;

/// Limit on an answer to a former field, in bytes of JSON.
pub(super) const MAX_FORMER_BYTES: usize = 20_000;

/// Replaces the stored answers that were sent; null removes an answer. Returns `None` if nothing changes.
pub async fn edited(
    cx: &Context,
    submission: &Submission,
    sent: &Map<String, Value>,
) -> Result<Option<NewAnswers>, Error> {
    let form = forms::load_existing(cx, submission.form_id).await?;
    let rules = submit_rules(cx, &form)?;
    let schema = &rules.schema;
    check_names(schema, submission, sent)?;
    let mut body = submission.data.to_map();
    body.extend(sent.clone());
    let messages = form.all_messages();
    let moment = form.local(cx, submission.submitted_at).await;
    let rules = rules.with_messages(&messages, moment);
    let clean = checked(&rules, &Input::of_json(&body), sent)?;
    let replaced = |name: &str| {
        if schema.answer_fields().any(|field| field.name == name) {
            clean.answers.get(name)
        } else {
            sent.get(name).filter(|value| !value.is_null())
        }
    };
    let mut data = Data::default();
    for (name, before) in submission.data.iter() {
        let is_sent = sent.contains_key(name);
        let value = if is_sent {
            replaced(name)
        } else {
            Some(before)
        };
        data.0
            .extend(value.map(|value| (name.to_owned(), value.clone())));
    }
    let is_new = |name: &&String| submission.data.get(name).is_none();
    for name in sent.keys().filter(is_new) {
        let value = replaced(name);
        data.0
            .extend(value.map(|value| (name.clone(), value.clone())));
    }
    let signer = crate::store::signer(cx).await?;
    let holds = of_answers(&signer, schema, form.id, &data);
    check_used(cx, submission, &form, schema, &holds).await?;
    Ok((data != submission.data).then(|| NewAnswers {
        held: stored(&holds),
        labels: Labels::of(schema, &data),
        counted: answers::counts(schema, &data, true),
        schema_revision: form.revision,
        data,
    }))
}

/// Rejects a changed unique value that another submission has. An edit may exceed the number of seats.
async fn check_used(
    cx: &Context,
    before: &Submission,
    form: &Form,
    schema: &FormSchema,
    holds: &[Hold],
) -> Result<(), Error> {
    let signer = crate::store::signer(cx).await?;
    let former = of_answers(&signer, schema, form.id, &before.data);
    let is_new = |hold: &&Hold| !hold.is_seat && !former.iter().any(|other| other.is_same(hold));
    let new: Vec<Hold> = holds.iter().filter(is_new).cloned().collect();
    let taken = taken(cx, form.id, &new).await?;
    let used = new.iter().zip(taken).filter(|(_, taken)| *taken > 0);
    let faults: Vec<Fault> = used
        .map(|(hold, _)| {
            let path = ["data.", &hold.field].concat();
            Fault::new(path, "not_unique", "Another submission has this value.")
        })
        .collect();
    if faults.is_empty() {
        return Ok(());
    }
    Err(Error::InvalidParameters(faults))
}

/// Checks that each sent answer belongs to a field that can be edited, or to a former field.
fn check_names(
    schema: &FormSchema,
    submission: &Submission,
    sent: &Map<String, Value>,
) -> Result<(), Error> {
    let mut faults = Vec::new();
    let mut add_fault = |name: &str, message: &str| {
        let path = ["data.", name].concat();
        faults.push(Fault::new(path, "rest_invalid_param", message));
    };
    for (name, value) in sent {
        match schema.answer_fields().find(|field| field.name == *name) {
            Some(field) if !field.kind.stores_in_full() => {
                add_fault(name, "Files and passwords cannot be changed.");
            }
            Some(_) => {}
            None if submission.data.get(name).is_none() => {
                add_fault(name, "The form has no field of that name.");
            }
            None if value.is_object() || value.to_string().len() > MAX_FORMER_BYTES => {
                add_fault(name, "This must be a text, a number or a list of texts.");
            }
            None => {}
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Error::InvalidParameters(faults))
    }
}

/// Validates all answers, and fails for faults in the sent ones. Other answers with faults are left out.
pub(super) fn checked(
    rules: &Rules<'_>,
    input: &Input,
    sent: &Map<String, Value>,
) -> Result<CleanData, Error> {
    let faults = match rules.validate(input) {
        Ok(clean) => return Ok(clean),
        Err(faults) => faults,
    };
    let groups = rules.schema.row_groups();
    // The name of the answer with a fault; for a fault in a row, the name of the group.
    let answer = |fault: &AnswerFault| {
        let group = groups.get(fault.field.as_str());
        group.map_or_else(|| fault.field.clone(), |group| group.name.clone())
    };
    let (sent_faults, other_faults): (Vec<_>, Vec<_>) = faults
        .into_iter()
        .partition(|fault| sent.contains_key(&answer(fault)));
    if sent_faults.is_empty() {
        let mut schema = rules.schema.clone();
        let faulty = |name: &str| other_faults.iter().any(|fault| answer(fault) == name);
        schema.fields.retain(|field| !faulty(&field.name));
        let rules = Rules {
            schema: &schema,
            ..*rules
        };
        return Ok(rules.validate(input).unwrap_or_default());
    }
    let faults = sent_faults.into_iter().map(|fault| {
        let path = ["data.", fault.input.as_ref().unwrap_or(&fault.field)].concat();
        Fault::new(path, "rest_invalid_param", fault.message)
    });
    Err(Error::InvalidParameters(faults.collect()))
}
