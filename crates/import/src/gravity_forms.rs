//! Gravity Forms: a JSON object whose members `0`, `1` … are forms, beside `version`.

use serde_json::{Map, Value, json};

use super::gravity_conditions::conditions;
use super::gravity_fields::{self, Names, SUBMIT};
use super::gravity_text::without_tags;
use super::{Draft, Report, email_action, is_on, text, values};
use model::check::MAX_FIELDS;

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
    let mut fields = read.fields;
    let button = form.get("button").map(|button| text(button, "text"));
    let button = button.filter(|words| !words.trim().is_empty());
    let words = button.unwrap_or_else(|| "Submit".to_owned());
    report.keep_first(&mut fields, MAX_FIELDS - 1, "fields");
    fields.push(json!({"name": SUBMIT, "type": "submit", "label": words}));
    if form
        .pointer("/button/conditionalLogic")
        .is_some_and(Value::is_object)
    {
        report.note("condition", "button", "The button is always there.");
    }
    let last = form.get("lastPageButton");
    gravity_fields::note_button(last, "lastPageButton", report);
    let mut schema = json!({"version": 1, "fields": fields});
    if let (true, Some(members)) = (read.pages.len() > 1, schema.as_object_mut()) {
        let titles = form.pointer("/pagination/pages");
        let titles: Vec<&str> = values(titles)
            .into_iter()
            .filter_map(Value::as_str)
            .collect();
        let pages = read.pages.iter().enumerate();
        let steps: Vec<Value> = pages
            .map(|(index, names)| {
                let title = titles.get(index).copied().unwrap_or_default();
                json!({"id": format!("step-{}", index + 1), "title": title, "fields": names})
            })
            .collect();
        members.insert(
            "layout".to_owned(),
            json!({"type": "multi-step", "steps": steps}),
        );
    }
    let mut settings = Map::new();
    let mut messages = Map::new();
    limits(form, &mut settings, &mut messages, report);
    let actions = actions(form, &read.names, report);
    settings.insert("actions".to_owned(), json!(actions));
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
            messages.insert(code.to_owned(), json!(words));
        }
    };
    if is_on(form, "requireLogin") {
        settings.insert("require_user_logged_in".to_owned(), json!(true));
        say("require_user_logged_in", "requireLoginMessage");
    }
    if is_on(form, "limitEntries") {
        let most = text(form, "limitEntriesCount").parse::<u64>().unwrap_or(0);
        settings.insert("submission_limit".to_owned(), json!(most));
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
        settings.insert("store_ip".to_owned(), json!(false));
    }
    let retention = personal.get("retention").unwrap_or(&Value::Null);
    let days = text(retention, "retain_entries_days").parse::<u64>().ok();
    match (text(retention, "policy").as_str(), days) {
        ("delete", Some(days)) => {
            settings.insert("retention_days".to_owned(), json!(days));
        }
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
            report.note(
                "notification",
                &place,
                "It is off, or about another event, and is left out.",
            );
            continue;
        }
        let logic = notification.get("conditionalLogic");
        let own = conditions(logic, names, &place, report);
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
                    actions.push(action(
                        notification,
                        text(route, "email"),
                        both,
                        names,
                        report,
                    ));
                }
            }
            "field" => {
                let id = match text(notification, "toField") {
                    id if id.is_empty() => text(notification, "to"),
                    id => id,
                };
                let to = names.get(&id).map(|field| field.variable(""));
                actions.push(action(
                    notification,
                    to.unwrap_or_default(),
                    own,
                    names,
                    report,
                ));
            }
            _ => {
                let to = text(notification, "to");
                actions.push(action(notification, to, own, names, report));
            }
        }
    }
    actions
}

/// Conditions as one member of a list of conditions.
fn group(conditions: &Value) -> Value {
    let mut group = Map::new();
    let rules = conditions.get("rules").cloned().unwrap_or_default();
    group.insert(text(conditions, "match"), rules);
    Value::Object(group)
}

fn action(
    notification: &Value,
    to: String,
    conditions: Option<Value>,
    names: &Names,
    report: &mut Report,
) -> Value {
    let place = text(notification, "name");
    let mut own = |template: &str| with_variables(template, names, &place, report);
    let from = own(&text(notification, "from"));
    let sender = own(&text(notification, "fromName"));
    let mut action = email_action(&[
        ("to", own(&to)),
        ("subject", own(&text(notification, "subject"))),
        ("message", own(&text(notification, "message"))),
        ("reply_to", own(&text(notification, "replyTo"))),
        ("cc", own(&text(notification, "cc"))),
        ("bcc", own(&text(notification, "bcc"))),
        (
            "from",
            if sender.is_empty() || from.is_empty() {
                from
            } else {
                [&sender, " <", &from, ">"].concat()
            },
        ),
    ]);
    if let (Some(conditions), Some(members)) = (conditions, action.as_object_mut()) {
        members.insert("conditions".to_owned(), conditions);
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
    let first = all
        .iter()
        .find(|own| is_on(own, "isDefault"))
        .or(all.first());
    if all.len() > 1 {
        report.note(
            "confirmation",
            "confirmations",
            "Only the default confirmation is kept.",
        );
    }
    let Some(first) = first else { return };
    match text(first, "type").as_str() {
        "redirect" => {
            settings.insert("redirect_url".to_owned(), json!(text(first, "url")));
            if !text(first, "queryString").is_empty() {
                report.note(
                    "query_string",
                    "confirmations",
                    "What the address carried of the answers is left out.",
                );
            }
        }
        "page" => report.note(
            "page",
            "confirmations",
            "The page that followed is not known here.",
        ),
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
                messages.insert("success".to_owned(), json!(plain));
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
        let Some((tag, after)) = at
            .split_once('}')
            .filter(|(tag, _)| tag.len() <= 500 && !tag.contains(['{', '\n']))
        else {
            out.push('{');
            rest = at;
            continue;
        };
        rest = after;
        match variable(tag) {
            Some(own) => out.push_str(&own),
            None => report.note(
                "unknown_variable",
                place,
                ["{", tag, "} is left out."].concat(),
            ),
        }
    }
    out.push_str(rest);
    out
}

fn variable(tag: &str, names: &Names) -> Option<String> {
    let word = tag.split(':').next().unwrap_or_default();
    if let Some((_, own)) = TAGS.iter().find(|(theirs, _)| *theirs == word) {
        return Some((*own).to_owned());
    }
    let id = tag
        .split(':')
        .skip(1)
        .find(|part| part.starts_with(|c: char| c.is_ascii_digit()))?;
    let (whole, part) = id.split_once('.').unwrap_or((id, ""));
    Some(names.get(whole)?.variable(part))
}
