//! Reads submissions in CSV: the exports of known products, and other files by the caller's mapping of columns.

use crate::entries::about::{ABOUT, plain, set};

use model::FieldType;
use model::status::NEW;
use serde_json::{Map, Value};

use super::form::Form;
use super::links::{Files, Links};
use super::moments::Order;
use super::taker::{Place, Style, answer, part_of, place_of};
use super::{Context, note_counts};
use crate::SubmissionDraft;
use crate::csv::{self, Row};
use crate::forms::builder::name_of_label;
use crate::submissions::field_name;
use crate::values::{Places, member, put, text, values};

/// The number of the first row below the headings, as spreadsheets count.
const FIRST_ROW: usize = 2;

/// The content of a column.
enum Target<'s> {
    /// An answer, or a part of one.
    Place(Place<'s>),
    /// A fact about the submission.
    About(String),
    /// An answer without a field, with the name under which it is kept.
    Unknown(String),
}

/// Reads the submissions of CSV for the form that the caller names.
pub fn read(
    context: &mut Context<'_>,
    content: &str,
    format: &'static str,
) -> Vec<SubmissionDraft> {
    let mut rows = csv::read(content).into_iter();
    let header = rows.next().unwrap_or_default().cells;
    let mut rows: Vec<Row> = rows.collect();
    context.report.begin("");
    context.report.keep_first_submissions(&mut rows);
    let order = |index: usize| {
        let cells = rows.iter().filter_map(|row| row.cells.get(index));
        Order::of_column(cells.map(String::as_str))
    };
    let mut columns = Columns::of(format, (0..header.len()).map(order).collect());
    columns.header = header;
    let drafts = columns.read(context, &rows);
    columns.note(context);
    drafts
}

/// The columns of a file whose rows are read in parts, and the counts for the report.
#[derive(Default)]
pub struct Columns {
    pub header: Vec<String>,
    pub format: &'static str,
    /// The order of day and month in each column's dates.
    orders: Vec<Order>,
    /// The number of rows so far.
    rows: usize,
    /// The number of submissions with an answer in a column without a field, by heading.
    unknown: Places,
    files: Files,
    /// Whether a time named no zone.
    is_local: bool,
}

impl Columns {
    /// The columns of a format, with the order of day and month in each column's dates.
    pub fn of(format: &'static str, orders: Vec<Order>) -> Columns {
        Columns {
            format,
            orders,
            ..Columns::default()
        }
    }

    /// Reads the next rows.
    pub fn read(&mut self, context: &mut Context<'_>, rows: &[Row]) -> Vec<SubmissionDraft> {
        let options = context.options;
        let schema = options.forms.get("");
        let Some(schema) = schema.or_else(|| options.forms.values().next()) else {
            return Vec::new();
        };
        let schema = &Form::of(schema);
        let mapping = &options.mapping;
        let targets: Vec<Target<'_>> = (self.header.iter().enumerate())
            .map(|(index, heading)| {
                let is_last = index + 1 == self.header.len();
                target(schema, heading, self.format, mapping, is_last)
            })
            .collect();
        let first = FIRST_ROW + self.rows;
        self.rows += rows.len();
        let mut reader = Reader {
            styles: styles(&targets, &self.orders, mapping, self.format),
            targets,
            columns: self,
        };
        let numbered = (first..).zip(rows);
        numbered
            .map(|(number, row)| reader.draft(context, number, row))
            .collect()
    }

    /// Adds the remarks that count submissions. The caller must have read the last row.
    pub fn note(&self, context: &mut Context<'_>) {
        let is_noted = self.is_local && text(&context.options.mapping, "time_zone").is_empty();
        let zone = is_noted.then(|| context.clock.name().to_owned());
        let files = (self.files, context.options);
        note_counts(context.report, zone.as_deref(), files, &self.unknown);
    }
}

fn target<'s>(
    schema: &'s Form,
    heading: &str,
    format: &str,
    mapping: &Value,
    is_last: bool,
) -> Target<'s> {
    let chosen = text(member(mapping, "columns"), heading);
    if chosen.starts_with('@') {
        return Target::About(chosen.to_owned());
    }
    if !chosen.is_empty() {
        let (name, part) = chosen.split_once('.').unwrap_or((chosen, ""));
        let Some(field) = schema.named(name) else {
            return Target::Unknown(field_name(name));
        };
        return Target::Place(Place {
            part: part_of(part).unwrap_or_default(),
            ..Place::of(field)
        });
    }
    let lower = heading.trim().to_ascii_lowercase();
    let about = ABOUT
        .iter()
        .find(|(name, _)| *name == lower)
        .map(|(_, about)| *about);
    if format == "flamingo" && is_last {
        return Target::About("@submitted_at".to_owned());
    }
    match (place_of(schema, heading), about) {
        (Some(place), None) => Target::Place(place),
        (Some(place), Some(_)) if format == "submissions-csv" || format == "flamingo" => {
            Target::Place(place)
        }
        (_, Some(about)) => Target::About(about.to_owned()),
        (None, None) => {
            let name = name_of_label(heading);
            Target::Unknown(if name.is_empty() {
                field_name(heading)
            } else {
                name
            })
        }
    }
}

