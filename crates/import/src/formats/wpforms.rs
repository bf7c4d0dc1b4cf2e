//! WPForms: one form or a list of forms. Each has `settings`, and `fields` by id in the order of the page.

use crate::formats::wpforms_fields::{Placed, add, entries_or_items};
use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::Builder;
use crate::forms::mail::Mail;
use crate::forms::rules::any_of_all;
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{is_on, member, text, values};

/// Settings that turn on spam checks, which the import cannot carry over.
const CHECKS: [&str; 3] = ["recaptcha", "hcaptcha", "turnstile"];

/// Converts a form to a draft.
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

/// Converts the conditions of a field, mail or confirmation: at least one of their groups must be met. `hiding` lists
/// the values of `conditional_type` that mean "hide".
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

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    let quoted = |tag: &str| {
        tag.split_once('"')
            .and_then(|(_, rest)| rest.split('"').next().map(str::to_owned))
    };
    match tag.split(['=', ' ']).next().unwrap_or_default() {
        "field_id" | "field_value_id" | "field_html_id" => {
            let bare = || Some(tag.split_once('=')?.1.to_owned());
            let id = quoted(tag).or_else(bare).unwrap_or_default();
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
    // Old files have a single mail, as members of the settings.
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
            let before = form.report.lost_conditions;
            made.conditions = conditions(form, mail, place, &["stop", "hide"]);
            made.is_off |= form.report.is_condition_lost(before, place);
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
