//! Forms that plugins of content platforms keep as JSON: the definitions of EmDash's forms (`items`, or
//! `data.items`, of its route `forms/list`), and those of Payload's form builder (`docs` of `GET
//! /api/forms`, and within its submissions). Their submissions may be in the same file.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::submissions::{Origin, field_name};
use super::{Draft, Report, email_action, is_on, put, schema, text, values};

const EMDASH: &str = "emdash-forms";
const PAYLOAD: &str = "payload-form-builder";

/// How deep the documents of a file lie in its lists and answers.
const MAX_DEPTH: usize = 6;

/// Where the answers of the platforms' routes have their documents, and a file that joins several has
/// these answers.
const LISTS: [&str; 5] = ["data", "items", "docs", "forms", "submissions"];

/// The documents of a file.
#[derive(Default)]
pub struct Documents<'f> {
    /// The format of the first.
    pub format: &'static str,
    /// The forms, each once.
    pub forms: Vec<&'f Value>,
    /// The submissions.
    pub submissions: Vec<&'f Value>,
}

/// The documents of a file, wherever they lie in it; none where it is of another kind.
pub fn documents(file: &Value) -> Option<Documents<'_>> {
    let mut found = Documents::default();
    found.gather(file, MAX_DEPTH);
    let mut known = BTreeSet::new();
    found.forms.retain(|form| {
        let own = Origin::of(form);
        own.id.is_empty() || known.insert([own.id, own.created_at].join("\n"))
    });
    (!found.format.is_empty()).then_some(found)
}

impl<'f> Documents<'f> {
    fn gather(&mut self, value: &'f Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let is_list = |name: &str| value.get(name).is_some_and(Value::is_array);
        let is_of_payload = || {
            let mut fields = values(value.get("fields")).into_iter();
            is_list("fields") && fields.all(|own| own.get("blockType").is_some())
        };
        if let Value::Array(items) = value {
            items.iter().for_each(|item| self.gather(item, depth));
        } else if is_list("pages") {
            self.add(EMDASH, value, false);
        } else if is_list("submissionData") {
            let form = value.get("form").filter(|form| form.is_object());
            form.into_iter()
                .for_each(|form| self.add(PAYLOAD, form, false));
            self.add(PAYLOAD, value, true);
        } else if value.get("formId").is_some() && value.get("data").is_some_and(Value::is_object) {
            self.add(EMDASH, value, true);
        } else if is_of_payload() {
            self.add(PAYLOAD, value, false);
        } else {
            let lists = LISTS.iter().filter_map(|name| value.get(name));
            lists.for_each(|list| self.gather(list, depth));
        }
    }

    fn add(&mut self, format: &'static str, document: &'f Value, is_submission: bool) {
        if self.format.is_empty() {
            self.format = format;
        }
        if self.format == format && is_submission {
            self.submissions.push(document);
        } else if self.format == format {
            self.forms.push(document);
        }
    }
}

