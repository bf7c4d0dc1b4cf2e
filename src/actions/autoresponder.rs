//! The autoresponder: a mail to the visitor who sent the form.

use std::net::IpAddr;

use serde_json::Value;

use super::contract::{Report, Verdict, Work};
use super::email::{bodies, first_mailbox, message_id, reply_to, send, subject};
use crate::logic::validate::is_email_address;
use crate::security::{counted_address, may_be_a_proxy};
use crate::store::{StoreError, rate_limits};
use crate::submissions::{ascii_address, folded_address};
use crate::task::Mail;
use model::unicode::case::lowercase;

/// Limit on the mails per hour from one form to one email address.
const MAX_PER_RECIPIENT: i64 = 3;

/// Limit on the mails per hour for submissions from one IP address, over all forms.
const MAX_PER_VISITOR: i64 = 20;

/// The value of `Auto-Submitted` for an automatic reply (RFC 3834, section 5).
const AUTOMATIC: &str = "auto-replied";

/// Mails the visitor who sent the form. Without the visitor's email address the action is skipped.
pub(super) async fn process(work: &Work) -> Report {
    let (address, mail, left_out) = match compose(work) {
        Ok(composed) => composed,
        Err(report) => return report,
    };
    let (buckets, over) = match counted(work, address).await {
        Ok(counted) => counted,
        Err(error) => return Report::failed(error.to_string()),
    };
    if let Some(message) = over {
        return Report::skipped(message);
    }
    let report = send(work, mail, left_out, AUTOMATIC).await;
    if report.verdict != Verdict::Done {
        // A mail that was not sent does not count. If the count cannot be lowered, it expires with its hour.
        rate_limits::count(&work.cx, &buckets, -1).await.ok();
    }
    report
}

/// Composes the mail; also returns the visitor's email address, and messages about settings that could not be used.
pub(super) fn compose(work: &Work) -> Result<(&str, Mail, Vec<String>), Report> {
    let field = work.setting("email_field", "email");
    let address = work.data.get(field).and_then(Value::as_str);
    let address = address.unwrap_or_default().trim();
    if !is_email_address(address) {
        let message = format!("The answer in {field} is not an email address.");
        return Err(Report::skipped(message));
    }
    let mut left_out = Vec::new();
    let copy = format!("{}\n\n[all:label]", work.form.word("mail_copy"));
    let (text, html) = bodies(work, &copy);
    let mail = Mail {
        from: sender(work),
        to: vec![ascii_address(address).into_owned()],
        reply_to: reply_to(work, "", &mut left_out),
        subject: subject(work, work.form.word("mail_copy_subject")),
        text,
        html,
        message_id: message_id(work),
        ..Mail::default()
    };
    Ok((address, mail, left_out))
}

/// Counts a mail towards the rate limits, which prevent spamming. Returns the counted buckets, and a message if a limit
/// is exceeded. The limit per recipient also applies to tests. The limit per visitor does not apply to an IP address
/// that may be a proxy's, since many visitors share it.
async fn counted(
    work: &Work,
    recipient: &str,
) -> Result<(Vec<(i64, String)>, Option<String>), StoreError> {
    let signer = crate::store::signer(&work.cx).await?;
    let (mut buckets, mut limits) = (Vec::new(), Vec::new());
    let visitor = work.submission.ip_address.as_str();
    let forwarded_for_is_read = work.cx.shared().configuration().forwarded_for_is_read;
    if visitor.parse::<IpAddr>().is_ok() && !may_be_a_proxy(visitor, forwarded_for_is_read) {
        let hash = signer.hash("answered visitor", &counted_address(visitor));
        buckets.push((0, format!("answers:{hash}")));
        limits.push((MAX_PER_VISITOR, "The visitor's address"));
    }
    let recipient = folded_address(recipient).unwrap_or_else(|| lowercase(recipient));
    let hash = signer.hash("answered address", &recipient);
    buckets.push((work.form.id, format!("answers:{hash}")));
    limits.push((MAX_PER_RECIPIENT, "This recipient"));
    let counts = rate_limits::count(&work.cx, &buckets, 1).await?;
    let mut counted = limits.into_iter().zip(counts);
    let over = counted.find(|((limit, _), count)| count > limit);
    let message = over.map(|((limit, subject), _)| {
        format!("{subject} had {limit} automatic answers in the last hour.")
    });
    Ok((buckets, message))
}

/// The sender in the settings, or the site's sender if the settings contain no valid address.
pub(super) fn sender(work: &Work) -> String {
    let site = ascii_address(&work.cx.shared().configuration().mail_from).into_owned();
    let address = work.setting("from_email", &site);
    let name = work.setting("from_name", "").replace(['<', '>'], "");
    let template = format!("{name} <{address}>");
    let from = first_mailbox(work, &[template.as_str()]).ok().flatten();
    from.unwrap_or(site)
}
