//! Ninja Forms 3: an object with `settings`, `fields` and `actions`. `settings.formContentData` orders the fields.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::mail::Mail;
use crate::forms::rules::group;
use crate::forms::shown::{Shown, one_of};
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{Places, either, is_on, member, number, put, text, values};

/// Maximum depth of nested parts.
const MAX_DEPTH: usize = 6;

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let settings = member(theirs, "settings");
    let mut form = Builder::new("ninja-forms", text(settings, "title"), report);
    let mut fields = values(member(theirs, "fields"));
    model::ordered::sort_by(&mut fields, |one, other| order(one).cmp(&order(other)));
    let mut places = Places::default();
    for (place, field) in fields.iter().enumerate() {
        places.put(text(field, "key"), place);
    }
    let left = fields.iter().map(|field| Some(*field)).collect();
    let mut walk = Walk { places, left };
    walk.content(&mut form, member(settings, "formContentData"), 0);
    for field in fields {
        walk.field(&mut form, text(field, "key"), None);
    }
    logic(&mut form, settings);
    if settings.get("hide_complete").is_some() && !is_on(settings, "hide_complete") {
        put(&mut form.settings, "hide_after_success", Value::Bool(false));
    }
    if is_on(settings, "logged_in") {
        put(
            &mut form.settings,
            "require_user_logged_in",
            Value::Bool(true),
        );
        form.message(
            "require_user_logged_in",
            text(settings, "not_logged_in_msg"),
        );
    }
    form.submission_limit(text(settings, "sub_limit_number"));
    if form.settings.contains_key("submission_limit") {
        form.message("submission_limit_reached", text(settings, "sub_limit_msg"));
    }
    for calculation in values(member(settings, "calculations")) {
        form.note("calculation", text(calculation, "name"), "");
    }
    for action in values(member(theirs, "actions")) {
        add_action(&mut form, action);
    }
    form.finish()
}

fn order(field: &Value) -> i64 {
    text(field, "order").parse().unwrap_or(i64::MAX)
}

/// The state while reading the form's content.
struct Walk<'f> {
    /// The indexes in `left`, by the fields' keys.
    places: Places,
    /// The fields; `None` for each field that was added.
    left: Vec<Option<&'f Value>>,
}

impl Walk<'_> {
    fn content(&mut self, form: &mut Builder<'_>, content: &Value, depth: usize) {
        for piece in values(content) {
            if let Some(key) = piece.as_str() {
                self.field(form, key, None);
            } else if text(piece, "type") == "part" && depth < MAX_DEPTH {
                form.page(text(piece, "title"));
                self.content(form, member(piece, "formContentData"), depth + 1);
            } else {
                for cell in values(member(piece, "cells")) {
                    let width = number(cell, "width");
                    for key in values(member(cell, "fields"))
                        .into_iter()
                        .filter_map(Value::as_str)
                    {
                        self.field(form, key, width);
                    }
                }
            }
        }
    }

    /// Adds the field with this key, unless it was added before.
    fn field(&mut self, form: &mut Builder<'_>, key: &str, width: Option<f64>) {
        let left = self.places.get(key).and_then(|at| self.left.get_mut(at));
        let Some(field) = left.and_then(Option::take) else {
            return;
        };
        let theirs = text(field, "type");
        let place = if key.is_empty() {
            text(field, "label")
        } else {
            key
        };
        let Some(kind) = form.kind(theirs, place) else {
            return;
        };
        match kind {
            "submit" => form.button = text(field, "label").to_owned(),
            "paragraph" => form.paragraph(key, key, text(field, "default")),
            _ => {
                let mut item = form.item(key, key, text(field, "label"), kind);
                if let Some(width) = width {
                    item.width(width);
                }
                let item = described(form, item, field);
                form.add(item);
            }
        }
    }
}

/// The `autocomplete` tokens by type of field.
const TOKENS: [(&str, &str); 6] = [
    ("firstname", "given-name"),
    ("lastname", "family-name"),
    ("address", "street-address"),
    ("address2", "address-line2"),
    ("city", "address-level2"),
    ("zip", "postal-code"),
];

fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    let theirs = text(field, "type");
    form.describe(&mut item, either(field, "desc_text", "help_text"));
    item.require(is_on(field, "required"));
    item.set("placeholder", text(field, "placeholder"));
    for class in text(field, "container_class").split_whitespace() {
        match class {
            "one-half" | "two-fourths" | "three-sixths" => item.width(50.0),
            "one-third" | "two-sixths" => item.width(33.0),
            "two-thirds" | "four-sixths" => item.width(66.0),
            "first" => {}
            class => item.class(class),
        }
    }
    if let Some((_, token)) = TOKENS.iter().find(|(name, _)| *name == theirs) {
        item.attribute("autocomplete", token);
    }
    by_kind(form, &mut item, field);
    if !matches!(text(field, "mask"), "" | "none") {
        form.note("input_mask", &item.name, "");
    }
    let default = text(field, "default");
    if default.contains('{') {
        form.note("default_value", &item.name, "");
    } else if !matches!(
        item.kind,
        "rating" | "file" | "consent" | "radio" | "select" | "checkbox"
    ) {
        item.set("default_value", default);
    }
    item
}

/// Sets the properties that depend on the kind of field.
fn by_kind(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let theirs = text(field, "type");
    match item.kind {
        "country" | "state" => {
            let token = if item.kind == "country" {
                "country-name"
            } else {
                "address-level1"
            };
            item.kind = "text";
            item.attribute("autocomplete", token);
            form.note("field_type/place", &item.name, "");
        }
        "select" | "radio" | "checkbox" if theirs != "checkbox" => choices(item, field),
        "checkbox" => {
            let value = text(field, "checked_value");
            let label = item.label.clone();
            item.choice("", if value.is_empty() { "1" } else { value }, &label);
            if text(field, "default_value") == "checked" {
                item.set("default_value", if value.is_empty() { "1" } else { value });
            }
        }
        "number" => {
            item.bound("min", text(field, "num_min"));
            item.bound("max", text(field, "num_max"));
            item.attribute("step", text(field, "num_step"));
        }
        "text" | "textarea"
            if text(field, "input_limit_type") == "words" && is_on(field, "input_limit") =>
        {
            form.note("word_limit", &item.name, "");
        }
        "text" | "textarea" => item.longest(text(field, "input_limit")),
        "rating" => item.longest(either(field, "number_of_stars", "default")),
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(text(field, "max_file_size"), 1_048_576.0);
            item.accept(text(field, "upload_types").split(','));
            let most = text(field, "upload_multi_count")
                .parse::<u32>()
                .unwrap_or(1);
            item.flag("multiple", most > 1);
            if most > 1 {
                form.note("maximum_of_files", &item.name, "");
            }
        }
        "consent" => form.consent_label(item, text(field, "label")),
        _ => {}
    }
}

fn choices(item: &mut Item, field: &Value) {
    let mut chosen = Vec::new();
    let listed = match text(field, "type") {
        "listimage" => "image_options",
        _ => "options",
    };
    for option in values(member(field, listed)) {
        item.choice("", text(option, "value"), text(option, "label"));
        item.image(text(option, "image"));
        if is_on(option, "selected") {
            chosen.push(item.value_of(text(option, "value")).to_owned());
        }
    }
    if is_on(field, "allow_multi_select") {
        item.kind = "checkbox";
    }
    item.set("default_value", &chosen.join("\n"));
}

fn logic(form: &mut Builder<'_>, settings: &Value) {
    let mut shown = Shown::default();
    for condition in values(member(settings, "conditions")) {
        let mut acts = Vec::new();
        for (branch, is_then) in [("then", true), ("else", false)] {
            for act in values(member(condition, branch)) {
                acts.push((text(act, "key"), text(act, "trigger"), is_then));
            }
        }
        let place = acts.first().map_or("", |(key, ..)| *key).to_owned();
        let Some(rule) = folded(form, member(condition, "when"), &place) else {
            continue;
        };
        for (key, trigger, is_then) in acts {
            let is_show = match trigger {
                "show_field" => is_then,
                "hide_field" => !is_then,
                _ => {
                    form.note("condition", key, trigger);
                    continue;
                }
            };
            shown.add(key, is_show, &rule);
        }
    }
    shown.apply(form);
}

