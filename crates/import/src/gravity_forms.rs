//! Gravity Forms: a JSON object whose members `0`, `1` … are forms, beside `version`.

use serde_json::{Map, Value, json};

use super::gravity_conditions::conditions;
use super::gravity_fields::{self, Names, SUBMIT};
use super::gravity_text::without_tags;
use super::{Draft, Report, counterpart, email_action, is_on, put, schema, text, values};

/// The merge tags that stand for something of the submission.
const TAGS: [(&str, &str); 9] = [
    ("all_fields", "[all:label]"),
    ("form_title", "[CF_FORM_TITLE]"),
    ("form_id", "[CF_FORM_ID]"),
    ("entry_id", "[CF_SUBMISSION_ID]"),
    ("ip", "[CF_IP_ADDRESS]"),
    ("user_agent", "[CF_USER_AGENT]"),
    ("embed_url", "[CF_REFERRER_URL]"),
    ("date_mdy", "[CF_TIMESTAMP]"),
    ("date_dmy", "[CF_TIMESTAMP]"),
];

/// The forms of a file.
pub fn forms(file: &Value) -> Vec<&Value> {
    let mut forms: Vec<&Value> = match file.get("fields") {
        Some(_) => vec![file],
        None => values(Some(file)),
    };
    forms.retain(|form| form.get("fields").is_some());
    forms
}

/// The draft of a form.
pub fn draft(form: &Value, report: &mut Report) -> Draft {
    let title = text(form, "title");
    report.begin(&title);
    let read = gravity_fields::read(form, report);
    let button = form.get("button").map(|button| text(button, "text"));
    let button = button.filter(|words| !words.trim().is_empty());
    let words = button.unwrap_or_else(|| "Submit".to_owned());
    let button = json!({"name": SUBMIT, "type": "submit", "label": words});
    let condition = form.pointer("/button/conditionalLogic");
    if condition.is_some_and(Value::is_object) {
        report.note("condition", "button", "The button is always there.");
    }
    let last = form.get("lastPageButton");
    gravity_fields::note_button(last, "lastPageButton", report);
    let titles = values(form.pointer("/pagination/pages")).into_iter();
    let titles = titles
        .filter_map(Value::as_str)
        .chain(std::iter::repeat(""));
    let pages = titles.map(str::to_owned).zip(read.pages);
    let pages: Vec<(String, Vec<String>)> = pages.collect();
    let schema = schema(read.fields, button, &pages, report);
    let mut settings = Map::new();
    let mut messages = Map::new();
    limits(form, &mut settings, &mut messages, report);
    let actions = actions(form, &read.names, report);
    put(&mut settings, "actions", actions);
    confirmation(form, &mut settings, &mut messages, report);
    Draft {
        title,
        schema: Some(schema),
        from_schema: true,
        settings,
        messages,
        ..Draft::default()
    }
}

/// Who may send the form and how often, and what becomes of what is sent.
fn limits(
    form: &Value,
    settings: &mut Map<String, Value>,
    messages: &mut Map<String, Value>,
    report: &mut Report,
) {
    let mut say = |code: &str, member: &str| {
        let words = without_tags(&text(form, member));
        if !words.is_empty() {
            put(messages, code, words);
        }
    };
    if is_on(form, "requireLogin") {
        put(settings, "require_user_logged_in", true);
        say("require_user_logged_in", "requireLoginMessage");
    }
    if is_on(form, "limitEntries") {
        let most = text(form, "limitEntriesCount").parse::<u64>().unwrap_or(0);
        put(settings, "submission_limit", most);
        say("submission_limit_reached", "limitEntriesMessage");
        if is_on(form, "limitEntriesPeriod") {
            let message = "The limit is for all time.";
            report.note("limit_period", "limitEntriesPeriod", message);
        }
    }
    if is_on(form, "scheduleForm") {
        report.note("schedule", "scheduleForm", "The form is open at any time.");
    }
    if form.get("save").is_some_and(|save| is_on(save, "enabled")) {
        let message = "Visitors cannot save what they have not sent.";
        report.note("save_and_continue", "save", message);
    }
    let personal = form.get("personalData").unwrap_or(&Value::Null);
    if is_on(personal, "preventIP") {
        put(settings, "store_ip", false);
    }
    let retention = personal.get("retention").unwrap_or(&Value::Null);
    let days = text(retention, "retain_entries_days").parse::<u64>().ok();
    match (text(retention, "policy").as_str(), days) {
        ("delete", Some(days)) => put(settings, "retention_days", days),
        ("trash", _) => report.note("retention", "personalData", "Submissions are kept."),
        _ => {}
    }
}

