//! Typeform: `fields` in order, one per page, and jumps between them in `logic`.

use serde_json::{Value, json};

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::jumps::{self, END, Jump};
use crate::forms::mail::Mail;
use crate::forms::rules::{conditions, group};
use crate::forms::templates::DOUBLE_BRACES;
use crate::report::Report;
use crate::values::{is_on, member, put, put_text, text, text_or_number, values};

/// Maximum depth of nested conditions.
const MAX_DEPTH: usize = 12;

/// The thank-you screen that every form has.
const DEFAULT_SCREEN: &str = "default_tys";

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let mut form = Builder::new("typeform", text(theirs, "title"), report);
    form.origin.id = text(theirs, "id").to_owned();
    form.conversational();
    for screen in values(member(theirs, "welcome_screens")) {
        statement(&mut form, screen);
    }
    for field in values(member(theirs, "fields")) {
        add(&mut form, field);
    }
    for name in values(member(theirs, "hidden"))
        .into_iter()
        .filter_map(Value::as_str)
    {
        let item = form.item(name, name, "", "hidden");
        form.note("prefill", &item.name, "");
        form.add(item);
    }
    pipe_labels(&mut form);
    let screens = values(member(theirs, "thankyou_screens"));
    logic(&mut form, theirs, &screens);
    settings(&mut form, member(theirs, "settings"));
    form.finish()
}

/// The name that the author gave the field; empty for a generated id.
fn wanted_name(field: &Value) -> &str {
    let name = text(field, "ref");
    let is_made_up = name.len() == 36 && name.bytes().filter(|byte| *byte == b'-').count() == 4;
    if is_made_up { "" } else { name }
}

/// A field's title without the marks for bold and italic words; removed marks are reported.
fn title(form: &mut Builder<'_>, field: &Value, place: &str) -> String {
    let words = text(field, "title");
    let is_marked = |mark: char| words.matches(mark).count() > 1;
    if !is_marked('*') && !is_marked('_') {
        return words.to_owned();
    }
    form.note("formatting", place, "");
    let words = words.replace('*', "");
    // An underscore within a variable's name is kept.
    let mut is_in_variable = false;
    words
        .chars()
        .filter(|c| {
            is_in_variable = (is_in_variable || *c == '{') && *c != '}';
            is_in_variable || *c != '_'
        })
        .collect()
}

/// Adds a statement: a heading, and a paragraph for its description.
fn statement(form: &mut Builder<'_>, field: &Value) {
    let mut item = form.item(
        text(field, "ref"),
        wanted_name(field),
        text(field, "title"),
        "heading",
    );
    item.label = title(form, field, &item.name);
    let name = [&item.name, "_text"].concat();
    form.add(item);
    form.paragraph("", &name, text(member(field, "properties"), "description"));
}

fn add(form: &mut Builder<'_>, field: &Value) {
    let label = text(field, "title");
    let Some(kind) = form.kind(text(field, "type"), label) else {
        return;
    };
    let properties = member(field, "properties");
    match kind {
        "statement" => statement(form, field),
        "matrix" => {
            let rows = values(member(properties, "fields"));
            let is_multiple = rows
                .iter()
                .any(|row| is_on(member(row, "properties"), "allow_multiple_selection"));
            let columns = rows
                .first()
                .map(|row| values(member(member(row, "properties"), "choices")));
            let columns: Vec<_> = (columns.unwrap_or_default().into_iter())
                .map(|choice| (String::new(), text(choice, "label").to_owned()))
                .collect();
            let rows: Vec<_> = (rows.into_iter())
                .map(|row| {
                    (
                        String::new(),
                        text(row, "title").to_owned(),
                        is_on(member(row, "validations"), "required"),
                    )
                })
                .collect();
            let frame = named(form, field, "fieldset");
            form.matrix(
                frame,
                if is_multiple { "checkbox" } else { "radio" },
                &rows,
                &columns,
            );
        }
        "fieldset" => {
            let mut frame = named(form, field, "fieldset");
            form.describe(&mut frame, text(properties, "description"));
            let outer = std::mem::replace(&mut form.group, frame.name.clone());
            form.add(frame);
            for inner in values(member(properties, "fields")) {
                add(form, inner);
            }
            form.group = outer;
        }
        _ => {
            let item = named(form, field, kind);
            let item = described(form, item, field);
            form.add(item);
        }
    }
}

