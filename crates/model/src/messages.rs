//! Texts for visitors by key: the messages of a form (contract, section 2) and the words that rendering adds. English
//! is compiled in; the host hands over the other languages of `visitor/languages`.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::fault::{Fault, FaultCode};
use super::given::read_document;
use crate::ordered::Gather;

/// The longest message, in characters.
pub const MAX_MESSAGE_CHARS: usize = 2_000;

/// The maximum number of messages of one form.
pub const MAX_MESSAGES: usize = 200;

/// Keys of the texts that a form does not list among its messages: the words that rendering adds, such as the labels of
/// the parts of an address, and the faults of the site.
pub const WORDS: [&str; 158] = [
    "part_first",
    "part_last",
    "part_street",
    "part_street2",
    "part_city",
    "part_state",
    "part_postal_code",
    "part_country",
    "part_day",
    "part_month",
    "part_year",
    "submit",
    "yes",
    "no",
    "leave_empty",
    "row_add",
    "row_remove",
    "row_removed",
    "row_undo",
    "send_another",
    "print",
    "save_later",
    "save_auto",
    "saved_title",
    "saved_link",
    "saved_copy",
    "saved_copied",
    "saved_mail",
    "saved_mail_address",
    "saved_mail_sent",
    "saved_delete",
    "saved_found",
    "saved_not_found",
    "saved_elsewhere",
    "saved_load",
    "saved_keep",
    "saved_changed",
    "saved_done",
    "saving_off",
    "too_much_to_save",
    "saved_mail_subject",
    "saved_mail_text",
    "saved_deleted",
    "mail_off",
    "seats_left",
    "seats_none",
    "review_title",
    "review_change",
    "size_mb",
    "size_kb",
    "size_bytes",
    "type_image",
    "type_audio",
    "type_video",
    "body_too_slow",
    "draft_title",
    "failed_title",
    "file_link_expired",
    "form_not_found",
    "invalid_body",
    "mail_copy",
    "mail_copy_subject",
    "mail_subject",
    "not_found_title",
    "origin_not_allowed",
    "rest_payload_too_large",
    "site_busy",
    "site_failed",
    "too_many_fields",
    "too_many_requests",
    "upload_quota_reached",
    "upload_max_files",
    "upload_max_each",
    "upload_max_size",
    "upload_pick",
    "upload_pick_one",
    "upload_pick_other",
    "upload_drop",
    "upload_drop_one",
    "upload_here",
    "upload_remove",
    "upload_remove_file",
    "upload_again",
    "upload_sum",
    "upload_list",
    "upload_pasted",
    "upload_waiting",
    "upload_sending",
    "upload_retry",
    "upload_offline",
    "upload_done",
    "upload_later",
    "upload_failed",
    "upload_type",
    "upload_large",
    "upload_empty",
    "upload_twice",
    "upload_many",
    "upload_one_only",
    "upload_folder",
    "upload_more",
    "upload_added",
    "upload_added_one",
    "upload_all_done",
    "upload_one_done",
    "upload_some_done",
    "upload_removed",
    "upload_missing",
    "upload_unfinished",
    "upload_form_waits",
    "answers_kept",
    "answers_restored",
    "back_to_site",
    "captcha_unavailable",
    "characters_left",
    "check_answers",
    "choose_by_letter",
    "choose_by_number",
    "choose_by_tap",
    "clear_answer",
    "country_names",
    "go_on",
    "hide_password",
    "keeps_nothing",
    "no_answer",
    "no_results",
    "not_answered",
    "offline",
    "offline_now",
    "ok",
    "online_again",
    "only_if",
    "optional",
    "press_key",
    "question_count",
    "question_count_up_to",
    "question_of",
    "question_of_up_to",
    "rank_down",
    "rank_hint",
    "rank_moved",
    "rank_up",
    "sending",
    "sending_slow",
    "sent_before",
    "server_error",
    "show_password",
    "signature_clear",
    "signature_done",
    "signature_draw",
    "signature_name",
    "signature_open",
    "signature_type",
    "skip",
    "start",
    "start_again",
    "try_again",
    "typo_hint",
];

