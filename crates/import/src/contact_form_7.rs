//! Contact Form 7: posts of the type `wpcf7_contact_form`. The form is in the meta `_form`, mails in
//! `_mail` and `_mail_2`, messages in `_messages`, all but the first serialized.

use serde_json::{Map, Value};

use super::cf7_paragraphs::with_paragraphs;
use super::wxr::{Post, Site};
use super::{Draft, Report, cf7_tags, counterpart, email_action, is_on, php, put, text};
use markup::escape;

/// The messages that mean the same here.
const MESSAGES: [(&str, &str); 15] = [
    ("mail_sent_ok", "success"),
    ("validation_error", "error"),
    ("spam", "spam"),
    ("invalid_required", "required_field_missing"),
    ("invalid_too_long", "too_long"),
    ("invalid_too_short", "too_short"),
    ("upload_failed", "file_upload_error"),
    ("upload_file_type_invalid", "file_type_not_allowed"),
    ("upload_file_too_large", "file_too_large"),
    ("invalid_date", "invalid_date"),
    ("invalid_number", "invalid_number"),
    ("number_too_small", "too_small"),
    ("number_too_large", "too_large"),
    ("invalid_email", "invalid_email"),
    ("invalid_url", "invalid_url"),
];

/// The mail-tags that stand for something of the submission.
const MAIL_TAGS: [(&str, &str); 7] = [
    ("[_remote_ip]", "[CF_IP_ADDRESS]"),
    ("[_user_agent]", "[CF_USER_AGENT]"),
    ("[_url]", "[CF_REFERRER_URL]"),
    ("[_serial_number]", "[CF_SUBMISSION_ID]"),
    ("[_date]", "[CF_TIMESTAMP]"),
    ("[_time]", ""),
    // A mail without a sender is the site's own; one without a recipient is told as incomplete.
    ("[_site_admin_email]", ""),
];

/// The form of a post.
pub fn draft(post: &Post, site: &Site, report: &mut Report) -> Draft {
    report.begin(&post.title);
    let form = match post.meta("_form") {
        "" => post.content.split("\n1\n").next().unwrap_or_default(),
        form => form,
    };
    let markup = cf7_tags::to_html(form, report);
    let mut settings = Map::new();
    let mut actions = Vec::new();
    for key in ["_mail", "_mail_2"] {
        let mail = php::unserialize(post.meta(key)).unwrap_or(Value::Null);
        // The first mail has no switch.
        let is_active = mail.get("active").is_none() || is_on(&mail, "active");
        if !text(&mail, "recipient").is_empty() && is_active {
            actions.push(action(&mail, site, key, report));
        } else if mail.is_object() && key == "_mail" {
            let message = "The mail has no recipient and is left out.";
            report.note("mail_without_recipient", key, message);
        }
    }
    let additional = post.meta("_additional_settings");
    let mut sends_mails = true;
    for line in additional.lines().map(str::trim) {
        let (name, value) = line.split_once(':').unwrap_or_default();
        match (name.trim(), value.trim()) {
            ("subscribers_only", "true" | "on") => {
                put(&mut settings, "require_user_logged_in", true);
            }
            ("skip_mail", "true" | "on" | "1") => sends_mails = false,
            _ if line.is_empty() || line.starts_with('#') => {}
            _ => report.note("unknown_setting", line, "The setting has no counterpart."),
        }
    }
    if !sends_mails && !actions.is_empty() {
        actions.clear();
        let message = "The form sends no mails; they are left out.";
        report.note("skip_mail", "_additional_settings", message);
    }
    put(&mut settings, "actions", actions);
    Draft {
        title: post.title.clone(),
        slug: post.slug.clone(),
        markup,
        settings,
        messages: messages(post, report),
        ..Draft::default()
    }
}

fn messages(post: &Post, report: &mut Report) -> Map<String, Value> {
    let stored = php::unserialize(post.meta("_messages")).unwrap_or(Value::Null);
    let mut own = Map::new();
    for (theirs, words) in stored.as_object().into_iter().flatten() {
        match (counterpart(&MESSAGES, theirs), words.as_str()) {
            (_, None | Some("")) => {}
            (Some(ours), Some(words)) => put(&mut own, ours, words),
            (None, Some(_)) => {
                let message = "The message has no counterpart.";
                report.note("unknown_message", theirs, message);
            }
        }
    }
    own
}

fn action(mail: &Value, site: &Site, key: &str, report: &mut Report) -> Value {
    let mut read = |name: &str, context: Context| {
        let template = with_site(&text(mail, name), site, context);
        with_variables(&template, key, report)
    };
    let is_html = is_on(mail, "use_html");
    let (context, content_type) = if is_html {
        (Context::Html, "text/html")
    } else {
        (Context::Text, "text/plain")
    };
    let message = match read("body", context) {
        body if is_html && !is_document(&body) => with_paragraphs(&body),
        body => body,
    };
    let mut settings = vec![
        ("to", read("recipient", Context::Addresses)),
        ("from", read("sender", Context::Addresses)),
        ("subject", read("subject", Context::Text)),
        ("message", message),
    ];
    let headers = read("additional_headers", Context::Addresses);
    let mut others = Vec::new();
    let headers = headers.lines().map(str::trim);
    for line in headers.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "reply-to" => settings.push(("reply_to", value.trim().to_owned())),
            "cc" => settings.push(("cc", value.trim().to_owned())),
            "bcc" => settings.push(("bcc", value.trim().to_owned())),
            _ => others.push(line),
        }
    }
    settings.push(("headers", others.join("\n")));
    settings.push(("content_type", content_type.to_owned()));
    if is_on(mail, "exclude_blank") {
        let message = "Lines of the mail whose answers are empty stay.";
        report.note("exclude_blank", key, message);
    }
    if !text(mail, "attachments").trim().is_empty() {
        let message = "Files are not attached to mails; they are kept with the submission.";
        report.note("attachments", key, message);
    }
    email_action(&settings)
}

/// Whether a mail in HTML is a whole document, which has its paragraphs already.
fn is_document(body: &str) -> bool {
    let body = body.to_ascii_lowercase();
    let mut tags = body.split("<html").skip(1);
    tags.any(|rest| rest.starts_with(|next: char| next == '>' || next.is_ascii_whitespace()))
}

/// What a template is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Text,
    Html,
    /// Mailboxes, or headers that hold some.
    Addresses,
}

/// How often one template names the old site by each tag; further ones stay, and are told as others are.
const MAX_SITE_TAGS: usize = 20;

/// A template with what the file says about the old site in place of its mail-tags: the engine has no
/// variables for a site.
fn with_site(template: &str, site: &Site, context: Context) -> String {
    let tags = [
        ("[_site_title]", &site.title),
        ("[_site_description]", &site.description),
        ("[_site_url]", &site.url),
    ];
    let mut own = template.to_owned();
    for (tag, text) in tags.into_iter().filter(|(_, text)| !text.is_empty()) {
        own = own.replacen(tag, &as_plain_words(text, context), MAX_SITE_TAGS);
    }
    own
}

/// A text as part of a template, of which no piece is a variable, a tag or an end of a mailbox.
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

/// A template with this engine's variables. Names of fields are written alike.
fn with_variables(template: &str, place: &str, report: &mut Report) -> String {
    let mut own = template.to_owned();
    for (theirs, ours) in MAIL_TAGS {
        own = own.replace(theirs, ours);
    }
    for at in own.split("[_").skip(1) {
        let name: String = at.chars().take_while(|c| *c != ']').take(100).collect();
        let message = ["[_", &name, "] becomes nothing."].concat();
        report.note("unknown_variable", place, &message);
    }
    own
}
