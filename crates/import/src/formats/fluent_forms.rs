//! Fluent Forms: a list of forms with `form_fields`, and `metas`, whose values are JSON texts.

use serde_json::{Map, Value};

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::mail::Mail;
use crate::forms::maps;
use crate::forms::rules::{any_of_all, conditions};
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{
    either, entries, is_on, is_set, member, numbers_as_texts, parse, put, put_text, text, texts,
    values,
};

/// The most levels of fields within fields.
const MAX_DEPTH: usize = 8;

/// The draft of a form.
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
            _ => {}
        }
    }
    form.finish()
}

/// What is counted on the way through the fields.
struct Walk {
    /// The titles of the pages to come.
    titles: std::vec::IntoIter<String>,
    /// The number of the field, from 1; fields within others have the number of the outer one.
    number: usize,
}

impl Walk {
    fn of(content: &Value) -> Walk {
        let start = member(
            member(member(content, "stepsWrapper"), "stepStart"),
            "settings",
        );
        let titles = values(member(start, "step_titles")).into_iter();
        let titles: Vec<String> = titles
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        Walk {
            titles: titles.into_iter(),
            number: 0,
        }
    }

    fn title(&mut self) -> String {
        self.titles.next().unwrap_or_default()
    }
}

/// The metas of a form, their JSON read.
fn metas(theirs: &Value) -> Vec<(String, Value)> {
    let all = values(member(theirs, "metas")).into_iter();
    let read = |meta: &Value| {
        let mut value = parse(text(meta, "value")).unwrap_or_default();
        numbers_as_texts(&mut value);
        (text(meta, "meta_key").to_owned(), value)
    };
    all.map(read).collect()
}

/// The fields within a container, of its columns.
fn columns(field: &Value) -> Vec<(&Value, Vec<&Value>)> {
    let columns = values(member(field, "columns")).into_iter();
    columns
        .map(|column| (column, values(member(column, "fields"))))
        .collect()
}

fn add(form: &mut Builder<'_>, field: &Value, walk: &mut Walk, depth: usize) {
    let (theirs, settings) = (text(field, "element"), member(field, "settings"));
    let attributes = member(field, "attributes");
    let label = either(settings, "label", "admin_field_label");
    let place = match label {
        _ if theirs.contains("captcha") || theirs == "turnstile" => theirs,
        "" => theirs,
        label => label,
    };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    let name = text(attributes, "name");
    match kind {
        "columns" if depth < MAX_DEPTH => {
            let columns = columns(field);
            let share = 100.0 / f64::from(u8::try_from(columns.len()).unwrap_or(u8::MAX).max(1));
            for (column, fields) in columns {
                let width = text(column, "width").parse::<f64>().unwrap_or(share);
                for inner in fields {
                    let before = form.items.len();
                    add(form, inner, walk, depth + 1);
                    for item in form.items.iter_mut().skip(before) {
                        item.width(width);
                    }
                }
            }
        }
        "columns" => form.note("too_deep", place, ""),
        "step" => {
            let words = member(settings, "next_btn");
            let next = text(words, "text");
            form.page_buttons(if next == "Next" { "" } else { next }, "");
            previous_words(form, settings);
            form.page(&walk.title());
        }
        "matrix" => matrix(form, field),
        "paragraph" => {
            let id = match name {
                "" => format!("{theirs}_{}", walk.number),
                name => name.to_owned(),
            };
            form.paragraph(&id, &id, text(settings, "html_codes"));
        }
        "fieldset repeat" => {
            let item = form.item(name, name, label, kind);
            let here_name = item.name.clone();
            form.add(item);
            let outer = std::mem::replace(&mut form.group, here_name.clone());
            for (index, column) in values(member(field, "fields")).into_iter().enumerate() {
                let inner = member(column, "settings");
                let id = format!("{here_name}_{}", index + 1);
                let kind = maps::kind("fluent-forms", text(column, "element"))
                    .filter(|kind| !kind.starts_with('!'));
                let made = form.item(&id, &id, text(inner, "label"), kind.unwrap_or("text"));
                let made = described(form, made, column);
                form.add(made);
            }
            form.group = outer;
        }
        _ => {
            let item = form.item(name, name, label, kind);
            let item = described(form, item, field);
            if kind == "date" && is_on(settings, "is_time_enabled") {
                let required = member(member(settings, "validation_rules"), "required");
                form.date_and_time(item, is_on(required, "value"));
            } else {
                form.add(item);
            }
        }
    }
}

