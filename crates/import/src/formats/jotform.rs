//! Jotform: questions by id, to be sorted by their `order`, and the form's `properties`. The file may have the envelope
//! of Jotform's API.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::mail::Mail;
use crate::forms::maps;
use crate::forms::rules::group;
use crate::forms::shown::Shown;
use crate::forms::templates::BRACES;
use crate::gravity_text::without_tags;
use crate::report::Report;
use crate::values::{
    either, entries, is_on, is_set, member, number, parse, put_text, text, values,
};

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let theirs = theirs.get("content").unwrap_or(theirs);
    let properties = member(theirs, "properties");
    let title = match text(member(theirs, "form"), "title") {
        "" => either(properties, "title", "pagetitle"),
        title => title,
    };
    let mut form = Builder::new("jotform", title, report);
    form.origin.id = either(member(theirs, "form"), "id", "id").to_owned();
    if form.origin.id.is_empty() {
        form.origin.id = text(properties, "id").to_owned();
    }
    let questions = theirs.get("questions").unwrap_or(theirs);
    let mut questions: Vec<&Value> = values(questions);
    questions.retain(|question| text(question, "type").starts_with("control_"));
    let order = |question: &Value| text(question, "order").parse().unwrap_or(i64::MAX);
    model::ordered::sort_by(&mut questions, |one, other| order(one).cmp(&order(other)));
    for question in questions {
        add(&mut form, question);
    }
    form.group.clear();
    conditions(&mut form, properties);
    for mail in values(&listed(properties, "emails")) {
        add_mail(&mut form, mail);
    }
    let place = "thanktext";
    if text(properties, "activeRedirect") == "thankurl" {
        let address = form.fill(text(properties, "thankurl"), BRACES, place, &variable);
        form.redirect(&address, None);
    } else {
        let message = form.fill(text(properties, "thanktext"), BRACES, place, &variable);
        form.thanks(&message, None);
    }
    let language = text(properties, "language")
        .split('-')
        .next()
        .unwrap_or_default();
    put_text(&mut form.settings, "language", language);
    form.submission_limit(text(properties, "limitSubmission"));
    form.finish()
}

/// A member that is a list, or a list as JSON text.
fn listed(properties: &Value, name: &str) -> Value {
    match member(properties, name) {
        Value::String(json) => parse(json).unwrap_or_default(),
        list => list.clone(),
    }
}

/// Splits a list at `|`, and leaves out empty items.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split('|')
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

fn is_yes(question: &Value, name: &str) -> bool {
    text(question, name) == "Yes"
}

fn add(form: &mut Builder<'_>, question: &Value) {
    let (id, name, theirs) = (
        text(question, "qid"),
        text(question, "name"),
        text(question, "type"),
    );
    let label = text(question, "text");
    let plain = without_tags(label);
    let place = if plain.is_empty() {
        name
    } else {
        plain.as_str()
    };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    match kind {
        "step" => {
            form.group.clear();
            form.page_buttons(text(question, "nextText"), text(question, "prevText"));
            form.page("");
        }
        "submit" => form.button = label.to_owned(),
        "paragraph" => form.paragraph(id, name, label),
        "heading" => {
            let mut item = form.item(id, name, &plain, kind);
            item.set("description", &without_tags(text(question, "subHeader")));
            form.add(item);
        }
        "fieldset" => {
            form.group.clear();
            let item = form.item(id, name, &plain, kind);
            let group = item.name.clone();
            form.add(item);
            form.group = group;
        }
        "matrix" => {
            let frame = form.item(id, name, &plain, "fieldset");
            matrix(form, frame, question);
        }
        _ => {
            let item = form.item(id, name, &plain, kind);
            let item = described(form, item, question);
            if theirs == "control_datetime" && is_yes(question, "allowTime") {
                form.date_and_time(item, is_yes(question, "required"));
            } else {
                form.add(item);
            }
        }
    }
}