fn actions(form: &Value, names: &Names, report: &mut Report) -> Vec<Value> {
    let mut actions = Vec::new();
    for notification in values(form.get("notifications")) {
        let place = text(notification, "name");
        let is_inactive =
            notification.get("isActive").is_some() && !is_on(notification, "isActive");
        let event = text(notification, "event");
        if is_inactive || !matches!(event.as_str(), "" | "form_submission") {
            let message = "It is off, or about another event, and is left out.";
            report.note("notification", &place, message);
            continue;
        }
        let own = conditions(notification.get("conditionalLogic"), names, &place, report);
        let mut mails = Vec::new();
        match text(notification, "toType").as_str() {
            "routing" => {
                for route in values(notification.get("routing")) {
                    let rule = json!({"rules": [route]});
                    let rule = conditions(Some(&rule), names, &place, report);
                    let both = match (&own, rule) {
                        (Some(own), Some(rule)) if text(own, "action") != "hide" => {
                            Some(json!([group(own), group(&rule)]))
                        }
                        (Some(_), Some(rule)) => {
                            let message =
                                "A condition that hides is left out where mails are routed.";
                            report.note("condition", &place, message);
                            Some(rule)
                        }
                        (own, rule) => rule.or_else(|| own.clone()),
                    };
                    mails.push((text(route, "email"), both));
                }
            }
            "field" => {
                let id = match text(notification, "toField") {
                    id if id.is_empty() => text(notification, "to"),
                    id => id,
                };
                let to = names.get(&id).map(|field| field.variable(""));
                mails.push((to.unwrap_or_default(), own));
            }
            _ => mails.push((text(notification, "to"), own)),
        }
        let mails = mails.into_iter();
        actions.extend(mails.map(|(to, own)| action(notification, &to, own, names, report)));
    }
    actions
}

/// Conditions as one member of a list of conditions.
fn group(conditions: &Value) -> Value {
    json!({text(conditions, "match"): conditions.get("rules")})
}

fn action(
    notification: &Value,
    to: &str,
    conditions: Option<Value>,
    names: &Names,
    report: &mut Report,
) -> Value {
    let place = text(notification, "name");
    let mut own = |template: &str| with_variables(template, names, &place, report);
    let from = own(&text(notification, "from"));
    let sender = own(&text(notification, "fromName"));
    let from = if sender.is_empty() || from.is_empty() {
        from
    } else {
        [&sender, " <", &from, ">"].concat()
    };
    let mut action = email_action(&[
        ("to", own(to)),
        ("subject", own(&text(notification, "subject"))),
        ("message", own(&text(notification, "message"))),
        ("reply_to", own(&text(notification, "replyTo"))),
        ("cc", own(&text(notification, "cc"))),
        ("bcc", own(&text(notification, "bcc"))),
        ("from", from),
    ]);
    if let (Some(conditions), Some(members)) = (conditions, action.as_object_mut()) {
        put(members, "conditions", conditions);
    }
    action
}

fn confirmation(
    form: &Value,
    settings: &mut Map<String, Value>,
    messages: &mut Map<String, Value>,
    report: &mut Report,
) {
    let all = values(form.get("confirmations"));
    let default = all.iter().find(|own| is_on(own, "isDefault"));
    let first = default.or(all.first());
    if all.len() > 1 {
        let message = "Only the default confirmation is kept.";
        report.note("confirmation", "confirmations", message);
    }
    let Some(first) = first else { return };
    match text(first, "type").as_str() {
        "redirect" => {
            put(settings, "redirect_url", text(first, "url"));
            if !text(first, "queryString").is_empty() {
                let message = "What the address carried of the answers is left out.";
                report.note("query_string", "confirmations", message);
            }
        }
        "page" => {
            let message = "The page that followed is not known here.";
            report.note("page", "confirmations", message);
        }
        _ => {
            let message = text(first, "message");
            // A message knows no answers.
            let mut plain = replaced(&message, |_| None, "confirmations", report);
            if plain != message {
                for mark in ["!", ",", ".", "?"] {
                    plain = plain.replace(&[" ", mark].concat(), mark);
                }
            }
            let plain = without_tags(&plain);
            if !plain.is_empty() {
                put(messages, "success", plain);
            }
        }
    }
}

/// A template with this engine's variables: `{Label:3}` is the field with the id 3.
fn with_variables(template: &str, names: &Names, place: &str, report: &mut Report) -> String {
    replaced(template, |tag| variable(tag, names), place, report)
}

/// A template with something else for each merge tag; what has nothing is left out and told.
fn replaced(
    template: &str,
    variable: impl Fn(&str) -> Option<String>,
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
            Some(own) => out.push_str(&own),
            None => {
                let message = ["{", tag, "} is left out."].concat();
                report.note("unknown_variable", place, &message);
            }
        }
    }
    out.push_str(rest);
    out
}

fn variable(tag: &str, names: &Names) -> Option<String> {
    let word = tag.split(':').next().unwrap_or_default();
    if let Some(own) = counterpart(&TAGS, word) {
        return Some(own.to_owned());
    }
    let mut parts = tag.split(':').skip(1);
    let id = parts.find(|part| part.starts_with(|c: char| c.is_ascii_digit()))?;
    let (whole, part) = id.split_once('.').unwrap_or((id, ""));
    Some(names.get(whole)?.variable(part))
}
