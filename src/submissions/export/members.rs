//! The members of a submission in a JSON export with chosen columns.

use serde_json::{Map, Value};

use super::csv::{Columns, FACTS};
use crate::json;
use crate::submissions::{Data, Submission};

/// A chosen column.
enum Column<'c> {
    Fact(&'c str),
    /// An answer, or a part of one.
    Answer(&'c str, Option<&'c str>),
}

impl Columns {
    /// The chosen columns of a submission as JSON members: facts, answers in `data`, and their labels in `labels`.
    /// `None` if no columns are chosen, which means all columns.
    pub(super) fn members(&self, submission: &Submission) -> Option<Data> {
        let chosen = self.chosen.as_ref()?;
        let columns = self.columns();
        let whole = json::value(submission);
        let mut members = Data::default();
        let mut answers = Data::default();
        let mut labels = Data::default();
        let mut has_answers = false;
        for column in chosen.iter().filter_map(|place| columns.get(*place)) {
            match column {
                Column::Fact(name) => {
                    let fact = whole.get(*name).cloned().unwrap_or_default();
                    members.0.push(((*name).to_owned(), fact));
                }
                Column::Answer(name, part) => {
                    has_answers = true;
                    add_answer(&mut answers, submission, name, *part);
                    let label = whole.get("labels").and_then(|labels| labels.get(name));
                    let is_new = labels.get(name).is_none();
                    let label = label.filter(|_| is_new);
                    labels
                        .0
                        .extend(label.map(|label| ((*name).to_owned(), label.clone())));
                }
            }
        }
        if has_answers {
            members.0.push(("data".to_owned(), json::value(&answers)));
            members.0.push(("labels".to_owned(), json::value(&labels)));
        }
        Some(members)
    }

    /// All columns, in order.
    fn columns(&self) -> Vec<Column<'_>> {
        let mut columns: Vec<Column<'_>> = FACTS.split(' ').map(Column::Fact).collect();
        for answer in &self.answers {
            if answer.rows.is_some() {
                // The rows of a repeating group are one answer, whichever of its columns are chosen.
                let width = 0..answer.width();
                columns.extend(width.map(|_| Column::Answer(&answer.name, None)));
                continue;
            }
            if answer.parts.is_empty() {
                columns.push(Column::Answer(&answer.name, None));
            }
            let parts = answer.parts.iter();
            columns.extend(parts.map(|part| Column::Answer(&answer.name, Some(part))));
        }
        columns
    }
}

/// Adds an answer or one of its parts. An answer that has no parts, because its field had another type, is added as a
/// whole.
fn add_answer(answers: &mut Data, submission: &Submission, name: &str, part: Option<&str>) {
    let Some(answer) = submission.data.get(name) else {
        return;
    };
    let mut known = answers.0.iter_mut();
    let known = known.find_map(|(known, value)| (known == name).then_some(value));
    match (part.zip(answer.as_object()), known) {
        (Some((part, parts)), known) => {
            let part = parts
                .get(part)
                .map(|value| (part.to_owned(), value.clone()));
            match known {
                Some(Value::Object(known)) => known.extend(part),
                Some(_) => {}
                None => {
                    let parts: Map<String, Value> = part.into_iter().collect();
                    answers.0.push((name.to_owned(), Value::Object(parts)));
                }
            }
        }
        (None, Some(_)) => {}
        (None, None) => answers.0.push((name.to_owned(), answer.clone())),
    }
}
