//! Contact Form 7: posts of the type `wpcf7_contact_form`. The form is in the meta `_form`, mails in `_mail` and
//! `_mail_2`, messages in `_messages`. All but the form are serialized by PHP.

use markup::escape;
use model::check::MAX_NAME_CHARS;
use serde_json::Value;

use super::cf7_paragraphs::with_paragraphs;
use super::values::{
    counterpart, email_action, entries, is_on, member, put, put_text, shortened, table, text,
};
use super::{Draft, Report, cf7_tags, php};

/// Converts a post to the draft of a form.
pub fn draft(post: &Value, site: &Value, report: &mut Report) -> Draft {
    let mut draft = Draft::of_post(post, report);
    let meta = member(post, "meta");
    let form = match text(meta, "_form") {
        "" => text(post, "content")
            .split("\n1\n")
            .next()
            .unwrap_or_default(),
        form => form,
    };
    draft.markup = cf7_tags::to_html(form, report);
    report.unknown_meta(meta, "contact_form_7/meta");
    let mut actions = Vec::new();
    for key in ["_mail", "_mail_2"] {
        let mail = php::unserialize(text(meta, key)).unwrap_or_default();
        // `_mail` has no member `active`: it is always sent.
        let is_active = mail.get("active").is_none() || is_on(&mail, "active");
        if !text(&mail, "recipient").is_empty() && is_active {
            actions.push(action(&mail, site, key, report));
        } else if mail.is_object() && key == "_mail" {
            report.remark("mail_without_recipient", key, "");
        }
    }
    let mut sends_mails = true;
    for line in text(meta, "_additional_settings").lines().map(str::trim) {
        let (name, value) = line.split_once(':').unwrap_or_default();
        match (name.trim(), value.trim()) {
            ("subscribers_only", "true" | "on") => {
                put(&mut draft.settings, "require_user_logged_in", true.into());
            }
            ("skip_mail", "true" | "on" | "1") => sends_mails = false,
            _ if line.is_empty() || line.starts_with('#') => {}
            _ => report.remark("unknown_setting", line, ""),
        }
    }
    if !sends_mails && !actions.is_empty() {
        actions.clear();
        report.remark("skip_mail", "_additional_settings", "");
    }
    put(&mut draft.settings, "actions", Value::Array(actions));
    let messages = php::unserialize(text(meta, "_messages")).unwrap_or_default();
    for (name, words) in entries(&messages) {
        let words = words.as_str().unwrap_or_default();
        match counterpart("contact_form_7.messages", name) {
            Some(code) => put_text(&mut draft.messages, code, words),
            None if words.is_empty() => {}
            None => report.remark("unknown_message", name, ""),
        }
    }
    draft
}

fn action(mail: &Value, site: &Value, key: &str, report: &mut Report) -> Value {
    report.unknown_members(mail, "contact_form_7/mail", key);
    let is_html = is_on(mail, "use_html");
    let mut action = email_action(mail, "contact_form_7.email", &mut |name, template| {
        let context = match name {
            "subject" => Context::Text,
            "message" if is_html => Context::Html,
            "message" => Context::Text,
            _ => Context::Addresses,
        };
        let template = with_site(template, site, context);
        let template = with_variables(&template, key, report);
        if context == Context::Html && !is_document(&template) {
            with_paragraphs(&template)
        } else {
            template
        }
    });
    let headers = action.remove("headers").unwrap_or_default();
    let mut others = Vec::new();
    let lines = headers.as_str().unwrap_or_default().lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let name = name.trim().to_ascii_lowercase();
        match name.as_str() {
            "reply-to" => put_text(&mut action, "reply_to", value.trim()),
            "cc" | "bcc" => put_text(&mut action, &name, value.trim()),
            _ => others.push(line),
        }
    }
    put_text(&mut action, "headers", &others.join("\n"));
    let content_type = if is_html { "text/html" } else { "text/plain" };
    put_text(&mut action, "content_type", content_type);
    if is_on(mail, "exclude_blank") {
        report.remark("exclude_blank", key, "");
    }
    if !text(mail, "attachments").trim().is_empty() {
        report.remark("attachments", key, "");
    }
    Value::Object(action)
}

/// Whether an HTML mail is a whole document, whose author wrote the paragraphs.
fn is_document(body: &str) -> bool {
    let body = body.to_ascii_lowercase();
    let mut tags = body.split("<html").skip(1);
    tags.any(|rest| rest.starts_with(|next: char| next == '>' || next.is_ascii_whitespace()))
}

/// The syntax of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Text,
    Html,
    /// A list of mailboxes, or headers that contain one.
    Addresses,
}

/// Maximum replacements of each site tag in a template. Further uses stay and are reported as unknown variables.
const MAX_SITE_TAGS: usize = 20;

/// Replaces a template's site tags with the old site's title, description and address, because the engine has no such
/// variables.
fn with_site(template: &str, site: &Value, context: Context) -> String {
    let tags = [
        ("[_site_title]", "title"),
        ("[_site_description]", "description"),
        ("[_site_url]", "link"),
    ];
    let mut filled = template.to_owned();
    for (tag, member) in tags {
        let words = text(site, member);
        if !words.is_empty() {
            filled = filled.replacen(tag, &as_plain_words(words, context), MAX_SITE_TAGS);
        }
    }
    filled
}

/// Escapes a text for a template, so that no part of it acts as a variable, a tag or the end of a mailbox.
fn as_plain_words(text: &str, context: Context) -> String {
    let plain = |c: char| match c {
        '[' | '{' => '(',
        ']' | '}' => ')',
        ',' | ';' | '<' | '>' | '"' if context == Context::Addresses => ' ',
        c if c.is_control() => ' ',
        c => c,
    };
    let words: String = text.chars().map(plain).collect();
    if context != Context::Html {
        return words;
    }
    let mut escaped = String::with_capacity(words.len());
    escape::text(&mut escaped, &words);
    escaped
}

/// Replaces the plugin's variables with this engine's variables. The variables of fields have the same syntax in both.
/// The old administrator's address is removed: the engine then sends from its own address, and reports a mail without
/// a recipient as incomplete.
fn with_variables(template: &str, place: &str, report: &mut Report) -> String {
    let mut converted = template.to_owned();
    for (theirs, ours) in table("contact_form_7.mail_tags") {
        converted = converted.replace(theirs, ours);
    }
    for at in converted.split("[_").skip(1) {
        let name = shortened(at.split(']').next().unwrap_or_default(), MAX_NAME_CHARS);
        let about = ["[_", name, "]"].concat();
        report.remark("unknown_variable/mail", place, &about);
    }
    converted
}
