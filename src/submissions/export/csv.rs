//! Submissions as CSV (RFC 4180): the columns and the cells.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;

use super::answer_columns::{AnswerColumns, MAX_ROWS, RowColumns};
use crate::dates::format_moment;
use crate::forms::{Field, FormSchema};
use crate::ordered::Gather;
use crate::submissions::Submission;

/// The headings of the columns that every submission has, before its answers.
pub(super) const FACTS: &str =
    "id status is_spam spam_reasons submitted_at ip_address user_agent referer_url page_url";

/// The titles of the same columns.
const FACT_TITLES: &str =
    "Number,Status,Spam,Spam reasons,Received,IP address,Browser,Referrer,Page";

/// The separator between the items of a list in one cell.
const SEPARATOR: &str = "; ";

/// The columns of a table: the facts about submissions, the answers in the order of the schema, and then the answers to
/// former fields, the oldest first.
pub struct Columns {
    pub(super) answers: Vec<AnswerColumns>,
    /// The indexes of the chosen columns, in order; `None` for all.
    pub(super) chosen: Option<Vec<usize>>,
    separator: char,
    /// The schema whose labels replace the values of options; `None` to show values.
    labels: Option<Rc<FormSchema>>,
    /// The schema whose labels are the columns' titles; `None` for headings with names.
    titles: Option<Rc<FormSchema>>,
    /// The indexes of columns with phone numbers in E.164, which spreadsheets would read as numbers.
    phones: Vec<usize>,
}

impl Columns {
    /// Creates the columns for a schema and for `ever`, the names of all answers ever stored. Cells are separated by
    /// commas.
    pub fn new(schema: &FormSchema, ever: Vec<String>) -> Columns {
        let groups = schema.row_groups();
        let of_field = |field: &Field| AnswerColumns {
            name: field.name.clone(),
            parts: field.kind.members(),
            rows: None,
        };
        let fields = schema.answer_fields().map(|field| AnswerColumns {
            rows: field.is_repeat().then(|| {
                let columns = schema.columns(&groups, &field.name);
                let (_, max) = field.row_limits();
                RowColumns {
                    rows: max.min(MAX_ROWS),
                    has_more: max > MAX_ROWS,
                    fields: columns.into_iter().map(of_field).collect(),
                }
            }),
            ..of_field(field)
        });
        let mut answers: Vec<AnswerColumns> = fields.collect();
        let mut named: BTreeSet<String> = answers.iter().map(|column| column.name.clone()).gather();
        let former = schema.former_names();
        for name in ever {
            let name = former
                .get(name.as_str())
                .map_or(name.as_str(), |current| current);
            if named.insert(name.to_owned()) {
                answers.push(AnswerColumns {
                    name: name.to_owned(),
                    parts: Vec::new(),
                    rows: None,
                });
            }
        }
        let mut columns = Columns {
            answers,
            chosen: None,
            separator: ',',
            labels: None,
            titles: None,
            phones: Vec::new(),
        };
        let phones = schema.answer_fields().filter(|field| field.is_phone());
        let phones = phones.flat_map(|field| columns.places_of(&field.name));
        columns.phones = phones.collect();
        columns
    }

    /// Sets the character between the cells.
    #[must_use]
    pub fn separated_by(self, separator: char) -> Columns {
        Columns { separator, ..self }
    }

    /// Makes cells show the labels of options instead of their values.
    #[must_use]
    pub fn with_labels(self, schema: Rc<FormSchema>) -> Columns {
        let labels = Some(schema);
        Columns { labels, ..self }
    }

    /// Makes the first row show the labels of fields instead of their names.
    #[must_use]
    pub fn with_titles(self, schema: Rc<FormSchema>) -> Columns {
        let titles = Some(schema);
        Columns { titles, ..self }
    }

    /// Chooses columns and their order. A name is a heading, the name of an answer with several columns, or a field's
    /// former name. `Err` with an unknown name.
    pub fn only(self, names: &[&str], schema: &FormSchema) -> Result<Columns, String> {
        let headings = self.headings();
        let former = schema.former_names();
        let places = |name: &str| {
            let exact = headings.iter().position(|heading| heading == name);
            exact.map_or_else(|| self.places_of(name), |place| vec![place])
        };
        let mut chosen: Vec<usize> = Vec::new();
        for name in names {
            let mut found = places(name);
            if found.is_empty() {
                let (field, part) = name.split_at(name.find('.').unwrap_or(name.len()));
                let current = former.get(name).map(|current| (*current).to_owned());
                let current = current.or_else(|| Some([*former.get(field)?, part].concat()));
                found = current.map_or_else(Vec::new, |current| places(&current));
            }
            if found.is_empty() {
                return Err((*name).to_owned());
            }
            chosen.extend(found);
        }
        let chosen = Some(chosen);
        Ok(Columns { chosen, ..self })
    }