/// Keys of a language's formats of numbers and days. Without a language, numbers and days stay as they are stored.
pub const FORMATS: [&str; 5] = [
    "decimal_mark",
    "group_mark",
    "date_format",
    "currency_format",
    "percent_format",
];

/// The texts for visitors in English. Placeholders: `{label}` is the field's label; `{min}` and `{max}` are its bounds;
/// `{step}` is its step; `{types}` lists the types of files that it accepts; `{title}` is the author's explanation of
/// its pattern. In `step_progress`, `{step}` is the current step and `{steps}` their number; in `error_title` and
/// `draft_title`, `{title}` is the form's title. `{request_id}` identifies the request in the host's log.
fn english_texts() -> &'static Map<String, Value> {
    static TEXTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let texts = include_str!("../../../visitor/languages/en.json");
        serde_json::from_str(texts).unwrap_or_default()
    });
    &TEXTS
}

/// The formats of numbers and days in English ([`FORMATS`]).
pub fn english_formats() -> Map<String, Value> {
    let formats = english_texts().iter();
    let formats = formats.filter(|(key, _)| FORMATS.contains(&key.as_str()));
    formats
        .map(|(key, text)| (key.clone(), text.clone()))
        .gather()
}

/// The messages that every form has, in English.
pub fn default_messages() -> &'static Map<String, Value> {
    static DEFAULTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let is_message = |key: &str| !WORDS.contains(&key) && !FORMATS.contains(&key);
        let messages = english_texts().iter().filter(|(key, _)| is_message(key));
        messages
            .map(|(key, text)| (key.clone(), text.clone()))
            .gather()
    });
    &DEFAULTS
}

/// A word of [`WORDS`] or a message in English; for an unknown key the general error.
pub fn word(key: &str) -> &'static str {
    let text = english_texts().get(key).and_then(Value::as_str);
    text.unwrap_or_else(|| text_of(|_| None, key))
}

/// The label of a part of a name or an address in English; empty for an unknown part.
pub fn part_label(part: &str) -> &'static str {
    let label = english_texts().get(&format!("part_{part}"));
    label.and_then(Value::as_str).unwrap_or_default()
}

/// The stored messages over the defaults. Keys of plugins are kept.
pub fn messages_over_defaults(stored: &Map<String, Value>) -> Map<String, Value> {
    let mut messages = default_messages().clone();
    messages.extend(stored.clone());
    messages
}

/// Checks the messages that a client wants to store: an object of strings, of at most [`MAX_MESSAGE_CHARS`]
/// characters each. Null resets a message to its default.
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
                Some(member) => Value::from(member.text(MAX_MESSAGE_CHARS)?),
                None => Value::Null,
            };
            Some((code.clone(), text))
        });
        read.gather()
    })
}

/// The text of a message: the form's, or else the default, or else (for a plugin's code) the general error.
pub fn message_text<'m>(messages: &'m Map<String, Value>, code: &str) -> &'m str {
    text_of(|code| messages.get(code).and_then(Value::as_str), code)
}

/// The text of a message, with a function that finds the form's messages by code.
pub fn text_of<'m>(stored: impl Fn(&str) -> Option<&'m str>, code: &str) -> &'m str {
    stored(code)
        .or_else(|| default_text(code))
        .or_else(|| stored("error"))
        .or_else(|| default_text("error"))
        .unwrap_or_default()
}

/// Whether a message has its default text.
pub fn is_default(messages: &Map<String, Value>, code: &str) -> bool {
    let stored = messages.get(code).and_then(Value::as_str);
    stored.is_none_or(|text| Some(text) == default_text(code))
}

fn default_text(code: &str) -> Option<&'static str> {
    default_messages().get(code)?.as_str()
}
