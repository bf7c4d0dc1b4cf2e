//! The email action.

use std::collections::BTreeMap;

use serde_json::Value;

use super::contract::{Report, Work};
use super::default_mail::{ALL_ANSWERS, frame};
use super::html_text::plain_template;
use super::http::{header_lines, is_free};
use super::mailbox::{MAX_RECIPIENTS, items, mailbox};
use crate::forms::Field;
use crate::json;
use crate::logic::template::Context as Place;
use crate::logic::validate::is_email_address;
use crate::markup::escape::escaped;
use crate::store::StoreError;
use crate::submissions::{StoredFile, ascii_address, file_links};
use crate::task::{Mail, MailAttachment, Port};
use model::field_kinds::AnswerShape;
use model::file_types::stored_type;
use model::unicode::case::lowercase;

/// Headers that settings may not set: the mailer writes them, or they would change the recipients or how the mail is
/// read.
const RESERVED_HEADERS: &str = "to subject date message-id mime-version sender return-path received dkim-signature \
     authentication-results x-original-to delivered-to errors-to auto-submitted content-* resent-*";

/// Limit on the bytes of a mail's attachments.
const MAX_ATTACHED_BYTES: u64 = 10 * 1024 * 1024;

/// The log message for a mail that lacks links to files.
const NO_LINKS: &str = "File links were left out because the site has no public URL.";

/// Sends a mail.
pub(super) async fn process(work: &Work) -> Report {
    let links = match links(work).await {
        Ok(links) => links,
        Err(error) => return Report::failed(error.to_string()),
    };
    // The cell is empty: only this function sets the links.
    let _ = work.file_links.set(links);
    match compose(work) {
        Ok((mut mail, left_out)) => {
            frame(work, &mut mail).await;
            send(work, mail, left_out, "auto-generated").await
        }
        Err(report) => report,
    }
}

/// Sends a mail. The report's message ends with `left_out`, which describes the settings that could not be used.
/// `automatic` is the value of `Auto-Submitted`, which keeps other autoresponders quiet (RFC 3834, section 5).
pub(super) async fn send(
    work: &Work,
    mut mail: Mail,
    left_out: Vec<String>,
    automatic: &str,
) -> Report {
    let name = "Auto-Submitted".to_owned();
    mail.headers.insert(name, automatic.to_owned());
    let output = json::value(&mail);
    if !work.cx.has(Port::Mail) {
        return Report::permanent_failure("This site has no mail server.").showing(output);
    }
    let recipients = [mail.to.as_slice(), &mail.cc, &mail.bcc]
        .concat()
        .join(", ");
    match work.cx.mail(mail).await {
        Ok(receipt) => {
            let is_kept = receipt.get("simulated") == Some(&Value::Bool(true));
            let done = if is_kept {
                "Kept in the outbox, not sent, for"
            } else {
                "Accepted by the mail server for"
            };
            let sentences = [&[format!("{done} {recipients}.")], left_out.as_slice()].concat();
            let output = json::with(output, json!({"response": receipt}));
            let report = Report::done(sentences.join(" ")).showing(output);
            Report { is_kept, ..report }
        }
        Err(error) => Report::of_fault(error).showing(output),
    }
}

