//! WPForms: a list of forms (or one), each with `fields` by their ids in the order of the page, and `settings`.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::mail::Mail;
use crate::forms::rules::any_of_all;
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{entries, is_on, member, text, values};

/// What has no counterpart, by a member that is on.
const CHECKS: [&str; 3] = ["recaptcha", "hcaptcha", "turnstile"];

/// The draft of a form.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let settings = member(theirs, "settings");
    let mut form = Builder::new("wpforms", text(settings, "form_title"), report);
    form.origin.id = text(theirs, "id").to_owned();
    form.button = text(settings, "submit_text").to_owned();
    let mut places: Vec<Placed> = Vec::new();
    for (key, field) in entries_or_items(member(theirs, "fields")) {
        let id = match text(field, "id") {
            "" => key.as_str(),
            id => id,
        };
        add(&mut form, id, field, &mut places);
    }
    for Placed { id, width, group } in places {
        if let Some(item) = form.find_mut(&id) {
            item.width(width);
            item.group = group;
        }
    }
    for (key, field) in entries_or_items(member(theirs, "fields")) {
        let id = if text(field, "id").is_empty() {
            key.as_str()
        } else {
            text(field, "id")
        };
        if is_on(field, "conditional_logic") && form.find(id).is_some() {
            let place = form
                .find(id)
                .map(|item| item.name.clone())
                .unwrap_or_default();
            let conditions = conditions(&mut form, field, &place, ["hide"].as_slice());
            form.show_if(id, conditions);
        }
    }
    mails(&mut form, settings);
    confirmations(&mut form, settings);
    for check in CHECKS {
        if is_on(settings, check) && text(settings, check) != "none" {
            form.note("check_off", check, "");
        }
    }
    if is_on(settings, "save_resume_enable") {
        form.note("save_and_continue", "save_resume_enable", "");
    }
    form.finish()
}

/// The fields with their ids; a list numbers them from 0.
fn entries_or_items(fields: &Value) -> Vec<(String, &Value)> {
    if let Value::Array(items) = fields {
        let numbered = items.iter().enumerate();
        return numbered
            .map(|(index, item)| (index.to_string(), item))
            .collect();
    }
    entries(fields)
        .into_iter()
        .map(|(id, field)| (id.to_owned(), field))
        .collect()
}

/// Where a field stands: its width in percent, and the group that holds it.
struct Placed {
    id: String,
    width: f64,
    group: String,
}

fn add(form: &mut Builder<'_>, id: &str, field: &Value, places: &mut Vec<Placed>) {
    let (theirs, label) = (text(field, "type"), text(field, "label"));
    let place = if label.is_empty() { theirs } else { label };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    match kind {
        "step" => page(form, field),
        "layout" => columns(field, "", places),
        "review" => {
            form.settings.insert("review".to_owned(), Value::Bool(true));
        }
        "matrix" => matrix(form, id, field),
        "fieldset repeat" => {
            let item = form.item(id, "", label, kind);
            let name = item.name.clone();
            form.add(item);
            columns(field, &name, places);
        }
        "paragraph" => {
            let html = if theirs == "html" {
                text(field, "code")
            } else {
                text(field, "content")
            };
            let name = [theirs, "_", id].concat();
            form.paragraph(id, &name, html);
        }
        "datetime" => moments(form, id, field),
        _ => {
            let item = form.item(id, "", label, kind);
            let item = described(form, item, field);
            form.add(item);
            if kind == "heading" {
                let name = [
                    form.find(id).map_or("heading", |item| item.name.as_str()),
                    "_text",
                ]
                .concat();
                form.paragraph("", &name, text(field, "description"));
            }
        }
    }
}

fn page(form: &mut Builder<'_>, field: &Value) {
    match text(field, "position") {
        "top" => form.title_page(text(field, "title")),
        "bottom" => form.page_buttons("", text(field, "prev")),
        _ => {
            form.page_buttons(text(field, "next"), text(field, "prev"));
            form.page(text(field, "title"));
        }
    }
}

/// Remembers the places of fields in columns.
fn columns(layout: &Value, group: &str, places: &mut Vec<Placed>) {
    let rows = values(member(layout, "columns"));
    let share = 100.0 / f64::from(u8::try_from(rows.len()).unwrap_or(u8::MAX).max(1));
    for column in rows {
        let width = text(column, "width_preset").parse::<f64>().unwrap_or(share);
        let ids = values(member(column, "fields")).into_iter();
        places.extend(ids.filter_map(Value::as_str).map(|id| Placed {
            id: id.to_owned(),
            width,
            group: group.to_owned(),
        }));
    }
}

