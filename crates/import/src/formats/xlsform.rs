//! XLSForm: the sheets `survey`, `choices` and `settings` of a workbook, or of CSV.

use crate::formats::xlsform_sheets::{Language, Row, column, get, is_yes, rows, sheet};

use model::logic::number::parse_number;
use serde_json::Value;

use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::expressions::{Expr, parse};
use crate::forms::item::Item;
use crate::forms::logic::{all_of, rule_of};
use crate::forms::templates::DOLLAR_BRACES;
use crate::report::Report;
use crate::values::put_text;
use crate::workbook::Sheet;
use crate::{Contents, Draft};

const FORMAT: &str = "xlsform";

/// Whether the sheets are an XLSForm: the sheet `survey` has a column `type`.
pub fn is_one(sheets: &[Sheet]) -> bool {
    let header = sheet(sheets, "survey").and_then(|sheet| sheet.rows.first());
    header.is_some_and(|header| header.iter().any(|cell| column(cell) == "type"))
}

/// Reads the form of a workbook.
pub fn read(sheets: &[Sheet], report: &mut Report) -> Contents {
    Contents {
        format: FORMAT.to_owned(),
        forms: vec![draft(sheets, report)],
        submissions: Vec::new(),
        ..Contents::default()
    }
}

/// The state while reading the rows.
struct Walk<'w> {
    language: &'w Language,
    choices: &'w [Row],
    has_pages: bool,
    /// The open groups: whether each is a page, the name of its fieldset, and its condition.
    open: Vec<(bool, String, String)>,
    /// The ids of conditional fields, each with its own condition and those of the surrounding pages.
    conditional: Vec<(String, Vec<String>)>,
    /// Whether the next field begins a page without a title.
    is_after_page: bool,
}

fn draft(sheets: &[Sheet], report: &mut Report) -> Draft {
    let survey = rows(sheets, "survey");
    let choices = rows(sheets, "choices");
    let settings = rows(sheets, "settings")
        .into_iter()
        .next()
        .unwrap_or_default();
    let title = match get(&settings, "form_title") {
        "" => get(&settings, "form_id"),
        title => title,
    };
    let language = Language::of(&survey, &settings);
    let mut form = Builder::new(FORMAT, title, report);
    form.slug = get(&settings, "form_id").to_owned();
    form.origin.id = get(&settings, "form_id").to_owned();
    let mut walk = Walk {
        language: &language,
        choices: &choices,
        has_pages: get(&settings, "style").contains("pages"),
        open: Vec::new(),
        conditional: Vec::new(),
        is_after_page: false,
    };
    for row in &survey {
        walk.row(&mut form, row);
    }
    for (id, expressions) in std::mem::take(&mut walk.conditional) {
        let place = form
            .find(&id)
            .map(|item| item.name.clone())
            .unwrap_or_default();
        let rules: Vec<Value> = (expressions.iter())
            .filter_map(|one| rule_of(&mut form, FORMAT, one, &place))
            .collect();
        form.show_if(&id, all_of(rules));
    }
    form.fill_labels(DOLLAR_BRACES, &|form, tag| form.variable(tag, ""));
    if !language.others.is_empty() {
        form.note("language", "", &language.others.join(", "));
    }
    put_text(&mut form.settings, "language", language.code());
    form.finish()
}