/// Composes the mail, without the frame of the default message; also returns messages about settings that could not be
/// used.
pub(super) fn compose(work: &Work) -> Result<(Mail, Vec<String>), Report> {
    let mut left_out = Vec::new();
    let (headers, further) = headers(work, &mut left_out);
    let header = |name: &str| headers.get(name).map_or("", String::as_str);
    let (to, refused) = recipients(work, &[work.setting("to", "")]);
    if to.is_empty() {
        return Err(match refused.first() {
            Some(text) => Report::permanent_failure(not_an_address(text)),
            None => Report::skipped("No recipient is set."),
        });
    }
    let (cc, no_cc) = recipients(work, &[work.setting("cc", ""), header("cc")]);
    let (bcc, no_bcc) = recipients(work, &[work.setting("bcc", ""), header("bcc")]);
    let refused = [refused, no_cc, no_bcc].concat();
    left_out.extend(refused.iter().map(|text| not_an_address(text)));
    if to.len() + cc.len() + bcc.len() > MAX_RECIPIENTS {
        let message = format!("There are more than {MAX_RECIPIENTS} recipients.");
        return Err(Report::permanent_failure(message));
    }
    let from = first_mailbox(work, &[work.setting("from", ""), header("from")])
        .map_err(|text| Report::permanent_failure(not_an_address(&text)))?;
    let reply_to = match work.setting("reply_to", header("reply-to")) {
        "" => only_email(work),
        _ => reply_to(work, header("reply-to"), &mut left_out),
    };
    let (mut text, mut html) = bodies(work, ALL_ANSWERS);
    let (attachments, over) = attachments(work);
    if !over.is_empty() {
        name_files_left_out(work, &over, &mut text, &mut html);
        left_out.push(format!(
            "Not attached, because the files exceed 10 MB in total: {}.",
            Vec::from_iter(over.iter().map(|file| &*file.filename)).join(", ")
        ));
    }
    if lacks_links(work) {
        left_out.push(NO_LINKS.to_owned());
    }
    let mail = Mail {
        from: from.unwrap_or_else(|| {
            ascii_address(&work.cx.shared().configuration().mail_from).into_owned()
        }),
        to,
        cc,
        bcc,
        reply_to,
        subject: subject(work, work.form.word("mail_subject")),
        text,
        html,
        headers: further,
        message_id: message_id(work),
        attachments,
    };
    Ok((mail, left_out))
}

/// The URLs of the submission's files, each with the name of its field.
async fn links(work: &Work) -> Result<Vec<(String, String)>, StoreError> {
    let days = work.form.settings().file_link_days;
    let links = file_links(&work.cx, &work.submission, days).await?;
    let fields = work.submission.files.iter().map(|file| file.field.clone());
    Ok(fields.zip(links).collect())
}

/// Whether the mail lacks links to files because the site has no public URL.
fn lacks_links(work: &Work) -> bool {
    let is_wanted = || {
        let message = lowercase(work.setting("message", ""));
        let mut files = work.submission.files.iter();
        files.any(|file| message.contains(&[&lowercase(&file.field), ".url"].concat()))
    };
    work.cx.shared().public_url().is_empty()
        && work.form.settings().file_link_days > 0
        && is_wanted()
}

/// Selects the files of the fields that the setting `attachments` names, as a list or a comma-separated text. Returns
/// the files within the size limit, and the others.
fn attachments(work: &Work) -> (Vec<MailAttachment>, Vec<&StoredFile>) {
    let names: Vec<&str> = match work.settings.get("attachments") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(names)) => names.split(',').collect(),
        _ => Vec::new(),
    };
    let (mut attached, mut over) = (Vec::new(), Vec::new());
    let mut left = MAX_ATTACHED_BYTES;
    for file in &work.submission.files {
        let is_field = |name: &&str| name.trim().eq_ignore_ascii_case(&file.field);
        if !names.iter().any(is_field) {
            continue;
        }
        match left.checked_sub(file.size) {
            Some(less) => {
                left = less;
                attached.push(MailAttachment {
                    filename: file.filename.clone(),
                    content_type: stored_type(&file.filename, None).to_owned(),
                    size: file.size,
                    key: file.key.clone(),
                });
            }
            None => over.push(file),
        }
    }
    (attached, over)
}

/// Adds the names and links of files that were not attached, to both texts of the mail.
fn name_files_left_out(
    work: &Work,
    over: &[&StoredFile],
    text: &mut String,
    html: &mut Option<String>,
) {
    let links = work.file_links.get().map_or(&[][..], Vec::as_slice);
    let files = work.submission.files.iter();
    let left_out = files.enumerate().filter(|(_, file)| over.contains(file));
    for (place, file) in left_out {
        let link = links.get(place).map_or("", |(_, link)| link.as_str());
        let line = format!("Not attached: {} {link}", file.filename);
        let line = line.trim_end();
        text.push_str(&format!("\n\n{line}"));
        if let Some(html) = html {
            html.push_str(&format!("\n<p>{}</p>", escaped(line)));
        }
    }
}