fn named(form: &mut Builder<'_>, field: &Value, kind: &'static str) -> Item {
    let mut item = form.item(
        text(field, "ref"),
        wanted_name(field),
        text(field, "title"),
        kind,
    );
    item.label = title(form, field, &item.name);
    item
}

fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    let (properties, validations) = (member(field, "properties"), member(field, "validations"));
    let number = |record: &Value, name: &str| text_or_number(record, name);
    form.describe(&mut item, text(properties, "description"));
    item.require(is_on(validations, "required"));
    match text(field, "subfield_key") {
        "first_name" => item.attribute("autocomplete", "given-name"),
        "last_name" => item.attribute("autocomplete", "family-name"),
        _ => {}
    }
    match item.kind {
        "radio" if text(field, "type") == "yes_no" => {
            item.choice("true", "yes", "Yes");
            item.choice("false", "no", "No");
        }
        "radio" | "select" => choices(form, &mut item, properties, validations),
        "rating" if text(field, "type") == "rating" => {
            item.longest(&number(properties, "steps"));
            if text(properties, "shape") == "heart" {
                item.swap_class("cf-stars", "cf-hearts");
            }
        }
        "rating" => {
            let steps = crate::values::number(properties, "steps").unwrap_or(11.0);
            let least = if is_on(properties, "start_at_one") {
                1.0
            } else {
                0.0
            };
            item.scale(least, least + steps - 1.0);
            let labels = member(properties, "labels");
            item.ends(text(labels, "left"), text(labels, "right"));
        }
        "file" => item.bound_number("max", USUAL_FILE_BYTES),
        "number" => {
            item.bound("min", &number(validations, "min_value"));
            item.bound("max", &number(validations, "max_value"));
        }
        _ => item.longest(&number(validations, "max_length")),
    }
    item
}

fn choices(form: &mut Builder<'_>, item: &mut Item, properties: &Value, validations: &Value) {
    for choice in values(member(properties, "choices")) {
        item.choice(text(choice, "ref"), "", text(choice, "label"));
        item.image(text(member(choice, "attachment"), "href"));
    }
    if is_on(properties, "allow_multiple_selection") {
        item.kind = "checkbox";
        item.bound("min", &text_or_number(validations, "min_selection"));
        item.bound("max", &text_or_number(validations, "max_selection"));
    }
    if is_on(properties, "allow_other_choice") {
        item.attribute("data-other", "Other");
    }
    if is_on(properties, "randomize") {
        form.note("random_order", &item.name, "");
    }
}

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    match tag.split_once(':') {
        Some(("field" | "hidden", id)) => form.variable(id, ""),
        Some(("form", "all_answers")) => Some("[all:label]".to_owned()),
        _ => None,
    }
}

/// Replaces variables in the labels, because titles may repeat earlier answers.
fn pipe_labels(form: &mut Builder<'_>) {
    for index in 0..form.items.len() {
        let Some(item) = form
            .items
            .get(index)
            .filter(|item| item.label.contains("{{"))
        else {
            continue;
        };
        let (label, place) = (item.label.clone(), item.name.clone());
        let filled = form.fill(&label, DOUBLE_BRACES, &place, &variable);
        if let Some(item) = form.items.get_mut(index) {
            item.label = filled;
        }
    }
}

