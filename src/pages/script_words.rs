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
const REVIEW: [&str; 2] = ["review_title", "review_change"];

/// The words of a conversational form (visitor/script/conversation.ts).
const CONVERSATION: [&str; 20] = [
    "error_title",
    "no",
    "previous_step",
    "start",
    "ok",
    "skip",
    "go_on",
    "check_answers",
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

/// The words of a ranking (visitor/script/ranking.ts).
const RANKING: [&str; 5] = [
    "clear_answer",
    "rank_down",
    "rank_hint",
    "rank_moved",
    "rank_up",
];

/// The words of saved answers (visitor/script/resume.ts).
const SAVING: [&str; 13] = [
    "go_on",
    "saved_copied",
    "saved_copy",
    "saved_delete",
    "saved_done",
    "saved_found",
    "saved_keep",
    "saved_load",
    "saved_mail",
    "saved_mail_address",
    "saved_mail_sent",
    "saved_title",
    "start_again",
];

/// The words of a form with captchas.
const CAPTCHA: [&str; 1] = ["captcha_unavailable"];

/// The words of repeating groups (visitor/script/rows.ts).
const ROWS: [&str; 3] = ["row_add", "row_removed", "row_undo"];

/// The words of a pad to sign on (visitor/script/signature.ts).
const SIGNATURE: [&str; 6] = [
    "signature_clear",
    "signature_done",
    "signature_draw",
    "signature_name",
    "signature_open",
    "signature_type",
];

/// The parts of a form that have words in the script.
pub struct Shown {
    pub layout: LayoutType,
    pub is_reviewed: bool,
    /// Texts of the form show answers.
    pub has_pipes: bool,
    /// The form has ratings, ranges or colours, whose answers can be cleared.
    pub may_clear: bool,
    /// The form has a signature.
    pub is_signed: bool,
    /// The form has rankings.
    pub has_rankings: bool,
    /// The form has a repeating group.
    pub has_rows: bool,
}

/// Adds the words that the script shows in this form.
pub fn add_script_words(texts: &mut Map<String, Value>, form: &Form, shown: &Shown) {
    let is_conversational = shown.layout == LayoutType::Conversational;
    let is_reviewed = shown.is_reviewed || is_conversational;
    let words: [(&[&str], bool); 10] = [
        (&SENDING, true),
        (&REVIEW, is_reviewed),
        (&["yes"], is_reviewed || shown.has_pipes),
        (&["clear_answer"], is_conversational || shown.may_clear),
        (&SAVING, form.saving() != "off"),
        (&RANKING, shown.has_rankings),
        (&CAPTCHA, !widgets(form).is_empty()),
        (&SIGNATURE, shown.is_signed),
        (&ROWS, shown.has_rows),
        (&CONVERSATION, is_conversational),
    ];
    for (keys, _) in words.iter().filter(|(_, is_used)| *is_used) {
        for key in *keys {
            texts.insert((*key).to_owned(), Value::from(form.word(key)));
        }
    }
}
