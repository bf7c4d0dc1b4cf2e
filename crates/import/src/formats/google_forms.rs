//! Google Forms in the format of its API: `info` and `items`.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES, name_of_label};
use crate::forms::item::Item;
use crate::forms::jumps::{self, END, Jump};
use crate::report::Report;
use crate::values::{is_on, member, number, text, text_or_number, values};

/// The file types of Google Forms, each with its counterpart in `accept`.
const FILE_TYPES: [(&str, &str); 7] = [
    ("IMAGE", "image/*"),
    ("PDF", ".pdf"),
    ("VIDEO", "video/*"),
    ("AUDIO", "audio/*"),
    ("DOCUMENT", ".doc,.docx"),
    ("SPREADSHEET", ".xls,.xlsx"),
    ("PRESENTATION", ".ppt,.pptx"),
];

/// A choice that causes a jump at the end of its section.
struct Leap {
    section: usize,
    question: String,
    value: String,
    target: String,
}

/// The state while reading the items.
#[derive(Default)]
struct Walk {
    /// The ids of the sections, each with the index of its first field.
    sections: Vec<(String, usize)>,
    leaps: Vec<Leap>,
}

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let info = member(theirs, "info");
    let title = match text(info, "title") {
        "" => text(info, "documentTitle"),
        title => title,
    };
    let mut form = Builder::new("google-forms", title, report);
    form.origin.id = text(theirs, "formId").to_owned();
    form.paragraph("", "form_description", text(info, "description"));
    let settings = member(theirs, "settings");
    if matches!(
        text(settings, "emailCollectionType"),
        "RESPONDER_INPUT" | "VERIFIED"
    ) {
        let mut item = form.item("email", "email_address", "Email", "email");
        item.require(true);
        form.add(item);
    }
    let mut walk = Walk::default();
    walk.sections.push((String::new(), 0));
    for item in values(member(theirs, "items")) {
        walk.item(&mut form, item);
    }
    let jumps = walk.jumps(&mut form);
    jumps::apply(&mut form, &jumps);
    if is_on(member(settings, "quizSettings"), "isQuiz") {
        form.note("unknown_setting", "quizSettings", "");
    }
    form.note("validation_unknown", "", "");
    form.note("actions_unknown", "", "");
    form.finish()
}

impl Walk {
    fn item(&mut self, form: &mut Builder<'_>, theirs: &Value) {
        let (title, about) = (text(theirs, "title"), text(theirs, "description"));
        let id = text(theirs, "itemId");
        if theirs.get("pageBreakItem").is_some() {
            self.sections.push((id.to_owned(), form.items.len()));
            form.page(title);
            let name = match name_of_label(title) {
                name if name.is_empty() => ["section_", &name_of_label(id)].concat(),
                name => name,
            };
            form.paragraph("", &[&name, "_text"].concat(), about);
        } else if theirs.get("textItem").is_some() {
            let mut name = name_of_label(id);
            if !title.is_empty() {
                let item = form.item(id, "", title, "heading");
                name.clone_from(&item.name);
                form.add(item);
            }
            form.paragraph("", &[&name, "_text"].concat(), about);
        } else if let Some(grid) = theirs.get("questionGroupItem") {
            let mut frame = form.item(id, "", title, "fieldset");
            form.describe(&mut frame, about);
            grid_added(form, frame, grid);
        } else if let Some(question) = theirs.get("questionItem") {
            self.question(form, theirs, member(question, "question"));
        } else {
            form.note("unknown_field", title, "imageItem, videoItem");
        }
    }

