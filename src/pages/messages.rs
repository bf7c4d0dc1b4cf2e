//! Messages to visitors above a form.

use crate::markup::escape::escaped;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// The answers were accepted.
    Success,
    /// An explanation, such as the reason why the form is closed, or the saved answers that it no longer accepts.
    Notice,
    /// An error.
    Error,
}

/// A message to the visitor.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The kind, which determines the message's look.
    pub kind: MessageKind,
    /// The text.
    pub text: &'a str,
}

/// Renders the container of messages, with an optional message.
pub fn messages(html: &mut String, message: Option<Message<'_>>) {
    html.push_str("<div class=\"cf-messages\" role=\"status\" aria-live=\"polite\">");
    if let Some(message) = message {
        let kind = match message.kind {
            MessageKind::Success => " cf-message-success",
            MessageKind::Notice => "",
            MessageKind::Error => " cf-message-error",
        };
        let text = escaped(message.text);
        html.push_str(&format!("<p class=\"cf-message{kind}\">{text}</p>"));
    }
    html.push_str("</div>\n");
}
