//! Fluent Forms: a list of forms with `form_fields`, and `metas`, whose values are JSON texts.

use crate::formats::fluent_fields::{MAX_DEPTH, Walk, add, columns, previous_words};
use serde_json::{Map, Value};

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::Builder;
use crate::forms::mail::Mail;
use crate::forms::rules::{any_of_all, conditions};
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{
    either, is_on, is_set, member, numbers_as_texts, parse, put, put_text, text, texts, values,
};

/// Converts a form to a draft.
pub fn draft(theirs: &Value, clock: &Clock<'_>, report: &mut Report) -> Draft {
    let mut form = Builder::new("fluent-forms", text(theirs, "title"), report);
    form.origin.id = text(theirs, "id").to_owned();
    let content = match theirs.get("form_fields") {
        Some(fields) => fields,
        None => member(theirs, "form"),
    };
    let button = member(member(content, "submitButton"), "settings");
    form.button = either(member(button, "button_ui"), "text", "btn_text").to_owned();
    let mut walk = Walk::of(content);
    let start = walk.title();
    if !start.is_empty() {
        form.title_page(&start);
    }
    let fields = values(member(content, "fields"));
    for field in &fields {
        walk.number += 1;
        add(&mut form, field, &mut walk, 0);
    }
    let end = member(
        member(member(content, "stepsWrapper"), "stepEnd"),
        "settings",
    );
    previous_words(&mut form, end);
    for field in &fields {
        show_if(&mut form, field, 0);
    }
    let words = std::mem::take(&mut form.button);
    form.button = form.fill(&words, BRACES, "submitButton", &variable);
    form.fill_labels(BRACES, &live_variable);
    for (key, value) in metas(theirs) {
        match key.as_str() {
            "formSettings" => settings(&mut form, &value, clock),
            "notifications" => mail(&mut form, &value),
            "fluentform_webhook_feed" => webhook(&mut form, &value),
            _ if key.starts_with('_')
                || key == "template_name"
                || key.contains("css")
                || key.contains("revision") => {}
            _ if key.ends_with("_feed") || key.ends_with("_feeds") => {
                form.note("unknown_setting", &key, "")
            }
            _ if is_on(&value, "status") => form.note("unknown_setting", &key, ""),
            _ => {}
        }
    }
    form.finish()
}

/// The metas of a form: each key with its value, parsed as JSON.
fn metas(theirs: &Value) -> Vec<(String, Value)> {
    let all = values(member(theirs, "metas")).into_iter();
    let read = |meta: &Value| {
        let mut value = parse(text(meta, "value")).unwrap_or_default();
        numbers_as_texts(&mut value);
        (text(meta, "meta_key").to_owned(), value)
    };
    all.map(read).collect()
}

fn show_if(form: &mut Builder<'_>, field: &Value, depth: usize) {
    if depth < MAX_DEPTH {
        for (_, fields) in columns(field) {
            for inner in fields {
                show_if(form, inner, depth + 1);
            }
        }
    }
    let name = text(member(field, "attributes"), "name");
    let made = logic(
        form,
        member(member(field, "settings"), "conditional_logics"),
        name,
    );
    form.show_if(name, made);
}

/// Converts the conditions of a field, mail or webhook; `None` if they are off.
fn logic(form: &mut Builder<'_>, logic: &Value, place: &str) -> Option<Value> {
    if !is_on(logic, "status") {
        return None;
    }
    let mut rules_of = |list: &Value| {
        let mut rules = Vec::new();
        for rule in values(list) {
            let id = text(rule, "field");
            if !id.is_empty() {
                rules.extend(rule_of(form, rule, place));
            }
        }
        rules
    };
    if text(logic, "type") == "group" {
        let groups = values(member(logic, "condition_groups")).into_iter();
        let groups = groups
            .map(|group| rules_of(member(group, "rules")))
            .collect();
        return any_of_all("show", groups);
    }
    let mode = if text(logic, "type") == "any" {
        "any"
    } else {
        "all"
    };
    let rules = rules_of(member(logic, "conditions"));
    conditions("show", mode, rules)
}

fn rule_of(form: &mut Builder<'_>, rule: &Value, place: &str) -> Option<Value> {
    let (id, operator, value) = (
        text(rule, "field"),
        text(rule, "operator"),
        text(rule, "value"),
    );
    if operator == "test_regex" {
        // Fluent Forms finds the pattern anywhere in the value, but `matches` tests the whole value.
        let bare = value.trim_matches('/');
        return form.rule_with(id, "matches", &[".*(", bare, ").*"].concat(), place);
    }
    form.rule(id, operator, value, place)
}

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    if let Some(path) = tag.strip_prefix("inputs.") {
        let (id, part) = path.split_once('.').unwrap_or((path, ""));
        return form.variable(id, part);
    }
    let ours = match tag {
        "all_data" | "all_data_without_hidden_fields" => "[all:label]",
        "submission.id" => "[CF_SUBMISSION_ID]",
        "submission.created_at" => "[CF_TIMESTAMP]",
        "ip" | "submission.ip" => "[CF_IP_ADDRESS]",
        "form_title" | "form.title" => "[CF_FORM_TITLE]",
        "form_id" | "form.id" => "[CF_FORM_ID]",
        "http_referer" | "embed_post.permalink" => "[CF_REFERRER_URL]",
        _ => return None,
    };
    Some(ours.to_owned())
}

/// This engine's variable for a tag in a label, where only answers are replaced as visitors type.
fn live_variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    match tag.strip_prefix("dynamic.") {
        Some(id) => form.variable(id, ""),
        None => Some(["{", tag, "}"].concat()),
    }
}

