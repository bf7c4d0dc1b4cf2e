//! Formidable Forms: XML with the root `<channel>`. Each `<form>` contains its `<field>`s; actions are `<view>`s. Their
//! CDATA is JSON, or serialized PHP in old files.

use crate::formats::formidable_fields::{Field, add, field_logic};
use serde_json::Value;

use crate::clock::Clock;
use crate::forms::builder::Builder;
use crate::forms::mail::Mail;
use crate::forms::rules::conditions;
use crate::forms::templates::BRACKETS;
use crate::php::unserialize;
use crate::report::Report;
use crate::values::{is_on, member, numbers_as_texts, parse, put, put_text, text, values};
use crate::xml::Element;
use crate::{Contents, Draft, MAX_FORMS, xml};

/// Reads the forms of a file.
pub fn read(content: &str, clock: &Clock<'_>, report: &mut Report) -> Result<Contents, String> {
    let file = xml::read(content);
    let Some(channel) = file.child("channel") else {
        return Err("An export of Formidable Forms is XML whose root is <channel>.".to_owned());
    };
    let mut forms: Vec<&Element> = channel.all("form").filter(|form| is_whole(form)).collect();
    if forms.is_empty() {
        return Err("There is no form in this XML of Formidable Forms.".to_owned());
    }
    report.keep_first(&mut forms, MAX_FORMS, "too_many_forms");
    let drafts = forms
        .into_iter()
        .map(|form| draft(form, channel, clock, report));
    Ok(Contents {
        format: "formidable".to_owned(),
        forms: drafts.collect(),
        submissions: Vec::new(),
        ..Contents::default()
    })
}

/// Whether a `<form>` is a form of its own, not a repeating section of another form.
fn is_whole(form: &Element) -> bool {
    matches!(form.text_of("parent_form_id"), "" | "0")
}

/// Parses the JSON or serialized PHP in a child element; numbers become strings.
fn data(element: &Element, name: &str) -> Value {
    let content = element.text_of(name);
    let mut value = parse(content)
        .ok()
        .or_else(|| unserialize(content))
        .unwrap_or_default();
    numbers_as_texts(&mut value);
    value
}

/// The fields of a form, in their order.
fn fields_of(form: &Element) -> Vec<Field<'_>> {
    let mut fields: Vec<Field<'_>> = (form.all("field"))
        .map(|element| Field {
            element,
            options: data(element, "options"),
            more: data(element, "field_options"),
        })
        .collect();
    let order = |field: &Field<'_>| {
        let order = field.element.text_of("field_order");
        order.parse().unwrap_or(i64::MAX)
    };
    model::ordered::sort_by(&mut fields, |one, other| order(one).cmp(&order(other)));
    fields
}

fn draft(theirs: &Element, channel: &Element, clock: &Clock<'_>, report: &mut Report) -> Draft {
    let mut form = Builder::new("formidable", theirs.text_of("name"), report);
    let options = data(theirs, "options");
    form.slug = theirs.text_of("form_key").to_owned();
    form.origin.id = theirs.text_of("id").to_owned();
    form.button = text(&options, "submit_value").to_owned();
    let mut fields = fields_of(theirs);
    let titles = member(&options, "rootline_titles");
    if fields
        .iter()
        .any(|field| field.element.text_of("type") == "break")
    {
        form.title_page(text(titles, "0"));
    }
    if is_on(&options, "show_description") {
        form.paragraph("", "form_description", theirs.text_of("description"));
    }
    let mut of_sections = Vec::new();
    for field in &fields {
        add(&mut form, field, titles);
        let section = text(&field.more, "form_select");
        if field.element.text_of("type") != "divider" || matches!(section, "" | "0") {
            continue;
        }
        let is_it = |form: &&Element| form.text_of("id") == section && !is_whole(form);
        for inner in channel.all("form").filter(is_it) {
            let fields = fields_of(inner);
            fields
                .iter()
                .for_each(|field| add(&mut form, field, titles));
            of_sections.extend(fields);
        }
    }
    fields.extend(of_sections);
    for field in &fields {
        let id = field.element.text_of("id");
        let place = form.find(id).map(|item| item.name.clone());
        if let Some(place) = place {
            let made = field_logic(&mut form, &field.more, &place);
            form.show_if(id, made);
        }
    }
    let site = channel.text_of("title");
    let id = theirs.text_of("id");
    for view in channel
        .all("view")
        .filter(|view| view.text_of("menu_order") == id)
    {
        if view.text_of("post_type") == "frm_form_actions" {
            action(&mut form, view, site);
        }
    }
    confirmation(&mut form, &options, None, "confirmation");
    settings(&mut form, theirs, &options, clock);
    form.finish()
}

/// Converts the conditions of an action: numbered rules next to `send_stop` and `any_all`.
fn action_logic(form: &mut Builder<'_>, logic: &Value, place: &str) -> Option<Value> {
    let mut rules = Vec::new();
    for rule in values(logic).into_iter().filter(|rule| rule.is_object()) {
        let id = text(rule, "hide_field");
        if !id.is_empty() {
            rules.extend(form.rule(
                id,
                text(rule, "hide_field_cond"),
                text(rule, "hide_opt"),
                place,
            ));
        }
    }
    let action = if text(logic, "send_stop") == "stop" {
        "hide"
    } else {
        "show"
    };
    conditions(
        action,
        if text(logic, "any_all") == "any" {
            "any"
        } else {
            "all"
        },
        rules,
    )
}

