//! Reads forms that plugins of content platforms store as JSON, and their submissions in the same file. EmDash's route
//! `forms/list` returns forms in `items` or `data.items`. Payload's form builder returns them in `docs` of `GET
//! /api/forms`, and inside its submissions.

use serde_json::{Map, Value};

use super::editor_text::{plain, variables};
use super::submissions::{Origin, field_name};
use super::values::{
    counterpart, either, email_action, entries, is_on, member, put, put_text, table, text,
    text_or_number, texts, values,
};
use super::{Draft, Report, schema};

const EMDASH: &str = "emdash-forms";
const PAYLOAD: &str = "payload-form-builder";

/// Maximum depth at which documents are found in a file.
const MAX_DEPTH: usize = 6;

/// Members that contain the documents in responses of the platforms' routes, and in files that join several responses.
const LISTS: [&str; 5] = ["data", "items", "docs", "forms", "submissions"];

/// The documents of a file.
#[derive(Default)]
pub struct Documents<'f> {
    /// The format of the documents.
    pub format: &'static str,
    /// The forms, without duplicates.
    pub forms: Vec<&'f Value>,
    /// The submissions.
    pub submissions: Vec<&'f Value>,
    /// The keys of the forms with an id, to detect duplicates: the id and the time of creation.
    known: Map<String, Value>,
}

/// Collects the documents of one of these formats from the lists in a file ([`LISTS`]), to the depth [`MAX_DEPTH`].
pub fn documents<'f>(file: &'f Value, format: &'static str) -> Documents<'f> {
    let mut found = Documents {
        format,
        ..Documents::default()
    };
    found.gather(file, MAX_DEPTH);
    found
}

/// Returns the formats of this module that the file contains.
pub fn formats(file: &Value) -> Vec<&'static str> {
    let formats = [EMDASH, PAYLOAD].into_iter();
    formats
        .filter(|format| {
            let found = documents(file, format);
            !(found.forms.is_empty() && found.submissions.is_empty())
        })
        .collect()
}

/// Whether a value is a list with items that all satisfy `is_one`.
fn is_list_of(list: &Value, is_one: impl Fn(&Value) -> bool) -> bool {
    let items = list.as_array();
    items.is_some_and(|items| !items.is_empty() && items.iter().all(is_one))
}

impl<'f> Documents<'f> {
    fn gather(&mut self, value: &'f Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let is_of_payload = || {
            is_list_of(member(value, "fields"), |field| {
                field.get("blockType").is_some()
            })
        };
        let is_of_emdash = || {
            is_list_of(member(value, "pages"), |page| {
                member(page, "fields").is_array()
            })
        };
        if let Value::Array(items) = value {
            items.iter().for_each(|item| self.gather(item, depth));
        } else if !value.is_object() {
            // A scalar has no lists. The search in its missing members would only recurse to the depth limit.
        } else if is_of_emdash() {
            self.add(EMDASH, value, false);
        } else if member(value, "submissionData").is_array() {
            if member(value, "form").is_object() {
                self.add(PAYLOAD, member(value, "form"), false);
            }
            self.add(PAYLOAD, value, true);
        } else if value.get("formId").is_some() && member(value, "data").is_object() {
            self.add(EMDASH, value, true);
        } else if is_of_payload() {
            self.add(PAYLOAD, value, false);
        } else {
            (LISTS.iter()).for_each(|name| self.gather(member(value, name), depth));
        }
    }

    fn add(&mut self, format: &'static str, document: &'f Value, is_submission: bool) {
        if self.format != format {
            return;
        }
        if is_submission {
            self.submissions.push(document);
            return;
        }
        let origin = Origin::of(document);
        let key = [origin.id.as_str(), &origin.created_at].join("\n");
        if origin.id.is_empty() || self.known.insert(key, Value::Null).is_none() {
            self.forms.push(document);
        }
    }
}