fn matrix(form: &mut Builder<'_>, id: &str, field: &Value) {
    let is_required = is_on(field, "required");
    let rows = entries_or_items(member(field, "rows"));
    let rows: Vec<(String, String, bool)> = (rows.iter())
        .filter_map(|(_, row)| Some((String::new(), row.as_str()?.to_owned(), is_required)))
        .collect();
    let columns = values(member(field, "columns")).into_iter();
    let columns: Vec<(String, String)> = (columns.filter_map(Value::as_str))
        .map(|label| (String::new(), label.to_owned()))
        .collect();
    let kind = if is_on(field, "multiple_responses") {
        "checkbox"
    } else {
        "radio"
    };
    let mut frame = form.item(id, "", text(field, "label"), "fieldset");
    form.describe(&mut frame, text(field, "description"));
    form.matrix(frame, kind, &rows, &columns);
}

/// A date, a time, or both in a group.
fn moments(form: &mut Builder<'_>, id: &str, field: &Value) {
    let label = text(field, "label");
    let format = text(field, "format");
    if matches!(format, "date" | "time") {
        let item = form.item(
            id,
            "",
            label,
            if format == "time" { "time" } else { "date" },
        );
        let item = described(form, item, field);
        form.add(item);
        return;
    }
    let frame = form.item(id, "", label, "fieldset");
    let frame = described(form, frame, field);
    form.date_and_time(frame, is_on(field, "required"));
}

/// Sets what a field's members say.
fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    if item.kind != "heading" {
        form.describe(&mut item, text(field, "description"));
    }
    item.require(is_on(field, "required"));
    if item.kind != "name" {
        item.set("placeholder", text(field, "placeholder"));
    }
    item.class(text(field, "css"));
    choices(form, &mut item, field);
    bounds(form, &mut item, field);
    parts(form, &mut item, field);
    let default = text(field, "default_value");
    if default.contains('{') {
        form.note("default_value", &item.name, "");
    } else if !matches!(item.kind, "consent" | "file" | "name" | "address") {
        item.set("default_value", default);
    }
    if is_on(field, "dynamic_choices") {
        form.note("choices_elsewhere", &item.name, "");
    }
    if is_on(field, "calculation_is_enabled") {
        form.note("calculation", &item.name, "");
    }
    item
}

fn choices(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let all = entries_or_items(member(field, "choices"));
    if item.kind == "consent" || item.kind == "checkbox" && is_on(field, "disclaimer_format") {
        item.kind = "consent";
        let label = all.first().map_or("", |(_, choice)| text(choice, "label"));
        form.consent_label(item, label);
        return;
    }
    if !matches!(item.kind, "select" | "radio" | "checkbox") {
        return;
    }
    let mut chosen = Vec::new();
    for (key, choice) in all {
        let value = if is_on(field, "show_values") {
            text(choice, "value")
        } else {
            ""
        };
        item.choice(&key, value, text(choice, "label"));
        if is_on(field, "choices_images") {
            item.image(text(choice, "image"));
        }
        if is_on(choice, "default") {
            chosen.push(item.value_of(&key).to_owned());
        }
        if is_on(choice, "other")
            || text(choice, "label").eq_ignore_ascii_case("other") && is_on(field, "choices_other")
        {
            item.attribute("data-other", text(choice, "label"));
            item.choices.pop();
        }
    }
    item.set("default_value", &chosen.join("\n"));
    item.flag(
        "multiple",
        item.kind == "select" && is_on(field, "multiple"),
    );
    item.longest(text(field, "choice_limit"));
    if is_on(field, "random") {
        form.note("random_order", &item.name, "");
    }
}

fn bounds(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    match item.kind {
        "text" | "textarea" if is_on(field, "limit_enabled") => {
            if text(field, "limit_mode") == "words" {
                form.note("word_limit", &item.name, "");
            } else {
                item.longest(text(field, "limit_count"));
            }
        }
        "number" if text(field, "type") == "number-slider" => {
            item.range(text(field, "min"), text(field, "max"), text(field, "step"));
        }
        "number" => {
            item.bound("min", text(field, "min"));
            item.bound("max", text(field, "max"));
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(text(field, "max_size"), 1_048_576.0);
            item.accept(text(field, "extensions").split(','));
            let most = text(field, "max_file_number").parse::<u32>().unwrap_or(1);
            item.flag("multiple", most > 1);
            if most > 1 {
                form.note("maximum_of_files", &item.name, "");
            }
        }
        "rating" if text(field, "type") == "net_promoter_score" => {
            item.scale(0.0, 10.0);
            item.ends(text(field, "lowest_label"), text(field, "highest_label"));
        }
        "rating" => {
            item.longest(text(field, "scale"));
        }
        _ => {}
    }
    if !text(field, "input_mask").is_empty() {
        form.note("input_mask", &item.name, "");
    }
    if is_on(field, "confirmation") {
        form.note("email_confirmation", &item.name, "");
    }
}

