//! Reads submissions in JSON: Gravity Forms, Fluent Forms, Typeform, Jotform and Tally.

use serde_json::{Map, Value};

use super::answers::Answers;
use super::document_parts::{about, form_of};
use super::form::{Field, Form};
use super::gravity::{self, Numbers};
use super::links::{Files, Links};
use super::moments::{Order, moment};
use super::taker::Style;
use super::{Context, File, note_counts};
use crate::forms::builder::name_of_label;
use crate::values::{Places, entries, member, text, values};
use crate::{Clock, Options, Origin, SubmissionDraft};

/// Reads the submissions `documents`. `ids` has the form's id for each of them.
pub fn read(
    context: &mut Context<'_>,
    file: &File<'_>,
    documents: &[&Value],
    ids: &[String],
) -> Vec<SubmissionDraft> {
    let options = context.options;
    let mut reader = Reader {
        options,
        format: file.format,
        sample: file.sample,
        titles: member(file.head, "questions"),
        forms: Vec::new(),
        places: Places::default(),
        unknown: Places::default(),
        files: Files::default(),
        is_local: false,
    };
    context.report.begin("");
    let of_all = options.forms.contains_key("");
    let ids = ids.iter().map(|id| if of_all { "" } else { id });
    let drafts = documents.iter().zip(ids);
    let drafts = drafts.map(|(document, id)| reader.draft(document, id, &context.clock));
    let drafts = drafts.collect();
    let zone = reader.is_local.then(|| context.clock.name().to_owned());
    note_counts(
        context.report,
        zone.as_deref(),
        (reader.files, options),
        &reader.unknown,
    );
    drafts
}

struct Reader<'f> {
    options: &'f Options,
    format: &'static str,
    /// All or the first submissions of the file.
    sample: &'f [&'f Value],
    /// The file's `questions` with their titles, which only Tally's files have.
    titles: &'f Value,
    forms: Vec<(Form, Numbers<'f>)>,
    /// The indexes in `forms`, by form id.
    places: Places,
    /// The number of submissions with an answer that has no field, by the answer's original name.
    unknown: Places,
    files: Files,
    /// Whether a time named no zone.
    is_local: bool,
}

impl Reader<'_> {
    /// The index of a form in `forms`; reads the form on first use.
    fn place(&mut self, id: &str) -> Option<usize> {
        if let Some(known) = self.places.get(id) {
            return Some(known);
        }
        let form = Form::of(self.options.forms.get(id)?);
        let is_of_form = |document: &&&Value| id.is_empty() || form_of(document, self.format) == id;
        let all: Vec<&Value> = match self.format {
            "gravity-entries" => self.sample.iter().filter(is_of_form).copied().collect(),
            _ => Vec::new(),
        };
        let numbers = Numbers::of(&form, &self.options.mapping, &all);
        self.places.put(id, self.forms.len());
        self.forms.push((form, numbers));
        self.places.get(id)
    }

    fn draft(&mut self, document: &Value, id: &str, clock: &Clock<'_>) -> SubmissionDraft {
        let form_id = Origin {
            id: id.to_owned(),
            created_at: String::new(),
        };
        let known = self.place(id).and_then(|place| self.forms.get(place));
        let Some((form, numbers)) = known else {
            return SubmissionDraft {
                form: form_id,
                ..SubmissionDraft::default()
            };
        };
        let mut answers = Answers {
            form,
            taken: Map::new(),
            links: Links::default(),
            unknown: Vec::new(),
            style: Style::default(),
        };
        match self.format {
            "gravity-entries" => gravity::read(&mut answers, document, numbers),
            "fluent-forms-entries" => answers.fluent(document),
            "typeform-responses" => answers.typeform(document),
            "jotform-submissions" => answers.jotform(document),
            _ => answers.tally(document, self.titles),
        }
        let mut draft = about(document, self.format);
        let at = ["date_created", "created_at", "submitted_at", "submittedAt"]
            .map(|name| text(document, name));
        let at = at.into_iter().find(|at| !at.is_empty()).unwrap_or_default();
        let read = moment(at, Order::DayFirst, clock);
        draft.submitted_at = match self.format {
            "gravity-entries" => model::dates::parse_moment(at),
            _ => read.map(|(at, _)| at),
        };
        self.is_local |= self.format != "gravity-entries" && matches!(read, Some((_, false)));
        for name in &answers.unknown {
            self.unknown.count(name);
        }
        draft.answers = answers.taken;
        answers
            .links
            .keep(&mut draft, self.options, &mut self.files);
        if !draft.key.is_empty() {
            self.format.clone_into(&mut draft.source);
        }
        draft.form = form_id;
        draft
    }
}