fn previous_words(form: &mut Builder<'_>, settings: &Value) {
    let words = text(member(settings, "prev_btn"), "text");
    form.page_buttons("", if words == "Previous" { "" } else { words });
}

fn matrix(form: &mut Builder<'_>, field: &Value) {
    let (settings, attributes) = (member(field, "settings"), member(field, "attributes"));
    let name = text(attributes, "name");
    let is_required = is_on(
        member(member(settings, "validation_rules"), "required"),
        "value",
    );
    let rows: Vec<(String, String, bool)> = (entries(member(settings, "grid_rows")).into_iter())
        .map(|(key, label)| {
            (
                key.to_owned(),
                label.as_str().unwrap_or(key).to_owned(),
                is_required,
            )
        })
        .collect();
    let columns: Vec<(String, String)> = (entries(member(settings, "grid_columns")).into_iter())
        .map(|(key, label)| (key.to_owned(), label.as_str().unwrap_or(key).to_owned()))
        .collect();
    let kind = match text(settings, "tabular_field_type") {
        "checkbox" => "checkbox",
        _ => "radio",
    };
    let mut frame = form.item(name, name, text(settings, "label"), "fieldset");
    form.describe(&mut frame, text(settings, "help_message"));
    form.matrix(frame, kind, &rows, &columns);
}

/// Sets what a field's members say.
fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    let (settings, attributes) = (member(field, "settings"), member(field, "attributes"));
    let theirs = text(field, "element");
    let rules = member(settings, "validation_rules");
    let rule = |name: &str| member(member(rules, name), "value");
    form.describe(&mut item, text(settings, "help_message"));
    item.require(is_set(rule("required")));
    item.set(
        "placeholder",
        either(attributes, "placeholder", "placeholder"),
    );
    if item.kind == "select" {
        item.set("placeholder", text(settings, "placeholder"));
    }
    item.class(text(settings, "container_class"));
    match item.kind {
        "country" => {
            item.kind = "text";
            item.attribute("autocomplete", "country-name");
            form.note("field_type/place", &item.name, "");
        }
        "select" | "radio" | "checkbox" => choices(form, &mut item, settings),
        "consent" => form.consent_label(&mut item, text(settings, "tnc_html")),
        "name" | "address" => parts(form, &mut item, field),
        "number" if theirs == "rangeslider" => item.range(
            either(attributes, "min", "min"),
            text(attributes, "max"),
            text(settings, "number_step"),
        ),
        "number" => {
            item.bound(
                "min",
                member(member(rules, "min"), "value")
                    .as_str()
                    .unwrap_or_default(),
            );
            item.bound(
                "max",
                member(member(rules, "max"), "value")
                    .as_str()
                    .unwrap_or_default(),
            );
            item.attribute("step", text(settings, "number_step"));
            if !text(settings, "calculation_settings").is_empty()
                || is_on(member(settings, "calculation_settings"), "status")
            {
                form.note("calculation", &item.name, "");
            }
        }
        "text" | "textarea" => item.longest(text(attributes, "maxlength")),
        "rating" if theirs == "net_promoter_score" => {
            item.scale(0.0, 10.0);
            item.ends(text(settings, "start_text"), text(settings, "end_text"));
        }
        "rating" => {
            let stars = entries(member(settings, "options")).len();
            item.bound_number("max", f64::from(u8::try_from(stars).unwrap_or(5)));
        }
        "file" => files(form, &mut item, rules, theirs),
        _ => {}
    }
    if item.kind == "heading" {
        item.set("description", "");
    }
    if !text(attributes, "data-mask").is_empty() {
        form.note("input_mask", &item.name, "");
    }
    let default = text(attributes, "value");
    if default.contains('{') {
        form.note("default_value", &item.name, "");
    } else if !matches!(
        item.kind,
        "consent" | "file" | "name" | "address" | "heading"
    ) {
        item.set("default_value", default);
    }
    if text(settings, "is_unique") == "yes" {
        form.note("no_duplicates", &item.name, "");
    }
    item
}