/// This engine's variable for another product's tag, which is passed without its brackets.
fn variable(form: &Builder<'_>, tag: &str, site: &str) -> Option<String> {
    let (id, rest) = tag.split_once(' ').unwrap_or((tag, ""));
    if form.find(id).is_some() {
        let part = rest.split_once("show=").map_or("", |(_, part)| part);
        return form.variable(id, part.trim_matches(['"', '\'']));
    }
    let ours = match id {
        "default-message" | "default_message" => "[all:label]",
        "form_name" => "[CF_FORM_TITLE]",
        "sitename" => site,
        "id" => "[CF_SUBMISSION_ID]",
        "ip" => "[CF_IP_ADDRESS]",
        "created-at" | "date" => "[CF_TIMESTAMP]",
        "referrer" => "[CF_REFERRER_URL]",
        _ => return None,
    };
    Some(ours.to_owned())
}

fn action(form: &mut Builder<'_>, view: &Element, site: &str) {
    let content = data(view, "content");
    let name = view.text_of("title");
    let kind = view.text_of("excerpt");
    let place = if name.is_empty() { kind } else { name };
    let events: Vec<&str> = values(member(&content, "event"))
        .into_iter()
        .filter_map(Value::as_str)
        .collect();
    if !events.is_empty() && !events.contains(&"create") {
        form.note("notification", place, "");
        return;
    }
    let is_off = view.text_of("status") == "draft";
    let before = form.report.lost_conditions;
    let conditions = action_logic(form, member(&content, "conditions"), place);
    match kind {
        "email" => {
            let is_lost = form.report.is_condition_lost(before, place);
            let mut fill = |name: &str| {
                form.fill(text(&content, name), BRACKETS, place, &|form, tag| {
                    variable(form, tag, site)
                })
            };
            let from = fill("from");
            let (from_name, from_email) = match from.split_once('<') {
                Some((name, address)) => (
                    name.trim().to_owned(),
                    address.trim_end_matches('>').to_owned(),
                ),
                None => (String::new(), from),
            };
            let mail = Mail {
                name: name.to_owned(),
                is_off: is_off || is_lost,
                to: fill("email_to"),
                subject: fill("email_subject"),
                from_name,
                from_email,
                reply_to: fill("reply_to"),
                cc: fill("cc"),
                bcc: fill("bcc"),
                message: fill("email_message"),
                is_plain: is_on(&content, "plain_text"),
                conditions,
                ..Mail::default()
            };
            form.mail(mail);
        }
        "on_submit" if !is_off => confirmation(form, &content, conditions, place),
        _ if is_off => {}
        _ => form.note("unknown_action/type", place, kind),
    }
}

/// Reads a confirmation from an action, or in old files from the form's options.
fn confirmation(form: &mut Builder<'_>, content: &Value, conditions: Option<Value>, place: &str) {
    let fill = |form: &mut Builder<'_>, name: &str| {
        form.fill(text(content, name), BRACKETS, place, &|form, tag| {
            variable(form, tag, "")
        })
    };
    match text(content, "success_action") {
        "message" => {
            let message = fill(form, "success_msg");
            form.thanks(&message, conditions);
            if is_on(content, "show_form") {
                put(&mut form.settings, "hide_after_success", Value::Bool(false));
            }
        }
        "redirect" => {
            let address = fill(form, "success_url");
            form.redirect(&address, conditions);
        }
        "page" => form.note("page", place, ""),
        _ => {}
    }
}

fn settings(form: &mut Builder<'_>, theirs: &Element, options: &Value, clock: &Clock<'_>) {
    if theirs.text_of("logged_in") == "1" {
        put(
            &mut form.settings,
            "require_user_logged_in",
            Value::Bool(true),
        );
    }
    if is_on(options, "akismet") {
        form.note("check_off", "akismet", "");
    }
    if is_on(options, "no_save") {
        put(&mut form.settings, "save_submissions", Value::Bool(false));
    }
    for name in ["single_entry", "protect_files", "save_draft"] {
        if is_on(options, name) {
            form.note("unknown_setting", name, "");
        }
    }
    let status = text(options, "open_status");
    if status.contains("limit") {
        form.submission_limit(text(options, "max_entries"));
        form.message("submission_limit_reached", text(options, "closed_msg"));
    }
    if status.contains("schedule") {
        form.note("time_zone", "open_date", clock.name());
        for (setting, name) in [("opens_at", "open_date"), ("closes_at", "close_date")] {
            if let Some(moment) = clock.moment(text(options, name)) {
                put_text(&mut form.settings, setting, &moment);
            }
        }
    }
    if matches!(status, "closed") || status.contains("schedule") {
        form.message("form_closed", text(options, "closed_msg"));
    }
}
