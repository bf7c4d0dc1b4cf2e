//! Gravity Forms: a JSON object whose members `0`, `1` … are forms; its `version` is ignored.

use serde_json::{Map, Value, json};

use super::forms::rules::met;
use super::gravity_fields::{self, Fields, SUBMIT, conditions};
use super::gravity_text::without_tags;
use super::values::{
    counterpart, either, email_action, is_on, member, put, put_text, text, values,
};
use super::{Draft, Origin, Report, schema};

/// The forms of a file.
pub fn forms(file: &Value) -> Vec<&Value> {
    let mut forms = match file.get("fields") {
        Some(_) => vec![file],
        None => values(file),
    };
    forms.retain(|form| form.get("fields").is_some());
    forms
}

/// Converts a form to a draft.
pub fn draft(form: &Value, report: &mut Report) -> Draft {
    let title = text(form, "title");
    report.begin(title);
    report.unknown_members(form, "gravity_forms/form", "");
    report.unknown_members(member(form, "button"), "gravity_forms/button", "button");
    let known = gravity_fields::known(form, report);
    let pages = gravity_fields::pages(form, &known, report);
    let words = match text(member(form, "button"), "text") {
        words if words.trim().is_empty() => "Submit",
        words => words,
    };
    if member(member(form, "button"), "conditionalLogic").is_object() {
        report.remark("condition/button", "button", "");
    }
    gravity_fields::note_button(member(form, "lastPageButton"), "lastPageButton", report);
    let mut draft = Draft {
        title: title.to_owned(),
        schema: Some(schema(pages, SUBMIT, words, report)),
        from_schema: true,
        origin: Origin {
            id: text(form, "id").to_owned(),
            created_at: String::new(),
        },
        ids: known.ids(),
        ..Draft::default()
    };
    limits(form, &mut draft, report);
    let actions = actions(form, &known, report);
    put(&mut draft.settings, "actions", Value::Array(actions));
    confirmation(form, &mut draft, report);
    draft
}

/// Reads the settings for login, limits and storage of submissions.
fn limits(form: &Value, draft: &mut Draft, report: &mut Report) {
    let (settings, messages) = (&mut draft.settings, &mut draft.messages);
    let mut put_message = |code: &str, member: &str| {
        put_text(messages, code, &without_tags(text(form, member)));
    };
    if is_on(form, "requireLogin") {
        put(settings, "require_user_logged_in", Value::Bool(true));
        put_message("require_user_logged_in", "requireLoginMessage");
    }
    if is_on(form, "limitEntries") {
        let most = text(form, "limitEntriesCount").parse::<u64>();
        put(settings, "submission_limit", most.unwrap_or(0).into());
        put_message("submission_limit_reached", "limitEntriesMessage");
        if is_on(form, "limitEntriesPeriod") {
            report.remark("limit_period", "limitEntriesPeriod", "");
        }
    }
    if is_on(form, "scheduleForm") {
        report.remark("schedule", "scheduleForm", "");
    }
    if is_on(member(form, "save"), "enabled") {
        report.remark("save_and_continue", "save", "");
    }
    let personal = member(form, "personalData");
    if is_on(personal, "preventIP") {
        put(settings, "store_ip", Value::Bool(false));
    }
    let retention = member(personal, "retention");
    let days = text(retention, "retain_entries_days").parse::<u64>();
    match (text(retention, "policy"), days) {
        ("delete", Ok(days)) => put(settings, "retention_days", days.into()),
        ("trash", _) => report.remark("retention", "personalData", ""),
        _ => {}
    }
}