/// Reads the jumps and the thank-you screens.
fn logic(form: &mut Builder<'_>, theirs: &Value, screens: &[&Value]) {
    let (mut all, mut led_to) = (Vec::new(), Vec::new());
    for logic in values(member(theirs, "logic")) {
        let place = text(logic, "ref");
        for act in values(member(logic, "actions")) {
            let details = member(act, "details");
            if text(act, "action") != "jump" {
                form.note("calculation", text(member(details, "target"), "value"), "");
                continue;
            }
            let condition = member(act, "condition");
            let is_always = text(condition, "op") == "always";
            let when = if is_always {
                None
            } else {
                rule(form, condition, place, 0)
            };
            if when.is_none() && !is_always {
                continue;
            }
            let to = member(details, "to");
            let target = text(to, "value");
            let position = match text(to, "type") {
                "thankyou" => {
                    led_to.push((target.to_owned(), when.clone()));
                    Some(END)
                }
                _ => form.position(target),
            };
            let from = form.position(place).map(|from| last_within(form, from));
            match (from, position) {
                (Some(from), Some(to)) if to > from => all.push(Jump { from, to, when }),
                _ => form.note("jump", place, target),
            }
        }
    }
    for screen in screens
        .iter()
        .filter(|screen| text(screen, "ref") != DEFAULT_SCREEN)
    {
        let name = text(screen, "ref");
        let jumps = led_to.iter().filter(|(target, _)| target == name);
        let rules: Vec<Value> = jumps.clone().filter_map(|(_, when)| when.clone()).collect();
        let is_always = rules.is_empty() || jumps.clone().any(|(_, when)| when.is_none());
        if let Some(made) = conditions("show", "any", rules) {
            thanks(form, screen, Some(made));
        }
        if is_always {
            thanks(form, screen, None);
        }
    }
    jumps::apply(form, &all);
}

/// The index of the last field in the group at `position`, which may have inner groups.
fn last_within(form: &Builder<'_>, position: usize) -> usize {
    let Some(frame) = form.items.get(position) else {
        return position;
    };
    if frame.kind != "fieldset" {
        return position;
    }
    let rest = form.items.iter().skip(position + 1);
    position + rest.take_while(|item| !item.group.is_empty()).count()
}

fn rule(form: &mut Builder<'_>, condition: &Value, place: &str, depth: usize) -> Option<Value> {
    let (op, vars) = (text(condition, "op"), values(member(condition, "vars")));
    if matches!(op, "and" | "or") && depth < MAX_DEPTH {
        let rules: Option<Vec<Value>> = vars
            .into_iter()
            .map(|inner| rule(form, inner, place, depth + 1))
            .collect();
        return group(if op == "or" { "any" } else { "all" }, rules?);
    }
    let (field, value) = (vars.first()?, vars.get(1)?);
    if text(field, "type") != "field" && text(field, "type") != "hidden" {
        form.note("condition", place, text(field, "value"));
        return None;
    }
    let value = match member(value, "value") {
        Value::Bool(on) => on.to_string(),
        _ => text_or_number(value, "value"),
    };
    form.rule(text(field, "value"), op, &value, place)
}

fn thanks(form: &mut Builder<'_>, screen: &Value, conditions: Option<Value>) {
    let properties = member(screen, "properties");
    let place = "thankyou_screens";
    let address = text(properties, "redirect_url");
    if text(screen, "type") == "url_redirect" {
        form.redirect(address, conditions);
        return;
    }
    let words = [text(screen, "title"), text(properties, "description")].join("\n");
    let filled = form.fill(words.trim(), DOUBLE_BRACES, place, &variable);
    let is_first = conditions.is_none() && !form.messages.contains_key("success");
    form.thanks(&filled, conditions);
    let label = text(properties, "button_text");
    if is_first && is_on(properties, "show_button") && !address.is_empty() {
        put(
            &mut form.settings,
            "success_button",
            json!({"label": label, "url": address}),
        );
    }
}

fn settings(form: &mut Builder<'_>, settings: &Value) {
    put_text(&mut form.settings, "language", text(settings, "language"));
    form.redirect(text(settings, "redirect_after_submit_url"), None);
    if is_on(settings, "autosave_progress") {
        form.note("save_and_continue", "autosave_progress", "");
    }
    let notification = member(settings, "notification");
    for name in ["self", "respondent"] {
        let mail = member(notification, name);
        if mail.is_null() {
            continue;
        }
        let place = ["notification.", name].concat();
        let recipients = values(member(mail, "recipients"))
            .into_iter()
            .filter_map(Value::as_str);
        let recipients = recipients.chain(mail.get("recipient").and_then(Value::as_str));
        let recipients: Vec<&str> = recipients.collect();
        let mut fill = |template: &str| form.fill(template, DOUBLE_BRACES, &place, &variable);
        let made = Mail {
            is_off: !is_on(mail, "enabled"),
            to: fill(&recipients.join(", ")),
            subject: fill(text(mail, "subject")),
            reply_to: fill(text(mail, "reply_to")),
            message: fill(text(mail, "message")),
            ..Mail::default()
        };
        form.mail(made);
    }
}