fn settings(form: &mut Builder<'_>, theirs: &Value, clock: &Clock<'_>) {
    let confirmation = member(theirs, "confirmation");
    let place = "confirmation";
    match text(confirmation, "redirectTo") {
        "customUrl" => {
            let address = form.fill(text(confirmation, "customUrl"), BRACES, place, &variable);
            form.redirect(&address, None);
        }
        "customPage" => form.note("page", place, ""),
        _ => {
            let message = form.fill(
                text(confirmation, "messageToShow"),
                BRACES,
                place,
                &variable,
            );
            form.thanks(&message, None);
            if text(confirmation, "samePageFormBehavior") == "reset_form" {
                put(&mut form.settings, "hide_after_success", Value::Bool(false));
            }
        }
    }
    restrictions(form, member(theirs, "restrictions"), clock);
    if is_on(theirs, "delete_after_x_days")
        && let Ok(days) = text(theirs, "auto_delete_days").parse::<u64>()
    {
        put(&mut form.settings, "retention_days", days.into());
    }
    if is_on(theirs, "delete_entry_on_submission") {
        put(&mut form.settings, "save_submissions", Value::Bool(false));
    }
    if is_on(theirs, "double_optin_settings")
        || is_on(member(theirs, "double_optin_settings"), "status")
    {
        form.note("unknown_setting", "double_optin_settings", "");
    }
}

fn restrictions(form: &mut Builder<'_>, restrictions: &Value, clock: &Clock<'_>) {
    let limit = member(restrictions, "limitNumberOfEntries");
    if is_on(limit, "enabled") {
        form.submission_limit(text(limit, "numberOfEntries"));
        form.message("submission_limit_reached", text(limit, "limitReachedMsg"));
        if !matches!(text(limit, "period"), "" | "total") {
            form.note("limit_period", "restrictions.limitNumberOfEntries", "");
        }
    }
    let schedule = member(restrictions, "scheduleForm");
    if is_on(schedule, "enabled") {
        let place = "restrictions.scheduleForm";
        form.note("time_zone", place, clock.name());
        for (setting, name) in [("opens_at", "start"), ("closes_at", "end")] {
            if let Some(moment) = clock.moment(text(schedule, name)) {
                put_text(&mut form.settings, setting, &moment);
            }
        }
        form.message("form_not_open", text(schedule, "pendingMsg"));
        form.message("form_closed", text(schedule, "expiredMsg"));
        if is_set(member(schedule, "selectedDays")) {
            form.note("schedule/days", place, "");
        }
    }
    let login = member(restrictions, "requireLogin");
    if is_on(login, "enabled") {
        put(
            &mut form.settings,
            "require_user_logged_in",
            Value::Bool(true),
        );
        form.message("require_user_logged_in", text(login, "requireLoginMsg"));
    }
    for name in ["restrictForm", "denyEmptySubmission"] {
        if is_on(member(restrictions, name), "enabled") {
            form.note("unknown_setting", &["restrictions.", name].concat(), "");
        }
    }
}

fn mail(form: &mut Builder<'_>, theirs: &Value) {
    let name = text(theirs, "name");
    let place = if name.is_empty() {
        "notifications"
    } else {
        name
    };
    let send = member(theirs, "sendTo");
    let before = form.report.lost_conditions;
    let conditions = logic(form, member(theirs, "conditionals"), place);
    let is_lost = form.report.is_condition_lost(before, place);
    let mut fill = |template: &str| form.fill(template, BRACES, place, &variable);
    let made = Mail {
        name: name.to_owned(),
        is_off: is_lost || theirs.get("enabled").is_some() && !is_on(theirs, "enabled"),
        to: fill(text(send, "email")),
        subject: fill(text(theirs, "subject")),
        from_name: fill(text(theirs, "fromName")),
        from_email: fill(text(theirs, "fromEmail")),
        reply_to: fill(text(theirs, "replyTo")),
        cc: fill(text(theirs, "cc")),
        bcc: fill(text(theirs, "bcc")),
        message: fill(text(theirs, "message")),
        is_plain: matches!(text(theirs, "asPlainText"), "yes" | "1"),
        conditions,
        ..Mail::default()
    };
    match text(send, "type") {
        "field" => {
            let to = form.variable(text(send, "field"), "").unwrap_or_default();
            form.mail(Mail { to, ..made });
        }
        "routing" => {
            for route in values(member(send, "routing")) {
                let to = form.fill(
                    either(route, "input_value", "email"),
                    BRACES,
                    place,
                    &variable,
                );
                if to.is_empty() {
                    continue;
                }
                let rule = rule_of(form, route, place);
                form.routed_mail(&made, to, rule);
            }
        }
        _ => form.mail(made),
    }
}

fn webhook(form: &mut Builder<'_>, theirs: &Value) {
    let name = text(theirs, "name");
    let mut action: Map<String, Value> = texts(&[("type", "webhook")]);
    put_text(&mut action, "action_name", name);
    put_text(&mut action, "url", text(theirs, "request_url"));
    put_text(&mut action, "method", text(theirs, "request_method"));
    let is_form = text(theirs, "request_format").eq_ignore_ascii_case("form");
    put_text(&mut action, "format", if is_form { "form" } else { "json" });
    let before = form.report.lost_conditions;
    if let Some(conditions) = logic(form, member(theirs, "conditionals"), name) {
        put(&mut action, "conditions", conditions);
    }
    let is_off = theirs.get("enabled").is_some() && !is_on(theirs, "enabled");
    if form.report.is_condition_lost(before, name) || is_off {
        put(&mut action, "action_enabled", Value::Bool(false));
    }
    if text(theirs, "request_body") == "selected_fields" || text(theirs, "with_header") == "yep" {
        form.note("unknown_setting", name, "");
    }
    form.action(action);
}