/// The formats of the texts in each column.
fn styles(targets: &[Target<'_>], orders: &[Order], mapping: &Value, format: &str) -> Vec<Style> {
    let words = |name: &str| -> Vec<String> {
        let words = values(member(mapping, name))
            .into_iter()
            .filter_map(Value::as_str);
        words.map(str::to_owned).collect()
    };
    let stated = Order::of_pattern(text(mapping, "dates"));
    let lists = match (text(mapping, "lists"), format) {
        ("", "google-forms-responses") => ";",
        ("", _) => ", ",
        (lists, _) => lists,
    };
    let shared = Style {
        order: Order::default(),
        is_decimal_comma: text(mapping, "decimal") == ",",
        lists: lists.to_owned(),
        yes: words("yes"),
        no: words("no"),
    };
    let of = |(index, target): (usize, &Target<'_>)| {
        let is_dated = match target {
            Target::Place(place) => place.field.kind == FieldType::Date,
            Target::About(about) => about == "@submitted_at",
            Target::Unknown(_) => false,
        };
        let found = orders.get(index).filter(|_| is_dated).copied();
        Style {
            order: stated.or(found).unwrap_or_default(),
            ..shared.clone()
        }
    };
    targets.iter().enumerate().map(of).collect()
}

struct Reader<'s, 'c> {
    targets: Vec<Target<'s>>,
    styles: Vec<Style>,
    columns: &'c mut Columns,
}

impl Reader<'_, '_> {
    fn draft(&mut self, context: &mut Context<'_>, number: usize, row: &Row) -> SubmissionDraft {
        let mut draft = SubmissionDraft {
            status: NEW.to_owned(),
            ..SubmissionDraft::default()
        };
        let mut answers = Map::new();
        let (mut links, mut has_key) = (Links::default(), false);
        let line = format!("line {number}");
        let mut refused = Vec::new();
        let columns = &mut *self.columns;
        let format = columns.format;
        for ((heading, target), (style, cell)) in
            (columns.header.iter().zip(&self.targets)).zip(self.styles.iter().zip(&row.cells))
        {
            let cell = plain(cell, format);
            match target {
                Target::About(about) => {
                    has_key |= about == "key" && format != "submissions-csv";
                    if let Some(fault) = set(
                        &mut draft,
                        about,
                        cell,
                        style,
                        context,
                        &mut columns.is_local,
                    ) {
                        context.report.remark(fault, &line, cell);
                    }
                }
                Target::Unknown(name) if !cell.is_empty() => {
                    columns.unknown.count(heading);
                    put(&mut answers, name, cell.into());
                }
                Target::Place(place) if place.field.kind == FieldType::File => {
                    links.add(&place.field.name, &cell.into());
                }
                Target::Place(place) => {
                    if !take(&mut answers, place, cell, style, format) {
                        refused.push((heading.clone(), cell.to_owned()));
                    }
                }
                Target::Unknown(_) => {}
            }
        }
        for (heading, cell) in refused {
            context.report.remark(
                "unknown_answer/kept",
                &[&line, ": ", &heading].concat(),
                &cell,
            );
        }
        links.keep(&mut draft, context.options, &mut columns.files);
        draft.answers = answers;
        if has_key && !draft.key.is_empty() {
            format.clone_into(&mut draft.source);
        }
        draft
    }
}

/// Adds a cell to the answers; returns whether the field accepts it.
fn take(
    answers: &mut Map<String, Value>,
    place: &Place<'_>,
    cell: &str,
    style: &Style,
    format: &str,
) -> bool {
    let field = place.field;
    if place.is_aside {
        return true;
    }
    if cell.is_empty() {
        let is_text = matches!(
            field.kind,
            FieldType::Text | FieldType::Textarea | FieldType::Email
        );
        if is_text && format == "flamingo" {
            put(answers, &field.name, "".into());
        }
        return true;
    }
    if !place.part.is_empty() {
        let parts = answers
            .entry(field.name.clone())
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(parts) = parts.as_object_mut() {
            put(parts, place.part, cell.into());
        }
        return true;
    }
    if place.is_choice && field.is_list {
        let list = answers
            .entry(field.name.clone())
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Some(list) = list.as_array_mut() {
            list.push(field.choice(cell).unwrap_or(cell).into());
        }
        return true;
    }
    let (value, is_taken) = answer(field, cell, style);
    put(answers, &field.name, value);
    is_taken
}