    /// The indexes of the columns of an answer.
    fn places_of(&self, name: &str) -> Vec<usize> {
        let mut place = FACTS.split(' ').count();
        for answer in &self.answers {
            let width = answer.width();
            if answer.name == name {
                return (place..place + width).collect();
            }
            place += width;
        }
        Vec::new()
    }

    /// The headings of all columns. A repeated name gets a number.
    fn headings(&self) -> Vec<String> {
        let mut names: Vec<String> = FACTS.split(' ').map(str::to_owned).collect();
        for answer in &self.answers {
            answer.add_headings(&answer.name, &mut names);
        }
        number_repeated(&mut names);
        names
    }

    /// The titles of all columns. An answer's title is the label of its field, with the label of the part if the answer
    /// has parts.
    fn titles(&self, schema: &FormSchema) -> Vec<String> {
        let mut titles: Vec<String> = FACT_TITLES.split(',').map(str::to_owned).collect();
        for answer in &self.answers {
            answer.add_titles("", schema, &mut titles);
        }
        number_repeated(&mut titles);
        titles
    }

    /// The cells of the first row: titles if they are requested, or else headings.
    fn head(&self) -> Vec<String> {
        let titles = self.titles.as_ref().map(|schema| self.titles(schema));
        titles.unwrap_or_else(|| self.headings())
    }

    /// The first row as CSV.
    pub fn header(&self) -> String {
        let headings = self.head();
        self.row_of(headings.iter().map(|name| text_cell(name)).collect())
    }

    /// The first row of an XLSX sheet, as a line of JSON.
    pub fn sheet_header(&self) -> String {
        let headings = self.head().into_iter().map(Value::from).collect();
        json!(self.chosen_of(headings)).to_string() + "\n"
    }

    /// The row of a submission in an XLSX sheet, as a line of JSON. Cells are numbers or texts.
    pub fn sheet_row(&self, submission: &Submission) -> String {
        let mut cells = Vec::new();
        self.each(submission, &mut |value| {
            cells.push(match value {
                Some(Value::Number(number)) => Value::Number(number.clone()),
                value => value.map_or_else(String::new, text_of).into(),
            });
        });
        json!(self.chosen_of(cells)).to_string() + "\n"
    }

    /// An answer with labels instead of values, if labels are requested.
    fn labelled(&self, name: &str, answer: Option<&Value>) -> Option<Value> {
        let field = self.labels.as_ref().and_then(|schema| schema.field(name));
        Some(with_labels(field?, answer?))
    }

    /// The row of a submission as CSV.
    pub fn row(&self, submission: &Submission) -> String {
        let mut cells = Vec::new();
        self.each(submission, &mut |value| cells.push(cell(value)));
        for place in &self.phones {
            let number = cells.get_mut(*place);
            if let Some(number) = number.filter(|number| number.starts_with('+')) {
                number.insert(0, '\'');
            }
        }
        self.row_of(cells)
    }

    /// Calls `take` with the value of each column: the facts about the submission, then its answers.
    fn each(&self, submission: &Submission, take: &mut dyn FnMut(Option<&Value>)) {
        let facts = [
            json!(submission.id),
            json!(submission.status),
            json!(submission.is_spam.to_string()),
            json!(submission.spam_reasons.join(SEPARATOR)),
            json!(format_moment(submission.submitted_at)),
            json!(submission.ip_address),
            json!(submission.user_agent),
            json!(submission.referer_url),
            json!(submission.page_url),
        ];
        for fact in &facts {
            take(Some(fact));
        }
        for column in &self.answers {
            let answer = submission.data.get(&column.name);
            if let Some(rows) = &column.rows {
                self.each_row(rows, answer, take);
                continue;
            }
            let labelled = self.labelled(&column.name, answer);
            column.each(labelled.as_ref().or(answer), take);
        }
    }