fn matrix(form: &mut Builder<'_>, frame: Item, question: &Value) {
    let kind = if text(question, "inputType").starts_with("Check") {
        "checkbox"
    } else {
        "radio"
    };
    let is_required = is_yes(question, "required");
    let rows: Vec<_> = words(text(question, "mrows"))
        .map(|row| (String::new(), row.to_owned(), is_required))
        .collect();
    let columns: Vec<_> = words(text(question, "mcolumns"))
        .map(|column| (String::new(), column.to_owned()))
        .collect();
    form.matrix(frame, kind, &rows, &columns);
}

fn described(form: &mut Builder<'_>, mut item: Item, question: &Value) -> Item {
    form.describe(&mut item, either(question, "description", "subLabel"));
    item.require(is_yes(question, "required"));
    item.set("placeholder", text(question, "hint"));
    by_kind(form, &mut item, question);
    if is_on(question, "inputMask") && !matches!(text(question, "inputMask"), "disable" | "No") {
        form.note("input_mask", &item.name, "");
    }
    if is_yes(question, "confirmation") {
        form.note("email_confirmation", &item.name, "");
    }
    let default = text(question, "defaultValue");
    if !matches!(item.kind, "file" | "name" | "address" | "rating") {
        item.set("default_value", default);
    }
    item
}

/// Sets the properties that depend on the kind of field.
fn by_kind(form: &mut Builder<'_>, item: &mut Item, question: &Value) {
    match item.kind {
        "text" => {
            item.kind = match text(question, "validation") {
                "Email" => "email",
                "Url" => "url",
                "Numeric" => "number",
                _ => "text",
            };
            length(form, item, question);
        }
        "textarea" => length(form, item, question),
        "select" | "radio" | "checkbox" => choices(form, item, question),
        "name" => {
            parts(form, item, question, &["first", "last"]);
            for part in ["prefix", "middle", "suffix"] {
                if is_yes(question, part) {
                    form.note("part", &item.name, part);
                }
            }
        }
        "address" => {
            let parts_shown: Vec<&str> = words(text(question, "subfields"))
                .map(|part| match part {
                    "st1" => "addr_line1",
                    "st2" => "addr_line2",
                    "zip" => "postal",
                    other => other,
                })
                .collect();
            parts(form, item, question, &parts_shown);
        }
        "number" => {
            item.bound("min", text(question, "minValue"));
            item.bound("max", text(question, "maxValue"));
            item.attribute("step", text(question, "addAmount"));
        }
        "rating" if text(question, "type") == "control_rating" => {
            item.longest(text(question, "stars"))
        }
        "rating" => {
            let least = number(question, "scaleFrom").unwrap_or(1.0);
            let count = number(question, "scaleAmount").unwrap_or(5.0);
            item.scale(least, least + count - 1.0);
            item.ends(text(question, "fromText"), text(question, "toText"));
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(text(question, "maxFileSize"), 1024.0);
            item.accept(text(question, "extensions").split(','));
            item.flag("multiple", is_yes(question, "allowMultiple"));
        }
        _ => {}
    }
}

fn length(form: &mut Builder<'_>, item: &mut Item, question: &Value) {
    item.longest(text(question, "maxsize"));
    match text(question, "entryLimit").split_once('-') {
        Some(("Words", count)) if count != "0" => form.note("word_limit", &item.name, ""),
        Some(("Letters", count)) => item.longest(count),
        _ => {}
    }
}

fn choices(form: &mut Builder<'_>, item: &mut Item, question: &Value) {
    match text(question, "special") {
        "Countries" => {
            item.kind = "text";
            item.attribute("autocomplete", "country-name");
            form.note("field_type/place", &item.name, "");
        }
        special if !matches!(special, "" | "None") && text(question, "options").is_empty() => {
            item.kind = "text";
            form.note("choices_elsewhere", &item.name, "");
        }
        _ => words(text(question, "options")).for_each(|word| item.choice("", "", word)),
    }
    item.set("placeholder", text(question, "emptyText"));
    item.bound("min", text(question, "minSelection"));
    item.bound("max", text(question, "maxSelection"));
    if is_yes(question, "allowOther") {
        let label = text(question, "otherText");
        item.attribute("data-other", if label.is_empty() { "Other" } else { label });
    }
    if is_yes(question, "shuffle") {
        form.note("random_order", &item.name, "");
    }
}