/// Converts a form to a draft.
pub fn draft(form: &Value, report: &mut Report) -> Draft {
    let theirs = member(form, "settings");
    let title = either(form, "name", "title");
    report.begin(title);
    report.unknown_members(form, "definitions/form", "");
    report.unknown_members(member(form, "redirect"), "definitions/redirect", "redirect");
    let pages = pages(form, report);
    let mails = values(member(form, "emails")).into_iter().enumerate();
    let mails = mails.map(|(at, stored)| {
        report.unknown_members(stored, "definitions/email", &format!("emails[{at}]"));
        mail(stored)
    });
    let mut actions: Vec<Value> = mails.collect();
    let confirmation = plain(member(form, "confirmationMessage"));
    let confirmation = variables(&confirmation);
    let mut fields = pages.iter().flat_map(|(_, fields)| fields);
    let address = fields.find(|field| text(field, "type") == "email");
    notifications(theirs, address, &mut actions, report);
    let mut settings = Map::new();
    put(&mut settings, "actions", Value::Array(actions));
    let redirect = match text(form, "confirmationType") {
        "redirect" => text(member(form, "redirect"), "url"),
        _ => text(theirs, "redirectUrl"),
    };
    put_text(&mut settings, "redirect_url", redirect);
    if redirect.is_empty() && text(form, "confirmationType") == "redirect" {
        report.remark("page", "redirect", "");
    }
    if member(theirs, "retentionDays").is_u64() {
        put(
            &mut settings,
            "retention_days",
            member(theirs, "retentionDays").clone(),
        );
    }
    let words = match text(theirs, "submitLabel") {
        "" => text(form, "submitButtonLabel"),
        words => words,
    };
    let words = if words.is_empty() { "Submit" } else { words };
    let thanks = [text(theirs, "confirmationMessage"), &confirmation].concat();
    let is_paused = text(form, "status") == "paused";
    Draft {
        title: title.to_owned(),
        slug: text(form, "slug").to_owned(),
        schema: Some(schema(pages, "submit_button", words, report)),
        status: if is_paused { "closed" } else { "" }.to_owned(),
        from_schema: true,
        settings,
        messages: match thanks.trim() {
            "" => Map::new(),
            thanks => texts(&[("success", thanks)]),
        },
        origin: Origin::of(form),
        ..Draft::default()
    }
}

/// The pages of a form: the title and the converted fields of each.
fn pages(form: &Value, report: &mut Report) -> Vec<(String, Vec<Value>)> {
    let stored = match values(member(form, "pages")) {
        pages if pages.is_empty() => vec![form],
        pages => pages,
    };
    let (mut pages, mut count) = (Vec::new(), 0);
    for page in stored {
        if page != form {
            let place = format!("pages[{}]", pages.len());
            report.unknown_members(page, "definitions/page", &place);
        }
        let fields = values(member(page, "fields")).into_iter();
        let fields: Vec<Value> = fields
            .filter_map(|stored| {
                count += 1;
                field(stored, count - 1, report)
            })
            .collect();
        pages.push((text(page, "title").to_owned(), fields));
    }
    pages
}

/// Converts a field; a field without a counterpart is reported.
fn field(theirs: &Value, at: usize, report: &mut Report) -> Option<Value> {
    let kind = either(theirs, "type", "blockType");
    let their_name = text(theirs, "name");
    let name = match their_name {
        "" => format!("{kind}_{at}"),
        name => field_name(name),
    };
    if !their_name.is_empty() && name != their_name {
        report.remark("renamed", their_name, &name);
    }
    let Some(field_type) = counterpart("definitions.types", kind) else {
        report.remark("unknown_field", &name, kind);
        return None;
    };
    if matches!(kind, "country" | "state") {
        report.remark("field_type/place", &name, "");
    }
    let label = match field_type {
        "paragraph" => plain(member(theirs, "message")),
        _ => text(theirs, "label").to_owned(),
    };
    report.unknown_members(theirs, "definitions/field", &name);
    let width = text_or_number(theirs, "width");
    let mut made = texts(&[
        ("name", &name),
        ("type", field_type),
        ("label", &label),
        ("placeholder", text(theirs, "placeholder")),
        ("description", text(theirs, "helpText")),
        (
            "css_class",
            report.width_class(&width, &[&name, ".width"].concat()),
        ),
    ]);
    let required = is_on(theirs, "required") && field_type != "hidden";
    put(&mut made, "required", Value::Bool(required));
    limits(theirs, &name, &mut made, report);
    let options = options(theirs, kind, &label);
    put(&mut made, "options", Value::Array(options));
    let default = match member(theirs, "defaultValue") {
        Value::Bool(on) => if *on { "1" } else { "" }.to_owned(),
        _ => text_or_number(theirs, "defaultValue"),
    };
    if field_type != "file" {
        put_text(&mut made, "default_value", &default);
    }
    condition(theirs, &name, &mut made, report);
    Some(Value::Object(made))
}