fn choices(form: &mut Builder<'_>, item: &mut Item, settings: &Value) {
    for choice in values(member(settings, "advanced_options")) {
        item.choice("", text(choice, "value"), text(choice, "label"));
        if is_on(settings, "enable_image_input") {
            item.image(text(choice, "image"));
        }
    }
    if item.choices.is_empty() {
        for (value, label) in entries(member(settings, "options")) {
            item.choice("", value, label.as_str().unwrap_or(value));
        }
    }
    if text(settings, "enable_other_option") == "yes" {
        let label = text(settings, "other_option_label");
        item.attribute("data-other", if label.is_empty() { "Other" } else { label });
    }
    item.longest(text(settings, "max_selection"));
    if text(settings, "randomize_options") == "yes" {
        form.note("random_order", &item.name, "");
    }
}

fn files(form: &mut Builder<'_>, item: &mut Item, rules: &Value, theirs: &str) {
    let rule = |name: &str| member(member(rules, name), "value");
    item.bound_number("max", USUAL_FILE_BYTES);
    item.most_bytes(rule("max_file_size").as_str().unwrap_or_default(), 1.0);
    let types = values(member(member(rules, "allowed_file_types"), "value"));
    let types = types.into_iter().chain(values(rule("allowed_image_types")));
    item.accept(
        types
            .filter_map(Value::as_str)
            .flat_map(|types| types.split('|')),
    );
    if theirs == "input_image" && !item.has_flag("accept") {
        item.attribute("accept", "image/*");
    }
    let most = rule("max_file_count")
        .as_str()
        .unwrap_or_default()
        .parse::<u32>();
    if most.unwrap_or(1) > 1 {
        item.flag("multiple", true);
        form.note("maximum_of_files", &item.name, "");
    }
}

/// The visible parts of a name or an address, with their labels.
fn parts(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let mut is_required = false;
    for (key, part) in entries(member(field, "fields")) {
        let settings = member(part, "settings");
        let is_hidden = settings.get("visible").is_some() && !is_on(settings, "visible");
        if is_hidden {
            continue;
        }
        let label = text(settings, "label");
        is_required |= is_on(
            member(member(settings, "validation_rules"), "required"),
            "value",
        );
        match maps::kind("parts", key) {
            Some(ours) => item.choice("", ours, label),
            None => form.note("part", &item.name, label),
        }
    }
    item.require(is_required);
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

/// The conditions of a record, if they are on.
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
        // Theirs finds the pattern anywhere.
        let bare = value.trim_matches('/');
        return form.rule_with(id, "matches", &[".*(", bare, ").*"].concat(), place);
    }
    form.rule(id, operator, value, place)
}

/// This engine's variable for a tag without its braces.
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
    let shared = logic(form, member(theirs, "conditionals"), place);
    let mut fill = |template: &str| form.fill(template, BRACES, place, &variable);
    let made = Mail {
        name: name.to_owned(),
        is_off: theirs.get("enabled").is_some() && !is_on(theirs, "enabled"),
        to: fill(text(send, "email")),
        subject: fill(text(theirs, "subject")),
        from_name: fill(text(theirs, "fromName")),
        from_email: fill(text(theirs, "fromEmail")),
        reply_to: fill(text(theirs, "replyTo")),
        cc: fill(text(theirs, "cc")),
        bcc: fill(text(theirs, "bcc")),
        message: fill(text(theirs, "message")),
        is_plain: matches!(text(theirs, "asPlainText"), "yes" | "1"),
        conditions: shared.clone(),
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
                if shared.is_some() {
                    form.note("condition/routing", place, "");
                }
                let rule = rule_of(form, route, place);
                let conditions = conditions("show", "all", rule.into_iter().collect());
                form.mail(Mail {
                    to,
                    conditions,
                    ..made.clone()
                });
            }
        }
        _ => form.mail(made),
    }
}

fn webhook(form: &mut Builder<'_>, theirs: &Value) {
    let name = text(theirs, "name");
    let mut action: Map<String, Value> = texts(&[("type", "webhook")]);
    put_text(&mut action, "action_name", name);
    if theirs.get("enabled").is_some() && !is_on(theirs, "enabled") {
        put(&mut action, "action_enabled", Value::Bool(false));
    }
    put_text(&mut action, "url", text(theirs, "request_url"));
    put_text(&mut action, "method", text(theirs, "request_method"));
    let is_form = text(theirs, "request_format").eq_ignore_ascii_case("form");
    put_text(&mut action, "format", if is_form { "form" } else { "json" });
    if let Some(conditions) = logic(form, member(theirs, "conditionals"), name) {
        put(&mut action, "conditions", conditions);
    }
    if text(theirs, "request_body") == "selected_fields" || text(theirs, "with_header") == "yep" {
        form.note("unknown_setting", name, "");
    }
    form.action(action);
}
