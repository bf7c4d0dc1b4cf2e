//! The words of the visitor's script that no form lists among its messages.

use serde_json::{Map, Value};

use crate::forms::{Form, LayoutType};
use crate::spam::widgets;

/// The words of the sending state (visitor/script/sending.ts), of kept answers and of small aids (aids.ts).
const SENDING: [&str; 16] = [
    "sending",
    "try_again",
    "sending_slow",
    "no_answer",
    "offline",
    "offline_now",
    "online_again",
    "server_error",
    "answers_restored",
    "start_again",
    "keeps_nothing",
    "show_password",
    "hide_password",
    "characters_left",
    "typo_hint",
    "no_results",
];

/// The words of a review.
const REVIEW: [&str; 3] = ["review_title", "review_change", "yes"];

/// The words of a conversational form (visitor/script/conversation.ts).
const CONVERSATION: [&str; 21] = [
    "error_title",
    "no",
    "previous_step",
    "start",
    "ok",
    "skip",
    "go_on",
    "check_answers",
    "clear_answer",
    "question_count",
    "question_count_up_to",
    "question_of",
    "question_of_up_to",
    "press_key",
    "choose_by_letter",
    "choose_by_number",
    "choose_by_tap",
    "not_answered",
    "answers_kept",
    "sent_before",
    "send",
];

/// The words of a form with captchas.
const CAPTCHA: [&str; 1] = ["captcha_unavailable"];

/// Adds the words that the script shows in this form.
pub fn add_script_words(
    texts: &mut Map<String, Value>,
    form: &Form,
    layout: LayoutType,
    is_reviewed: bool,
) {
    let is_conversational = layout == LayoutType::Conversational;
    let conversation = CONVERSATION.iter().filter(|_| is_conversational);
    let review = REVIEW.iter().filter(|_| is_reviewed || is_conversational);
    let captcha = CAPTCHA.iter().filter(|_| !widgets(form).is_empty());
    for key in SENDING
        .iter()
        .chain(review)
        .chain(captcha)
        .chain(conversation)
    {
        texts.insert((*key).to_owned(), Value::from(form.word(key)));
    }
}
