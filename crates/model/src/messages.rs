//! A form's messages to its visitors (contract, section 2): texts by code.

use serde_json::{Map, Value};

use super::fault::{Fault, FaultCode};
use super::given::read_document;
use crate::ordered::Gather;

/// The longest message, in characters.
pub const MAX_MESSAGE_CHARS: usize = 2_000;

/// The most messages of one form.
pub const MAX_MESSAGES: usize = 200;

/// The messages that every form has, in English. `{label}` stands for the field's label, `{min}`
/// and `{max}` for its bounds; `{step}` for the step that is shown, `{steps}` for how many there are; `{title}` for the form's title.
pub const DEFAULT_MESSAGES: [(&str, &str); 33] = [
    ("success", "Thank you. Your message has been sent."),
    (
        "error",
        "Please check the marked fields and send the form again.",
    ),
    (
        "required_field_missing",
        "{label}: please fill in this field.",
    ),
    (
        "required_choice_missing",
        "{label}: please choose an option.",
    ),
    ("required_box_missing", "{label}: please tick this box."),
    (
        "invalid_email",
        "{label}: please enter an email address, such as name@example.com.",
    ),
    (
        "invalid_url",
        "{label}: please enter a web address, such as https://example.com.",
    ),
    ("invalid_number", "{label}: please enter a valid number."),
    (
        "invalid_date",
        "{label}: please enter a valid date or time.",
    ),
    (
        "invalid_option",
        "{label}: please choose one of the options.",
    ),
    (
        "invalid_pattern",
        "{label}: please use the requested format.",
    ),
    (
        "too_short",
        "{label}: please use at least {min} characters.",
    ),
    ("too_long", "{label}: please use at most {max} characters."),
    ("too_small", "{label}: the least allowed is {min}."),
    ("too_large", "{label}: the most allowed is {max}."),
    ("spam", "Your message could not be accepted."),
    (
        "captcha_required",
        "Please complete the check that a person sends this form. It needs JavaScript.",
    ),
    (
        "rate_limited",
        "You have sent this form too often. Please try again later.",
    ),
    (
        "submission_limit_reached",
        "This form no longer accepts submissions.",
    ),
    ("form_closed", "This form is closed."),
    ("form_not_open", "This form is not open yet."),
    ("require_user_logged_in", "Please sign in to use this form."),
    ("error_title", "Error: {title}"),
    ("sign_in", "Sign in"),
    ("send", "Send"),
    (
        "network_error",
        "The form could not be sent. Please try again.",
    ),
    ("next_step", "Next"),
    ("previous_step", "Back"),
    ("step_progress", "Step {step} of {steps}"),
    ("duplicate_submission", "You have already sent this form."),
    ("file_too_large", "{label}: the file is too large."),
    (
        "file_type_not_allowed",
        "{label}: this type of file is not allowed.",
    ),
    (
        "file_upload_error",
        "{label}: the file could not be uploaded. Please try again.",
    ),
];

/// The stored messages over the defaults. Keys that a plugin added are kept.
pub fn messages_over_defaults(stored: &Map<String, Value>) -> Map<String, Value> {
    let mut messages: Map<String, Value> = DEFAULT_MESSAGES
        .iter()
        .map(|(code, text)| ((*code).to_owned(), Value::from(*text)))
        .gather();
    for (code, text) in stored {
        messages.insert(code.clone(), text.clone());
    }
    messages
}

/// Checks the messages that a client wants to store: an object of strings, of at most
/// [`MAX_MESSAGE_CHARS`] characters each. Null stays: it takes a message back to its default.
pub fn check_messages(body: &Value) -> Result<Map<String, Value>, Vec<Fault>> {
    read_document(body, |given| {
        let messages = given.object();
        if messages.is_some_and(|messages| messages.len() > MAX_MESSAGES) {
            let message = format!("This may have at most {MAX_MESSAGES} messages.");
            given.fault(FaultCode::TooManyItems, message);
        }
        let codes = messages.into_iter().flat_map(Map::keys).take(MAX_MESSAGES);
        let read = codes.filter_map(|code| {
            let text = match given.member(code) {
                Some(own) => Value::from(own.text(MAX_MESSAGE_CHARS)?),
                None => Value::Null,
            };
            Some((code.clone(), text))
        });
        read.gather()
    })
}

/// The text of a message: the form's own, else the default, else (for a code that a plugin made
/// up) the general error.
pub fn message_text<'m>(messages: &'m Map<String, Value>, code: &str) -> &'m str {
    text_of(|code| messages.get(code).and_then(Value::as_str), code)
}

/// The same of messages that are looked up.
pub fn text_of<'m>(own: impl Fn(&str) -> Option<&'m str>, code: &str) -> &'m str {
    own(code)
        .or_else(|| default_text(code))
        .or_else(|| own("error"))
        .or_else(|| default_text("error"))
        .unwrap_or_default()
}

/// Whether the text of a message is what every form has.
pub fn is_default(messages: &Map<String, Value>, code: &str) -> bool {
    let own = messages.get(code).and_then(Value::as_str);
    own.is_none_or(|text| Some(text) == default_text(code))
}

fn default_text(code: &str) -> Option<&'static str> {
    DEFAULT_MESSAGES
        .iter()
        .find(|(known, _)| *known == code)
        .map(|(_, text)| *text)
}