fn not_an_address(text: &str) -> String {
    let shown: String = text.chars().take(100).collect();
    format!("“{shown}” is not an email address.")
}

/// The subject, on one line.
pub(super) fn subject(work: &Work, default: &str) -> String {
    let subject = work.render(work.setting("subject", default), Place::Header);
    subject.chars().take(900).collect()
}

/// The plain text, and the HTML if the mail has any.
pub(super) fn bodies(work: &Work, default: &str) -> (String, Option<String>) {
    let template = work.setting("message", default);
    if work.setting("content_type", "text/html") == "text/plain" {
        return (work.render(template, Place::Text), None);
    }
    let is_html = template.contains('<');
    let (html, text) = if is_html {
        (template.to_owned(), plain_template(template))
    } else {
        (template.replace('\n', "<br>\n"), template.to_owned())
    };
    let html = work.render(&html, Place::Html);
    (work.render(&text, Place::Text), Some(html))
}

/// The mail's Message-ID, which all attempts of a queue entry share (RFC 5322, section 3.6.4).
pub(super) fn message_id(work: &Work) -> String {
    let public_url = work.cx.shared().public_url();
    let url = match &*public_url {
        "" => &work.cx.shared().configuration().base_url,
        public => public,
    };
    let host = url.split("//").nth(1).unwrap_or(url);
    let host = host.split(['/', ':']).next().unwrap_or("localhost");
    format!("<{}@{host}>", work.idempotency_key)
}

/// Parses lists of recipients. Returns the distinct recipients, and the entries that are not email addresses.
fn recipients(work: &Work, lists: &[&str]) -> (Vec<String>, Vec<String>) {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    for item in lists.iter().flat_map(|list| items(list)) {
        match mailbox(item, |text| work.render(text, Place::Header)) {
            Ok(mailbox) => found.extend(mailbox.filter(|mailbox| !found.contains(mailbox))),
            Err(text) => refused.push(text),
        }
    }
    (found, refused)
}

/// Renders the templates up to the first that yields a mailbox; `Err` contains a text that is not an address.
pub(super) fn first_mailbox(work: &Work, templates: &[&str]) -> Result<Option<String>, String> {
    for template in templates.iter().filter(|template| !template.is_empty()) {
        let found = mailbox(template, |text| work.render(text, Place::Header))?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The `Reply-To` address of the setting, else of a header in the settings. A text that is not an address is left out.
pub(super) fn reply_to(work: &Work, header: &str, left_out: &mut Vec<String>) -> String {
    let found = first_mailbox(work, &[work.setting("reply_to", ""), header]);
    let found = found.unwrap_or_else(|text| {
        left_out.push(not_an_address(&text));
        None
    });
    found.unwrap_or_default()
}

/// The answer of the email field, if the form has exactly one and its answer is an address.
fn only_email(work: &Work) -> String {
    let further = work.form.settings().email_fields;
    let is_email =
        |field: &&Field| field.shape() == AnswerShape::Email || further.contains(&field.name);
    let mut fields = work.schema.answer_fields().filter(is_email);
    let (Some(field), None) = (fields.next(), fields.next()) else {
        return String::new();
    };
    let answer = work.data.get(&field.name).and_then(Value::as_str);
    let address = answer.unwrap_or_default().trim();
    if is_email_address(address) {
        ascii_address(address).into_owned()
    } else {
        String::new()
    }
}

/// Reads the setting `headers`. Returns the templates of headers with addresses, and the other headers with answers
/// filled in. Lines are split before answers are filled in, so that an answer cannot inject a header.
fn headers(
    work: &Work,
    left_out: &mut Vec<String>,
) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let (mut addresses, mut further) = (BTreeMap::new(), BTreeMap::new());
    for (name, value) in header_lines(work.setting("headers", "")) {
        let lower = name.to_ascii_lowercase();
        if ["from", "reply-to", "cc", "bcc"].contains(&lower.as_str()) {
            addresses.insert(lower, value.to_owned());
        } else if is_free(&lower, RESERVED_HEADERS) {
            further.insert(name.to_owned(), work.render(value, Place::Header));
        } else {
            left_out.push(format!("The header {lower} can’t be set."));
        }
    }
    (addresses, further)
}