/// Adds the bounds of a field's answers, and the attributes that limit them.
fn limits(theirs: &Value, name: &str, made: &mut Map<String, Value>, report: &mut Report) {
    let bounds = theirs.get("validation").unwrap_or(theirs);
    let place = [name, ".validation"].concat();
    report.unknown_members(
        member(theirs, "validation"),
        "definitions/validation",
        &place,
    );
    let mut validation = Map::new();
    for (their, ours) in table("definitions.bounds") {
        if !member(bounds, their).is_null() {
            put(&mut validation, ours, member(bounds, their).clone());
        }
    }
    put(made, "validation", Value::Object(validation));
    let types = values(member(theirs, "mimeTypes")).into_iter();
    let types: Vec<&str> = types.map(|entry| text(entry, "mimeType")).collect();
    let accept = [text(bounds, "accept"), &types.join(",")].concat();
    let mut attributes = Map::new();
    put_text(&mut attributes, "accept", &accept);
    put_text(&mut attributes, "title", text(bounds, "patternMessage"));
    if is_on(theirs, "multiple") {
        put(&mut attributes, "multiple", Value::from(""));
    }
    put(made, "attributes", Value::Object(attributes));
}

/// The options of a field; a `checkbox` field has one.
fn options(theirs: &Value, kind: &str, label: &str) -> Vec<Value> {
    let option = |value: &str, label: &str| -> Value {
        Value::Object(texts(&[("value", value), ("label", label)]))
    };
    match kind {
        "checkbox" => vec![option("1", label)],
        _ => values(member(theirs, "options"))
            .into_iter()
            .map(|option_entry| {
                option(
                    &text_or_number(option_entry, "value"),
                    &text_or_number(option_entry, "label"),
                )
            })
            .collect(),
    }
}

/// Adds the condition of a field. A condition without a counterpart is reported.
fn condition(theirs: &Value, name: &str, made: &mut Map<String, Value>, report: &mut Report) {
    let condition = member(theirs, "condition");
    if condition.is_object() {
        let place = [name, ".condition"].concat();
        report.unknown_members(condition, "definitions/condition", &place);
        let subject = field_name(text(condition, "field"));
        if let Some(operator) = counterpart("definitions.operators", text(condition, "op")) {
            let rule = texts(&[
                ("field", &subject),
                ("operator", operator),
                ("value", &text_or_number(condition, "value")),
            ]);
            put(made, "conditions", Value::Array(vec![rule.into()]));
        } else {
            report.remark("condition", name, &subject);
        }
    }
}

/// Adds the actions that an EmDash form's settings define. `address` is the field for the visitor's email address.
fn notifications(
    theirs: &Value,
    address: Option<&Value>,
    actions: &mut Vec<Value>,
    report: &mut Report,
) {
    let mut add = |members: &[(&str, &str)]| actions.push(Value::Object(texts(members)));
    let to = values(member(theirs, "notifyEmails")).into_iter();
    let to: Vec<&str> = to.filter_map(Value::as_str).collect();
    if !to.is_empty() {
        add(&[
            ("type", "email"),
            ("to", &to.join(", ")),
            ("subject", "New submission: [CF_FORM_TITLE]"),
            ("message", "[all:label]"),
        ]);
    }
    if is_on(theirs, "digestEnabled") {
        report.remark("digest", "settings", "");
    }
    let autoresponder = theirs
        .get("autoresponder")
        .filter(|member| member.is_object());
    if autoresponder.is_some() && address.is_none() {
        report.remark("mail_without_recipient", "autoresponder", "");
    }
    if let (Some(reply), Some(field)) = (autoresponder, address) {
        report.unknown_members(reply, "definitions/autoresponder", "autoresponder");
        add(&[
            ("type", "autoresponder"),
            ("email_field", text(field, "name")),
            ("subject", text(reply, "subject")),
            ("message", text(reply, "body")),
            ("content_type", "text/plain"),
        ]);
    }
    let url = text(theirs, "webhookUrl");
    if !url.is_empty() {
        add(&[("type", "webhook"), ("url", url)]);
    }
    for (name, value) in entries(theirs) {
        let is_set = is_on(theirs, name) || !values(value).is_empty();
        if is_set && counterpart("definitions.settings", name).is_none() {
            report.remark("unknown_setting", name, "");
        }
    }
    if text(theirs, "spamProtection") == "turnstile" {
        report.remark("check_off", "spamProtection", "");
    }
}

/// Converts a mail of Payload's form builder.
fn mail(theirs: &Value) -> Value {
    let fill = &mut |_: &str, template: &str| variables(template);
    let mut action = email_action(theirs, "definitions.email", fill);
    let message = variables(&plain(member(theirs, "message")));
    put_text(&mut action, "message", &message);
    Value::Object(action)
}