    fn question(&mut self, form: &mut Builder<'_>, theirs: &Value, question: &Value) {
        let id = text(question, "questionId");
        let mut item = form.item(id, "", text(theirs, "title"), "text");
        form.describe(&mut item, text(theirs, "description"));
        let is_required = is_on(question, "required");
        let has = |name: &str| question.get(name);
        if let Some(choice) = has("choiceQuestion") {
            self.choices(form, &mut item, id, choice);
        } else if let Some(scale) = has("scaleQuestion") {
            item.kind = "rating";
            let end = |name: &str, usual: f64| number(scale, name).unwrap_or(usual);
            item.scale(end("low", 0.0), end("high", 5.0));
            item.ends(text(scale, "lowLabel"), text(scale, "highLabel"));
        } else if let Some(rating) = has("ratingQuestion") {
            item.kind = "rating";
            item.longest(&text_or_number(rating, "ratingScaleLevel"));
            item.class(if text(rating, "iconType") == "HEART" {
                "cf-hearts"
            } else {
                "cf-stars"
            });
        } else if let Some(date) = has("dateQuestion") {
            if !is_on(date, "includeYear") {
                form.note("field_type", &item.name, "date without a year");
            } else if is_on(date, "includeTime") {
                form.date_and_time(item, is_required);
                return;
            } else {
                item.kind = "date";
            }
        } else if let Some(time) = has("timeQuestion") {
            if is_on(time, "duration") {
                form.note("field_type", &item.name, "duration");
            } else {
                item.kind = "time";
            }
        } else if let Some(upload) = has("fileUploadQuestion") {
            files(form, &mut item, upload);
        } else if is_on(member(question, "textQuestion"), "paragraph") {
            item.kind = "textarea";
        }
        item.require(is_required);
        form.add(item);
    }

    fn choices(&mut self, form: &mut Builder<'_>, item: &mut Item, id: &str, choice: &Value) {
        item.kind = match text(choice, "type") {
            "CHECKBOX" => "checkbox",
            "DROP_DOWN" => "select",
            _ => "radio",
        };
        for option in values(member(choice, "options")) {
            let value = text(option, "value");
            if is_on(option, "isOther") {
                item.attribute("data-other", "Other");
            } else {
                item.choice("", "", value);
                item.image(text(member(option, "image"), "contentUri"));
            }
            let target = match text(option, "goToSectionId") {
                "" => text(option, "goToAction"),
                section => section,
            };
            if !matches!(target, "" | "NEXT_SECTION") {
                self.leaps.push(Leap {
                    section: self.sections.len(),
                    question: id.to_owned(),
                    value: value.to_owned(),
                    target: target.to_owned(),
                });
            }
        }
        if is_on(choice, "shuffle") {
            form.note("random_order", &item.name, "");
        }
    }

    /// Converts the collected choices to jumps at the ends of their sections.
    fn jumps(self, form: &mut Builder<'_>) -> Vec<Jump> {
        let mut jumps = Vec::new();
        for leap in &self.leaps {
            let place = form
                .find(&leap.question)
                .map(|item| item.name.clone())
                .unwrap_or_default();
            let end = self.sections.get(leap.section).map(|(_, start)| *start);
            // The last field of the question's section.
            let from = end.unwrap_or(form.items.len()).saturating_sub(1);
            let section = self.sections.iter().find(|(id, _)| *id == leap.target);
            let to = match leap.target.as_str() {
                "SUBMIT_FORM" => Some(END),
                _ => section.map(|(_, start)| *start),
            };
            let when = form.rule_with(&leap.question, "equals", &leap.value, &place);
            match to {
                Some(to) if to > from && when.is_some() => jumps.push(Jump { from, to, when }),
                _ => form.note("jump", &place, &leap.target),
            }
        }
        jumps
    }
}

fn grid_added(form: &mut Builder<'_>, frame: Item, grid: &Value) {
    let columns = member(member(grid, "grid"), "columns");
    let kind = if text(columns, "type") == "CHECKBOX" {
        "checkbox"
    } else {
        "radio"
    };
    let columns: Vec<_> = (values(member(columns, "options")).into_iter())
        .map(|option| (String::new(), text(option, "value").to_owned()))
        .collect();
    let rows: Vec<_> = (values(member(grid, "questions")).into_iter())
        .map(|row| {
            let title = text(member(row, "rowQuestion"), "title").to_owned();
            (String::new(), title, is_on(row, "required"))
        })
        .collect();
    form.matrix(frame, kind, &rows, &columns);
}

fn files(form: &mut Builder<'_>, item: &mut Item, upload: &Value) {
    item.kind = "file";
    item.bound_number("max", USUAL_FILE_BYTES);
    item.most_bytes(&text_or_number(upload, "maxFileSize"), 1.0);
    let types = values(member(upload, "types"))
        .into_iter()
        .filter_map(Value::as_str);
    let accepted = types.filter_map(|name| FILE_TYPES.iter().find(|(theirs, _)| *theirs == name));
    item.accept(accepted.flat_map(|(_, ours)| ours.split(',')));
    if text_or_number(upload, "maxFiles")
        .parse::<u32>()
        .unwrap_or(1)
        > 1
    {
        item.flag("multiple", true);
        form.note("maximum_of_files", &item.name, "");
    }
}
