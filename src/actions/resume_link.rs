//! The mail with the link to saved progress. The mail is not an action of the form: the visitor requests it, and its
//! queue entry belongs to no submission. The mail contains the form's title, the link and the link's expiry, and no
//! text of the visitor.

use serde_json::Value;

use super::autoresponder::sender;
use super::contract::{Report, Verdict, Work};
use super::email::{message_id, send};
use crate::json;
use crate::task::Mail;

/// The action type of the mail's queue entries.
pub const RESUME_LINK: &str = "resume_link";

/// The setting that contains the mail's recipient, subject and text, encrypted. The name ends with `token`, so that the
/// queue treats the value as a secret.
pub const MAIL: &str = "resume_token";

/// Sends the mail. The report does not contain the email address or the link.
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