fn actions(form: &Value, known: &Fields<'_>, report: &mut Report) -> Vec<Value> {
    let mut actions = Vec::new();
    for mail in values(member(form, "notifications")) {
        let place = text(mail, "name");
        let is_inactive = mail.get("isActive").is_some() && !is_on(mail, "isActive");
        if is_inactive || !matches!(text(mail, "event"), "" | "form_submission") {
            report.remark("notification", place, "");
            continue;
        }
        report.unknown_members(mail, "gravity_forms/notification", place);
        let before = report.lost_conditions;
        let shared = conditions(member(mail, "conditionalLogic"), known, place, report);
        let is_lost = report.is_condition_lost(before, place);
        let kind = text(mail, "toType");
        let routes = match kind {
            "routing" => values(member(mail, "routing")),
            _ => vec![mail],
        };
        for route in routes {
            let field = known.find(either(mail, "toField", "to"));
            let variable = field.map(|field| field.variable("")).unwrap_or_default();
            let (to, rule) = match kind {
                "routing" => (text(route, "email"), json!({"rules": [route]})),
                "field" => (variable.as_str(), Value::Null),
                _ => (text(mail, "to"), Value::Null),
            };
            let before = report.lost_conditions;
            let both = match (shared.as_ref(), conditions(&rule, known, place, report)) {
                (Some(shared), Some(rule)) => {
                    let both = met(shared).zip(met(&rule));
                    if both.is_none() {
                        report.remark("condition/routing", place, "");
                    }
                    Some(both.map_or(rule, |(of_mail, rule)| [of_mail, rule].into()))
                }
                (shared, rule) => rule.or(shared.cloned()),
            };
            let mut action = action(mail, to, both, known, report);
            if is_lost || report.is_condition_lost(before, place) {
                put(&mut action, "action_enabled", Value::Bool(false));
            }
            actions.push(Value::Object(action));
        }
    }
    actions
}

fn action(
    mail: &Value,
    to: &str,
    conditions: Option<Value>,
    known: &Fields<'_>,
    report: &mut Report,
) -> Map<String, Value> {
    let mut fill = |template: &str| {
        let variable = |tag: &str| variable(tag, known);
        replaced(template, &variable, text(mail, "name"), report)
    };
    let sender = fill(text(mail, "fromName"));
    let to = fill(to);
    let mut action = email_action(
        mail,
        "gravity_forms.email",
        &mut |name, template| match fill(template) {
            from if name == "from" && !from.is_empty() && !sender.is_empty() => {
                [&sender, " <", &from, ">"].concat()
            }
            text => text,
        },
    );
    put_text(&mut action, "to", &to);
    if let Some(conditions) = conditions {
        put(&mut action, "conditions", conditions);
    }
    action
}

fn confirmation(form: &Value, draft: &mut Draft, report: &mut Report) {
    let place = "confirmations";
    let all = values(member(form, place));
    let default = all
        .iter()
        .find(|confirmation| is_on(confirmation, "isDefault"));
    if all.len() > 1 {
        report.remark("confirmation", place, "");
    }
    let Some(first) = default.or(all.first()) else {
        return;
    };
    report.unknown_members(first, "gravity_forms/confirmation", place);
    match text(first, "type") {
        "redirect" => {
            put_text(&mut draft.settings, "redirect_url", text(first, "url"));
            if !text(first, "queryString").is_empty() {
                report.remark("query_string", place, "");
            }
        }
        "page" => report.remark("page", place, ""),
        _ => {
            let message = text(first, "message");
            // A success message cannot contain answers.
            let mut plain = replaced(message, &|_| None, place, report);
            if plain != message {
                for mark in ["!", ",", ".", "?"] {
                    plain = plain.replace(&[" ", mark].concat(), mark);
                }
            }
            put_text(&mut draft.messages, "success", &without_tags(&plain));
        }
    }
}

/// Replaces the merge tags of a template; tags without a counterpart are dropped and reported.
fn replaced(
    template: &str,
    variable: &dyn Fn(&str) -> Option<String>,
    place: &str,
    report: &mut Report,
) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, at)) = rest.split_once('{') {
        out.push_str(before);
        let is_tag = |tag: &str| tag.len() <= 500 && !tag.contains(['{', '\n']);
        let Some((tag, after)) = at.split_once('}').filter(|(tag, _)| is_tag(tag)) else {
            out.push('{');
            rest = at;
            continue;
        };
        rest = after;
        match variable(tag) {
            Some(variable) => out.push_str(&variable),
            None => report.remark("unknown_variable", place, &["{", tag, "}"].concat()),
        }
    }
    out.push_str(rest);
    out
}

/// The variable for a merge tag: `{Label:3}` is the field with the id 3, `{Label:1.3}` is part 3 of the field 1.
fn variable(tag: &str, known: &Fields<'_>) -> Option<String> {
    let mut parts = tag.split(':');
    let word = parts.next().unwrap_or_default();
    if let Some(variable) = counterpart("gravity_forms.merge_tags", word) {
        return Some(variable.to_owned());
    }
    let id = parts.find(|part| part.starts_with(|c: char| c.is_ascii_digit()))?;
    let (whole, part) = id.split_once('.').unwrap_or((id, ""));
    Some(known.find(whole)?.variable(part))
}