/// Adds the shown parts of a name or an address, with their labels.
fn parts(form: &mut Builder<'_>, item: &mut Item, question: &Value, parts_shown: &[&str]) {
    for (part, label) in entries(member(question, "sublabels")) {
        let ours = maps::kind("parts", part);
        if let (Some(ours), Some(label)) = (ours, label.as_str())
            && (parts_shown.is_empty() || parts_shown.contains(&part))
        {
            item.choice("", ours, label);
        }
    }
    if item.kind == "address"
        && parts_shown
            .iter()
            .any(|part| maps::kind("parts", part).is_none())
    {
        form.note("part", &item.name, &parts_shown.join(", "));
    }
}

fn conditions(form: &mut Builder<'_>, properties: &Value) {
    let mut shown = Shown::default();
    for (index, condition) in values(&listed(properties, "conditions"))
        .into_iter()
        .enumerate()
    {
        let place = format!("conditions {}", index + 1);
        let acts = listed(condition, "action");
        let acts =
            if acts.is_object() && acts.get("visibility").is_none() && acts.get("skipTo").is_none()
            {
                values(&acts).into_iter().cloned().collect()
            } else if let Value::Array(acts) = acts {
                acts
            } else {
                vec![acts]
            };
        if text(condition, "type") == "page" {
            let targets: Vec<&str> = acts.iter().map(|act| text(act, "skipTo")).collect();
            form.note("jump", &place, &targets.join(", "));
            continue;
        }
        if text(condition, "type") != "field" {
            form.note("condition", &place, text(condition, "type"));
            continue;
        }
        let mut rules = Vec::new();
        for term in values(&listed(condition, "terms")) {
            rules.extend(form.rule(
                text(term, "field"),
                text(term, "operator"),
                text(term, "value"),
                &place,
            ));
        }
        let mode = if text(condition, "link") == "Any" {
            "any"
        } else {
            "all"
        };
        let Some(rule) = group(mode, rules) else {
            continue;
        };
        for act in &acts {
            let visibility = text(act, "visibility");
            let is_show = visibility.starts_with("Show");
            if !is_show && !visibility.starts_with("Hide") {
                form.note("condition", &place, visibility);
                continue;
            }
            let ids = values(member(act, "fields"))
                .into_iter()
                .filter_map(Value::as_str);
            let ids = ids.chain(act.get("field").and_then(Value::as_str));
            ids.for_each(|id| shown.add(id, is_show, &rule));
        }
    }
    shown.apply(form);
}

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    let (name, part) = tag.split_once(':').unwrap_or((tag, ""));
    let mut items = form.items.iter();
    if let Some(item) = items.find(|item| item.name == name) {
        return form.variable(&item.id, part);
    }
    let ours = match tag {
        "allfields" | "all_fields" => "[all:label]",
        "id" | "submission_id" => "[CF_SUBMISSION_ID]",
        "ip" => "[CF_IP_ADDRESS]",
        "form_title" => "[CF_FORM_TITLE]",
        _ => return None,
    };
    Some(ours.to_owned())
}

fn add_mail(form: &mut Builder<'_>, mail: &Value) {
    let name = text(mail, "name");
    let place = if name.is_empty() {
        text(mail, "type")
    } else {
        name
    };
    let from = text(mail, "from");
    let is_variable = from.contains('{');
    if is_variable {
        form.note("notification/from", place, from);
    }
    let mut fill = |template: &str| form.fill(template, BRACES, place, &variable);
    let mut made = Mail {
        name: name.to_owned(),
        is_off: is_set(member(mail, "disabled")) && text(mail, "disabled") != "0",
        to: fill(text(mail, "to")),
        subject: fill(text(mail, "subject")),
        from_name: if is_variable || from == "default" {
            String::new()
        } else {
            from.to_owned()
        },
        reply_to: fill(text(mail, "replyTo")),
        message: fill(text(mail, "body")),
        is_plain: mail.get("html").is_some() && !is_on(mail, "html"),
        ..Mail::default()
    };
    if is_on(mail, "uploadAttachment") {
        made.attachments = form.file_fields();
    }
    form.mail(made);
}