impl Walk<'_> {
    fn row(&mut self, form: &mut Builder<'_>, row: &Row) {
        let whole = get(row, "type").replace('_', " ");
        let (theirs, list) = match whole.as_str() {
            "" => return,
            "begin group" | "begin repeat" => (whole.clone(), ""),
            "end group" | "end repeat" => {
                self.end(form);
                return;
            }
            _ => type_of(get(row, "type")),
        };
        let name = get(row, "name");
        let label = self.language.text(row, "label");
        let place = if label.is_empty() { name } else { label };
        let Some(kind) = form.kind(&theirs, place) else {
            return;
        };
        if matches!(kind, "step" | "fieldset repeat") {
            self.begin(form, row, kind);
            return;
        }
        self.begin_page_after(form);
        self.remember(form, row);
        if kind == "paragraph" {
            form.paragraph(name, name, label);
            return;
        }
        let item = form.item(name, name, label, kind);
        let item = self.described(form, item, row, (&theirs, list));
        let is_required = is_yes(get(row, "required"));
        if theirs == "dateTime" {
            form.date_and_time(item, is_required);
        } else {
            form.add(item);
        }
    }

    /// Collects the conditions of a row and of the surrounding pages.
    fn remember(&mut self, form: &Builder<'_>, row: &Row) {
        let relevant = get(row, "relevant");
        let mut all: Vec<String> = Vec::new();
        if form.group.is_empty() {
            let around = self.open.iter().map(|(_, _, condition)| condition.clone());
            all.extend(around.filter(|condition| !condition.is_empty()));
        }
        all.extend(Some(relevant.to_owned()).filter(|relevant| !relevant.is_empty()));
        if !all.is_empty() {
            self.conditional.push((get(row, "name").to_owned(), all));
        }
    }

    fn begin_page_after(&mut self, form: &mut Builder<'_>) {
        if std::mem::take(&mut self.is_after_page) && self.open.is_empty() {
            form.page("");
        }
    }

    fn begin(&mut self, form: &mut Builder<'_>, row: &Row, kind: &'static str) {
        let (name, label) = (get(row, "name"), self.language.text(row, "label"));
        let is_page = self.has_pages && self.open.is_empty();
        if is_page {
            self.is_after_page = false;
            form.page(label);
        } else {
            self.begin_page_after(form);
        }
        if is_page && kind == "step" {
            self.open
                .push((true, String::new(), get(row, "relevant").to_owned()));
            return;
        }
        self.remember(form, row);
        let kind = if kind == "step" { "fieldset" } else { kind };
        let mut frame = form.item(name, name, label, kind);
        form.describe(&mut frame, self.language.text(row, "hint"));
        let frame_name = frame.name.clone();
        form.add(frame);
        form.group.clone_from(&frame_name);
        self.open.push((is_page, frame_name, String::new()));
    }

    fn end(&mut self, form: &mut Builder<'_>) {
        if let Some((is_page, ..)) = self.open.pop() {
            self.is_after_page |= is_page;
        }
        form.group = self
            .open
            .last()
            .map(|(_, frame, _)| frame.clone())
            .unwrap_or_default();
    }

    fn described(
        &self,
        form: &mut Builder<'_>,
        mut item: Item,
        row: &Row,
        (theirs, list): (&str, &str),
    ) -> Item {
        form.describe(&mut item, self.language.text(row, "hint"));
        item.require(is_yes(get(row, "required")));
        let appearance = get(row, "appearance");
        match theirs {
            "text" if appearance.contains("multiline") => item.kind = "textarea",
            "integer" => item.attribute("step", "1"),
            "decimal" => item.attribute("step", "any"),
            "image" | "photo" => item.attribute("accept", "image/*"),
            "audio" => item.attribute("accept", "audio/*"),
            "video" => item.attribute("accept", "video/*"),
            "range" => {
                let given = |name: &str, usual: &str| {
                    let mut parts = get(row, "parameters").split([' ', ';', ',']);
                    let found =
                        parts.find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='));
                    found.unwrap_or(usual).to_owned()
                };
                item.range(
                    &given("start", "1"),
                    &given("end", "10"),
                    &given("step", "1"),
                );
            }
            "select_one" | "select_multiple" => self.choices(form, &mut item, row, list),
            _ => {}
        }
        if item.kind == "file" {
            item.bound_number("max", USUAL_FILE_BYTES);
        }
        self.constraint(form, &mut item, row);
        let default = get(row, "default");
        if default.contains("${") || default.contains('(') {
            form.note("default_value", &item.name, "");
        } else if !matches!(item.kind, "file" | "consent" | "rating") {
            item.set("default_value", default);
        }
        if !get(row, "calculation").is_empty() {
            form.note("calculation", &item.name, "");
        }
        let required = get(row, "required");
        if required.contains("${") {
            form.note("required_if", &item.name, required);
        }
        item
    }

    fn choices(&self, form: &mut Builder<'_>, item: &mut Item, row: &Row, list: &str) {
        let appearance = get(row, "appearance");
        if item.kind == "radio"
            && (appearance.contains("minimal") || appearance.contains("autocomplete"))
        {
            item.kind = "select";
        }
        for choice in self
            .choices
            .iter()
            .filter(|choice| get(choice, "list_name") == list || get(choice, "list name") == list)
        {
            item.choice("", get(choice, "name"), self.language.text(choice, "label"));
        }
        if HAS_OTHER
            .iter()
            .any(|end| get(row, "type").trim().ends_with(end))
        {
            item.attribute("data-other", "Other");
        }
        if item.choices.is_empty() {
            item.kind = "text";
            form.note("choices_elsewhere", &item.name, "");
        }
        let filter = get(row, "choice_filter");
        if !filter.is_empty() {
            form.note("condition", &item.name, filter);
        }
        if get(row, "parameters").contains("randomize=true") {
            form.note("random_order", &item.name, "");
        }
    }

    fn constraint(&self, form: &mut Builder<'_>, item: &mut Item, row: &Row) {
        let constraint = get(row, "constraint");
        if constraint.is_empty() {
            return;
        }
        let parts = match parse(constraint) {
            Some(Expr::All(parts)) => parts,
            Some(other) => vec![other],
            None => Vec::new(),
        };
        let mut are_read = !parts.is_empty();
        for part in &parts {
            are_read &= bound(item, part);
        }
        if !are_read {
            form.note("condition", &item.name, constraint);
        }
        let message = self.language.text(row, "constraint_message");
        if !message.is_empty() {
            form.note("error_message/words", &item.name, message);
        }
    }
}