    /// Calls `take` with the value of each column of a repeating group.
    fn each_row(
        &self,
        columns: &RowColumns,
        answer: Option<&Value>,
        take: &mut dyn FnMut(Option<&Value>),
    ) {
        let rows = answer.and_then(Value::as_array);
        let rows = rows.map(Vec::as_slice).unwrap_or_default();
        for index in 0..columns.rows {
            for field in &columns.fields {
                let value = rows.get(index).and_then(|row| row.get(&field.name));
                let labelled = self.labelled(&field.name, value);
                field.each(labelled.as_ref().or(value), take);
            }
        }
        if columns.has_more {
            let more = rows.iter().skip(columns.rows).map(|row| {
                let cells = columns.fields.iter().filter_map(|field| {
                    let value = row.get(&field.name)?;
                    let labelled = self.labelled(&field.name, Some(value));
                    let text = text_of(labelled.as_ref().unwrap_or(value));
                    Some(match columns.fields.len() {
                        1 => text,
                        _ => [&field.name, ": ", &text].concat(),
                    })
                });
                cells.collect::<Vec<_>>().join(", ")
            });
            let more = more.collect::<Vec<_>>().join(SEPARATOR);
            take(Some(&Value::from(more)));
        }
    }

    fn row_of(&self, cells: Vec<String>) -> String {
        self.chosen_of(cells).join(&self.separator.to_string()) + "\r\n"
    }

    /// Selects the cells of the chosen columns.
    fn chosen_of<T: Clone>(&self, cells: Vec<T>) -> Vec<T> {
        match &self.chosen {
            Some(chosen) => {
                let chosen = chosen.iter().filter_map(|place| cells.get(*place).cloned());
                chosen.collect()
            }
            None => cells,
        }
    }
}

/// Gives each repeated name a number.
fn number_repeated(names: &mut [String]) {
    let mut taken = BTreeSet::new();
    for name in names {
        let mut numbered = (2..).map(|number| format!("{name} ({number})"));
        if taken.contains(name)
            && let Some(free) = numbered.find(|candidate| !taken.contains(candidate))
        {
            *name = free;
        }
        taken.insert(name.clone());
    }
}

/// Replaces the values of options in an answer with their labels.
fn with_labels(field: &Field, value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(field.option_label(text).unwrap_or(text)),
        Value::Array(items) => items.iter().map(|item| with_labels(field, item)).collect(),
        other => other.clone(),
    }
}

/// The CSV cell of a value. Numbers are not escaped as formulas, even negative ones.
fn cell(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::Number(number)) => number.to_string(),
        Some(other) => text_cell(&text_of(other)),
    }
}

/// Formats a value as one text. Items of a list, and members with their names, are joined by [`SEPARATOR`].
fn text_of(value: &Value) -> String {
    let texts: Vec<String> = match value {
        Value::Null => return String::new(),
        Value::String(text) => return text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| [name, ": ", &text_of(member)].concat())
            .collect(),
        plain => return plain.to_string(),
    };
    texts.join(SEPARATOR)
}

/// The CSV cell of a text. An apostrophe before a formula keeps spreadsheets from running it (OWASP, "CSV Injection").
fn text_cell(text: &str) -> String {
    let apostrophe = if is_formula(text) { "'" } else { "" };
    if text.contains(['"', ',', ';', '\r', '\n', '\t']) || text != text.trim() {
        ["\"", apostrophe, &text.replace('"', "\"\""), "\""].concat()
    } else {
        [apostrophe, text].concat()
    }
}

/// Whether a spreadsheet may run a cell as a formula. This is so if the cell begins with a control character that
/// spreadsheets skip, or, after white space, with `=`, `+`, `-`, `@` or the full-width form of one. Phone numbers are
/// exempt.
fn is_formula(text: &str) -> bool {
    let invisible = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    let signs = "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}";
    if is_phone_number(text) {
        return false;
    }
    text.starts_with(['\t', '\r', '\n', '\0'])
        || text
            .trim_start_matches(invisible)
            .starts_with(|c| signs.contains(c))
}

/// Whether a text looks like a phone number: at least three digits, and otherwise only spaces, `+`, `-` and
/// parentheses. A formula of these characters can only calculate, so it is harmless.
fn is_phone_number(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let mut characters = text.chars();
    digits >= 3
        && characters.all(|c| c.is_ascii_digit() || matches!(c, ' ' | '+' | '-' | '(' | ')'))
}