/// The draft of a form.
pub fn draft(form: &Value, report: &mut Report) -> Draft {
    let none = Value::Null;
    let theirs = form.get("settings").unwrap_or(&none);
    let title = [text(form, "name"), text(form, "title")].concat();
    report.begin(&title);
    let pages = match values(form.get("pages")) {
        pages if pages.is_empty() => vec![form],
        pages => pages,
    };
    let (mut fields, mut steps) = (Vec::new(), Vec::new());
    for page in &pages {
        let own: Vec<Value> = values(page.get("fields"))
            .into_iter()
            .filter_map(|own| field(own, fields.len(), report))
            .collect();
        let names = own.iter().map(|own| text(own, "name")).collect();
        steps.push((text(page, "title"), names));
        fields.extend(own);
    }
    let words = [text(theirs, "submitLabel"), text(form, "submitButtonLabel")].concat();
    let words = if words.is_empty() { "Submit" } else { &words };
    let mut settings = Map::new();
    let mut actions = mails(form);
    actions.extend(notifications(theirs, &fields, report));
    put(&mut settings, "actions", actions);
    let button = json!({"name": "submit_button", "type": "submit", "label": words});
    let schema = schema(fields, button, &steps, report);
    let redirect = form.pointer("/redirect/url").and_then(Value::as_str);
    let redirect = redirect.filter(|_| text(form, "confirmationType") == "redirect");
    let redirect = redirect.map_or_else(|| text(theirs, "redirectUrl"), str::to_owned);
    put(&mut settings, "redirect_url", redirect);
    if let Some(days) = theirs.get("retentionDays").filter(|days| days.is_u64()) {
        put(&mut settings, "retention_days", days.clone());
    }
    let confirmation = form.get("confirmationMessage").unwrap_or(&none);
    let thanks = [text(theirs, "confirmationMessage"), plain(confirmation)].concat();
    let mut messages = Map::new();
    if !thanks.trim().is_empty() {
        put(&mut messages, "success", thanks.trim());
    }
    let is_paused = text(form, "status") == "paused";
    Draft {
        title,
        slug: text(form, "slug"),
        schema: Some(schema),
        status: if is_paused { "closed" } else { "" }.to_owned(),
        from_schema: true,
        settings,
        messages,
        origin: Origin::of(form),
        ..Draft::default()
    }
}

/// A field of the schema; what has no counterpart is told.
fn field(theirs: &Value, at: usize, report: &mut Report) -> Option<Value> {
    let kind = [text(theirs, "type"), text(theirs, "blockType")].concat();
    let name = match text(theirs, "name") {
        name if name.is_empty() => format!("{kind}_{at}"),
        name => field_name(&name),
    };
    if !text(theirs, "name").is_empty() && name != text(theirs, "name") {
        let message = ["Its name is `", &name, "` here, also of its answers."].concat();
        report.note("renamed", &text(theirs, "name"), &message);
    }
    let own = match kind.as_str() {
        "checkbox-group" => "checkbox",
        "upload" => "file",
        "message" => "paragraph",
        "country" | "state" => "text",
        "text" | "email" | "textarea" | "number" | "tel" | "url" | "date" => &kind,
        "select" | "radio" | "checkbox" | "file" | "hidden" => &kind,
        _ => {
            let message = ["Fields of the type ", &kind, " have no counterpart."].concat();
            report.note("unknown_field", &name, &message);
            return None;
        }
    };
    if matches!(kind.as_str(), "country" | "state") {
        report.note("field_type", &name, "It is typed, not chosen.");
    }
    let label = match own {
        "paragraph" => plain(theirs.get("message").unwrap_or(&Value::Null)),
        _ => text(theirs, "label"),
    };
    let bounds = theirs.get("validation").unwrap_or(theirs);
    let mut validation = Map::new();
    for (their, ours) in [
        ("min", "min"),
        ("max", "max"),
        ("minLength", "min"),
        ("maxLength", "max"),
        ("maxFileSize", "max"),
        ("pattern", "pattern"),
    ] {
        if let Some(bound) = bounds.get(their).filter(|bound| !bound.is_null()) {
            put(&mut validation, ours, bound.clone());
        }
    }
    let types = values(theirs.get("mimeTypes"));
    let types: Vec<String> = types.iter().map(|own| text(own, "mimeType")).collect();
    let accept = [text(bounds, "accept"), types.join(",")].concat();
    let mut attributes = Map::new();
    if !accept.is_empty() {
        put(&mut attributes, "accept", accept);
    }
    if is_on(theirs, "multiple") {
        put(&mut attributes, "multiple", "");
    }
    let required = is_on(theirs, "required") && own != "hidden";
    let options = match kind.as_str() {
        "checkbox" => json!([{"value": "1", "label": label}]),
        _ => values(theirs.get("options"))
            .into_iter()
            .map(|own| json!({"value": text(own, "value"), "label": text(own, "label")}))
            .collect(),
    };
    let default = match theirs.get("defaultValue") {
        Some(Value::Bool(on)) => if *on { "1" } else { "" }.to_owned(),
        _ => text(theirs, "defaultValue"),
    };
    let mut made = json!({
        "name": name, "type": own, "label": label, "required": required,
        "placeholder": text(theirs, "placeholder"), "description": text(theirs, "helpText"),
        "validation": validation, "attributes": attributes, "options": options,
    });
    let members = made.as_object_mut()?;
    if !default.is_empty() && own != "file" {
        put(members, "default_value", default);
    }
    if let Some(condition) = theirs.get("condition").filter(|own| own.is_object()) {
        let operator = match text(condition, "op").as_str() {
            "neq" => "not_equals",
            "filled" => "is_not_empty",
            "empty" => "is_empty",
            _ => "equals",
        };
        let rule = json!({"field": field_name(&text(condition, "field")), "operator": operator, "value": text(condition, "value")});
        put(members, "conditions", vec![rule]);
    }
    Some(made)
}

