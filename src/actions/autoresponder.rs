//! The autoresponder: a mail to the visitor who sent the form.

use std::collections::BTreeMap;

use serde_json::Value;

use super::contract::{Report, Work};
use super::email::{Composed, bodies, message_id, one, send, subject};
use super::mailbox::is_address;
use crate::task::Mail;

/// It answers somebody (RFC 3834, section 5).
const AUTOMATIC: (&str, &str) = ("Auto-Submitted", "auto-replied");

/// Answers the visitor. Without an address of the visitor's there is nothing to do.
pub(super) async fn process(work: &Work) -> Report {
    let field = work.setting("email_field", "email");
    let address = work
        .data
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim();
    if !is_address(address) {
        return Report::skipped(format!("The answer of {field} is no email address."));
    }
    let from = sender(work);
    let mut left_out = Vec::new();
    let reply_to = one(work, &[work.setting("reply_to", "")]).unwrap_or_else(|text| {
        left_out.push(format!("“{text}” is not an email address."));
        None
    });
    let (text, html) = bodies(work, "Thank you. This is what you sent:\n\n[all:label]");
    let mail = Mail {
        from,
        to: vec![address.to_owned()],
        cc: Vec::new(),
        bcc: Vec::new(),
        reply_to: reply_to.unwrap_or_default(),
        subject: subject(work, "Thank you for your message"),
        text,
        html,
        headers: BTreeMap::new(),
        message_id: message_id(work),
        attachments: Vec::new(),
    };
    send(work, Composed { mail, left_out }, AUTOMATIC).await
}

/// The sender of the settings; the site's own when they name none that is an address.
fn sender(work: &Work) -> String {
    let site = work.cx.shared().configuration().mail_from.as_str();
    let address = work.setting("from_email", site);
    let name = work.setting("from_name", "").replace(['<', '>'], "");
    let template = format!("{name} <{address}>");
    let from = one(work, &[template.as_str()]).ok().flatten();
    from.unwrap_or_else(|| site.to_owned())
}