/// The ends of a type that let visitors answer something else.
const HAS_OTHER: [&str; 2] = ["or_other", "or specify other"];

/// The beginnings of types with choices, as older files spell them, with the type.
const SPELLINGS: [(&str, &str); 6] = [
    ("select one from ", "select_one"),
    ("select one ", "select_one"),
    ("select1 ", "select_one"),
    ("select all that apply from ", "select_multiple"),
    ("select all that apply ", "select_multiple"),
    ("select multiple ", "select_multiple"),
];

/// The type of a row, and the list of its choices.
fn type_of(cell: &str) -> (String, &str) {
    let cell = cell.trim();
    let older = SPELLINGS
        .iter()
        .find_map(|(begin, theirs)| Some((*theirs, cell.strip_prefix(begin)?)));
    let (theirs, rest) =
        older.unwrap_or_else(|| cell.split_once(char::is_whitespace).unwrap_or((cell, "")));
    let list = rest.split_whitespace().next().unwrap_or_default();
    let theirs = match theirs {
        "datetime" => "dateTime",
        "phone" if list == "number" => "phone number",
        "string" => "text",
        "int" => "integer",
        other => other,
    };
    (theirs.to_owned(), list)
}

/// Sets the bound for a part of a constraint; returns whether the bound means exactly the same.
fn bound(item: &mut Item, part: &Expr) -> bool {
    match part {
        Expr::Op(operator, left, Some(right)) if **left == Expr::Itself => {
            let Expr::Text(number) = right.as_ref() else {
                return false;
            };
            let Some(number) = parse_number(number) else {
                return false;
            };
            match operator.as_str() {
                ">=" => item.bound_number("min", number),
                "<=" => item.bound_number("max", number),
                ">" => item.bound_number("min", number),
                "<" => item.bound_number("max", number),
                _ => return false,
            }
            matches!(operator.as_str(), ">=" | "<=")
        }
        Expr::Call(name, given) if name == "regex" => match given.as_slice() {
            [Expr::Itself, Expr::Text(pattern)] => {
                item.pattern(pattern);
                true
            }
            _ => false,
        },
        _ => false,
    }
}