/// What follows a submission by the settings of EmDash's forms.
fn notifications(theirs: &Value, fields: &[Value], report: &mut Report) -> Vec<Value> {
    let mut actions = Vec::new();
    let to: Vec<&str> = values(theirs.get("notifyEmails"))
        .into_iter()
        .filter_map(Value::as_str)
        .collect();
    if !to.is_empty() {
        let subject = "New submission: [CF_FORM_TITLE]".to_owned();
        let message = ("message", "[all:label]".to_owned());
        actions.push(email_action(&[
            ("to", to.join(", ")),
            ("subject", subject),
            message,
        ]));
    }
    if is_on(theirs, "digestEnabled") {
        report.note("digest", "settings", "A mail comes for each submission.");
    }
    let address = fields.iter().find(|field| text(field, "type") == "email");
    if let (Some(own), Some(field)) = (theirs.get("autoresponder"), address) {
        actions.push(json!({
            "type": "autoresponder", "email_field": text(field, "name"), "subject": text(own, "subject"),
            "message": text(own, "body"), "content_type": "text/plain",
        }));
    }
    let url = text(theirs, "webhookUrl");
    if !url.is_empty() {
        actions.push(json!({"type": "webhook", "url": url}));
    }
    if text(theirs, "spamProtection") == "turnstile" {
        let message = "Set the check up again: its keys are not in the file.";
        report.note("check_off", "spamProtection", message);
    }
    actions
}

/// The mails of a form of Payload's form builder.
fn mails(form: &Value) -> Vec<Value> {
    let mails = values(form.get("emails")).into_iter();
    let action = |mail: &Value| {
        let filled = |name: &str| variables(&text(mail, name));
        let message = plain(mail.get("message").unwrap_or(&Value::Null));
        email_action(&[
            ("to", filled("emailTo")),
            ("cc", filled("cc")),
            ("bcc", filled("bcc")),
            ("reply_to", filled("replyTo")),
            ("from", filled("emailFrom")),
            ("subject", filled("subject")),
            ("message", variables(&message)),
        ])
    };
    mails.map(action).collect()
}

/// A template with this engine's variables: `{{name}}` is an answer, `{{*}}` are all.
fn variables(template: &str) -> String {
    let all = template
        .replace("{{*:table}}", "[all:label]")
        .replace("{{*}}", "[all:label]");
    all.replace("{{", "[").replace("}}", "]")
}

/// The words of a document of Payload's editor, a line for each of its blocks.
fn plain(document: &Value) -> String {
    let children = |node: &Value| -> String {
        let own = values(node.get("children")).into_iter();
        own.map(plain).collect()
    };
    match document.get("root") {
        Some(root) => {
            let blocks = values(root.get("children")).into_iter();
            blocks.map(children).collect::<Vec<_>>().join("\n")
        }
        None => [text(document, "text"), children(document)].concat(),
    }
}