/// The parts of a name; a simple one is a text.
fn parts(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    if item.kind == "name" {
        match text(field, "format") {
            "simple" => {
                item.kind = "text";
                item.attribute("autocomplete", "name");
                item.set("placeholder", text(field, "simple_placeholder"));
            }
            "first-middle-last" => form.note("part", &item.name, "Middle"),
            _ => {}
        }
    }
}

/// The conditions of a record: groups of which one must hold. `hiding` lists the types that hide.
fn conditions(
    form: &mut Builder<'_>,
    record: &Value,
    place: &str,
    hiding: &[&str],
) -> Option<Value> {
    let mut groups = Vec::new();
    for group in values(member(record, "conditionals")) {
        let mut rules = Vec::new();
        for rule in values(group) {
            let id = text(rule, "field");
            if !id.is_empty() {
                rules.extend(form.rule(id, text(rule, "operator"), text(rule, "value"), place));
            }
        }
        groups.push(rules);
    }
    let is_hiding = hiding.contains(&text(record, "conditional_type"));
    any_of_all(if is_hiding { "hide" } else { "show" }, groups)
}

/// This engine's variable for a tag without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    let quoted = |tag: &str| {
        tag.split_once('"')
            .and_then(|(_, rest)| rest.split('"').next().map(str::to_owned))
    };
    match tag.split(['=', ' ']).next().unwrap_or_default() {
        "field_id" | "field_value_id" | "field_html_id" => {
            let id = quoted(tag).unwrap_or_default();
            let (id, part) = id.split_once('|').unwrap_or((&id, ""));
            form.variable(id, part)
        }
        "all_fields" => Some("[all:label]".to_owned()),
        "entry_id" => Some("[CF_SUBMISSION_ID]".to_owned()),
        "form_name" => Some("[CF_FORM_TITLE]".to_owned()),
        "form_id" => Some("[CF_FORM_ID]".to_owned()),
        "user_ip" => Some("[CF_IP_ADDRESS]".to_owned()),
        "page_url" | "url_referer" => Some("[CF_REFERRER_URL]".to_owned()),
        "date" => Some("[CF_TIMESTAMP]".to_owned()),
        _ => None,
    }
}

fn mails(form: &mut Builder<'_>, settings: &Value) {
    if settings.get("notification_enable").is_some() && !is_on(settings, "notification_enable") {
        return;
    }
    let all = values(member(settings, "notifications"));
    // Old files have one mail, flat among the settings.
    let is_old = all.is_empty() && settings.get("notification_email").is_some();
    let all = if is_old { vec![settings] } else { all };
    for mail in all {
        let get = |name: &str| {
            if is_old {
                text(mail, &["notification_", name].concat())
            } else {
                text(mail, name)
            }
        };
        let name = if is_old {
            ""
        } else {
            text(mail, "notification_name")
        };
        let place = if name.is_empty() {
            "notifications"
        } else {
            name
        };
        let mut fill = |template: &str| form.fill(template, BRACES, place, &variable);
        let mut made = Mail {
            name: name.to_owned(),
            is_off: mail.get("enable").is_some() && !is_on(mail, "enable"),
            to: fill(get("email")),
            subject: fill(get("subject")),
            from_name: fill(get("sender_name")),
            from_email: fill(get("sender_address")),
            reply_to: fill(get("replyto")),
            cc: fill(get("carboncopy")),
            message: fill(get("message")),
            ..Mail::default()
        };
        if is_on(mail, "file_upload_attachment_enable") {
            made.attachments = form.file_fields();
        }
        if is_on(mail, "conditional_logic") {
            made.conditions = conditions(form, mail, place, &["stop", "hide"]);
        }
        form.mail(made);
    }
}

fn confirmations(form: &mut Builder<'_>, settings: &Value) {
    let all = values(member(settings, "confirmations"));
    let is_old = all.is_empty() && settings.get("confirmation_type").is_some();
    let all = if is_old { vec![settings] } else { all };
    for confirmation in all {
        let get = |name: &str| {
            let prefix = if is_old { "confirmation_" } else { "" };
            text(confirmation, &[prefix, name].concat())
        };
        let place = "confirmations";
        let conditions = is_on(confirmation, "conditional_logic")
            .then(|| conditions(form, confirmation, place, &["stop", "hide"]))
            .flatten();
        match get("type") {
            "redirect" => {
                let address = form.fill(get("redirect"), BRACES, place, &variable);
                form.redirect(&address, conditions);
            }
            "page" => form.note("page", place, ""),
            _ => {
                let message = form.fill(get("message"), BRACES, place, &variable);
                form.thanks(&message, conditions);
            }
        }
    }
}