impl Answers<'_> {
    /// Takes the answer to a question of another product. An answer without a field is kept.
    fn answer(&mut self, field: Option<&Field>, name: &str, value: &Value) {
        match field {
            Some(field) => self.take(field, value),
            None if value.is_object() && self.form.is_group(name) => self.rows(name, value),
            None => self.keep(name, name, value),
        }
    }

    fn fluent(&mut self, entry: &Value) {
        let response = match member(entry, "response") {
            Value::String(json) => crate::values::parse(json).unwrap_or_default(),
            response => response.clone(),
        };
        for (name, value) in entries(&response) {
            let internal = ["__fluent", "_fluentform_", "_wp_http_referer"];
            if !internal.iter().any(|start| name.starts_with(start)) {
                let form = self.form;
                let field = form.of_id(name).or_else(|| form.named(name));
                self.answer(field, name, value);
            }
        }
    }

    /// Takes the answers to a grid, which has one answer for each row.
    fn rows(&mut self, name: &str, value: &Value) {
        for (row, value) in entries(value) {
            let row_name = [name, "_", &name_of_label(row)].concat();
            let verbatim = [name, "_", row].concat();
            let form = self.form;
            match form.named(&row_name).or_else(|| form.named(&verbatim)) {
                Some(field) => self.take(field, value),
                None => self.keep(&row_name, &row_name, value),
            }
        }
    }

    fn typeform(&mut self, response: &Value) {
        let form = self.form;
        for (name, value) in entries(member(response, "hidden")) {
            self.answer(form.of_id(name).or_else(|| form.find(name)), name, value);
        }
        for answer in values(member(response, "answers")) {
            let of = member(answer, "field");
            let kind = text(answer, "type");
            let value = match (kind, member(answer, kind)) {
                ("choice", choice) => match text(choice, "label") {
                    "" => member(choice, "other").clone(),
                    label => label.into(),
                },
                ("choices", choices) => {
                    let mut all = values(member(choices, "labels"));
                    all.extend(choices.get("other"));
                    all.into_iter().cloned().collect()
                }
                ("file_url", url) => url.clone(),
                (_, value) => value.clone(),
            };
            let (name, id) = (text(of, "ref"), text(of, "id"));
            let field = form
                .of_id(name)
                .or_else(|| form.of_id(id))
                .or_else(|| form.find(name));
            match field {
                Some(field) => self.take(field, &value),
                None => self.keep(name, &["field_", id].concat(), &value),
            }
        }
    }

    fn jotform(&mut self, submission: &Value) {
        let form = self.form;
        for (id, question) in entries(member(submission, "answers")) {
            let (name, value) = (text(question, "name"), member(question, "answer"));
            if !value.is_null() {
                let field = form.of_id(id).or_else(|| form.named(name));
                self.answer(field, name, value);
            }
        }
    }

    fn tally(&mut self, submission: &Value, titles: &Value) {
        let form = self.form;
        for response in values(member(submission, "responses")) {
            let (id, value) = (text(response, "questionId"), member(response, "answer"));
            let mut questions = values(titles).into_iter();
            let question = questions.find(|question| text(question, "id") == id);
            let title = question.map_or(id, |question| text(question, "title"));
            match form.of_id(id).or_else(|| form.find(title)) {
                Some(field) => self.take(field, value),
                None => self.keep(title, &name_of_label(title), value),
            }
        }
    }
}