/// Combines a list of rules from left to right by their connectors.
fn folded(form: &mut Builder<'_>, when: &Value, place: &str) -> Option<Value> {
    let mut so_far: Option<(Vec<Value>, &str)> = None;
    // A condition that was never filled in has no field.
    for rule in values(when)
        .into_iter()
        .filter(|rule| !text(rule, "key").is_empty())
    {
        let made = form.rule(
            text(rule, "key"),
            text(rule, "comparator"),
            text(rule, "value"),
            place,
        )?;
        let mode = if text(rule, "connector").eq_ignore_ascii_case("or") {
            "any"
        } else {
            "all"
        };
        so_far = Some(match so_far {
            None => (vec![made], ""),
            Some((mut rules, known)) if known.is_empty() || known == mode => {
                rules.push(made);
                (rules, mode)
            }
            Some((rules, known)) => (vec![group(known, rules)?, made], mode),
        });
    }
    let (rules, mode) = so_far?;
    group(if mode.is_empty() { "all" } else { mode }, rules)
}

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    if let Some(key) = tag.strip_prefix("field:") {
        return form.variable(key, "");
    }
    let ours = match tag {
        "all_fields_table" | "fields_table" | "all_fields" => "[all:label]",
        "submission:sequence" => "[CF_SUBMISSION_ID]",
        "other:date" | "other:time" | "submission:date" => "[CF_TIMESTAMP]",
        "other:user_ip" => "[CF_IP_ADDRESS]",
        "form:title" | "form:form_title" => "[CF_FORM_TITLE]",
        "form:id" => "[CF_FORM_ID]",
        "wp:post_url" => "[CF_REFERRER_URL]",
        _ => return None,
    };
    Some(ours.to_owned())
}

fn add_action(form: &mut Builder<'_>, action: &Value) {
    let is_off = !is_on(action, "active");
    let theirs = text(action, "type");
    let place = match text(action, "label") {
        "" => theirs,
        label => label,
    };
    match theirs {
        "successmessage" if !is_off => {
            let message = form.fill(text(action, "success_msg"), BRACES, place, &variable);
            form.thanks(&message, None);
        }
        "redirect" if !is_off => {
            let address = form.fill(text(action, "redirect_url"), BRACES, place, &variable);
            form.redirect(&address, None);
        }
        "email" => mail(form, action, place, is_off),
        "save" => {
            if is_off {
                put(&mut form.settings, "save_submissions", Value::Bool(false));
            }
            let days = text(action, "subs_expire_time").parse::<u64>();
            if is_on(action, "set_subs_to_expire")
                && let Ok(days) = days
            {
                put(&mut form.settings, "retention_days", days.into());
            }
        }
        _ if is_off => {}
        _ => form.note("unknown_action/type", theirs, theirs),
    }
}

fn mail(form: &mut Builder<'_>, action: &Value, place: &str, is_off: bool) {
    let is_plain = text(action, "email_format") == "plain";
    let message = match text(action, "email_message_plain") {
        plain if is_plain && !plain.is_empty() => plain,
        _ => text(action, "email_message"),
    };
    let logic = member(action, "conditions");
    let before = form.report.lost_conditions;
    let when = folded(form, member(logic, "when"), place);
    let is_lost = form.report.is_condition_lost(before, place);
    let is_stop = text(logic, "process") == "0";
    let mut fill = |template: &str| form.fill(template, BRACES, place, &variable);
    let made = Mail {
        name: text(action, "label").to_owned(),
        is_off: is_off || is_lost,
        to: fill(text(action, "to")),
        subject: fill(text(action, "email_subject")),
        from_name: fill(text(action, "from_name")),
        from_email: fill(text(action, "from_address")),
        reply_to: fill(text(action, "reply_to")),
        cc: fill(text(action, "cc")),
        bcc: fill(text(action, "bcc")),
        message: fill(message),
        is_plain,
        conditions: when.and_then(|rule| one_of(if is_stop { "hide" } else { "show" }, vec![rule])),
        ..Mail::default()
    };
    form.mail(made);
}

/// Whether a file comes from an older version, which exports serialized PHP, plain or as base64.
pub fn is_of_older_version(content: &str) -> bool {
    let begin = content.get(..7).unwrap_or_default();
    let is_serialized =
        begin.starts_with("a:") && begin.contains(":{") && content.trim_end().ends_with('}');
    is_serialized || begin.starts_with("YTo") && !content.contains(['{', ',', '\n'])
}

/// Reverts a double encoding: a text whose characters are the bytes of another text in UTF-8.
pub fn decoded(content: &str) -> Option<String> {
    if content.is_ascii() {
        return None;
    }
    let bytes: Option<Vec<u8>> = content.chars().map(|c| u8::try_from(c).ok()).collect();
    String::from_utf8(bytes?).ok()
}
