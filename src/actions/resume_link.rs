//! The mail with the link to saved answers. It is no action of a form: the visitor asks for it, and its entry belongs to
//! no submission. It has the form's title, the link and its end, and no word of the visitor.

use serde_json::Value;

use super::autoresponder::sender;
use super::contract::{Report, Verdict, Work};
use super::email::{message_id, send};
use crate::json;
use crate::task::Mail;

/// The type of its entries.
pub const RESUME_LINK: &str = "resume_link";

/// The setting with the mail, sealed: its recipient, subject and text.
pub const MAIL: &str = "resume_token";

/// Sends the mail. The report does not name the address or the link.
pub(super) async fn process(work: &Work) -> Report {
    let sealed: Value = json::read(work.setting(MAIL, "").as_bytes()).unwrap_or_default();
    let part = |name: &str| sealed.get(name).and_then(Value::as_str).unwrap_or_default();
    let (to, shown) = (part("to"), work.setting("to", ""));
    let mail = Mail {
        from: sender(work),
        to: vec![to.to_owned()],
        subject: part("subject").to_owned(),
        text: part("text").to_owned(),
        message_id: message_id(work),
        ..Mail::default()
    };
    let report = send(work, mail, Vec::new(), "auto-generated").await;
    let message = match report.verdict {
        Verdict::Done => format!("Sent to {shown}."),
        _ => report.message.replace(to, shown),
    };
    Report {
        message,
        output: Value::Null,
        ..report
    }
}
