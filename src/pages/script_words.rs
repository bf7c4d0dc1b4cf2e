//! The words that the visitor's script shows besides the messages in `script_texts.rs`.

use serde_json::{Map, Value};

use super::texts::filtered_message;
use crate::forms::{Form, LayoutType};
use crate::spam::widgets;
use crate::task::Context;
use model::page_words::{
    CAPTCHA_WORDS, CLEAR_WORDS, CONVERSATION_WORDS, RANKING_WORDS, REVIEW_WORDS, ROW_WORDS,
    SAVING_WORDS, SENDING_WORDS, SIGNATURE_WORDS,
};

/// The messages that a conversational form shows.
const CONVERSATION_MESSAGES: [&str; 4] = ["error_title", "no", "previous_step", "send"];

/// The properties of a form that determine the words.
pub struct Shown {
    pub layout: LayoutType,
    pub is_reviewed: bool,
    /// Whether texts of the form quote answers.
    pub has_pipes: bool,
    /// Whether the form has ratings, ranges or colours, whose answers can be cleared.
    pub may_clear: bool,
    /// Whether the form has a signature.
    pub is_signed: bool,
    /// Whether the form has rankings.
    pub has_rankings: bool,
    /// Whether the form has a repeating group.
    pub has_rows: bool,
}

/// Adds the words that the script shows in this form, and the messages among them that are not there yet.
pub async fn add_script_words(
    texts: &mut Map<String, Value>,
    cx: &Context,
    form: &Form,
    shown: &Shown,
) {
    let is_conversational = shown.layout == LayoutType::Conversational;
    let is_reviewed = shown.is_reviewed || is_conversational;
    let is_saved = form.saving() != "off";
    let may_clear = is_conversational || shown.may_clear || shown.has_rankings;
    let words: [(&[&str], bool); 13] = [
        (&SENDING_WORDS, true),
        (&REVIEW_WORDS, is_reviewed),
        (&["yes"], is_reviewed || shown.has_pipes),
        (&CLEAR_WORDS, may_clear),
        (&SAVING_WORDS, is_saved),
        (&["go_on"], is_saved),
        (&RANKING_WORDS, shown.has_rankings),
        (&CAPTCHA_WORDS, !widgets(form).is_empty()),
        (&SIGNATURE_WORDS, shown.is_signed),
        (&ROW_WORDS, shown.has_rows),
        (&["row_add"], shown.has_rows),
        (&CONVERSATION_WORDS, is_conversational),
        (&CONVERSATION_MESSAGES, is_conversational),
    ];
    for (keys, _) in words.iter().filter(|(_, is_used)| *is_used) {
        for key in *keys {
            if !texts.contains_key(*key) {
                let text = filtered_message(cx, form, key, form.word(key).to_owned()).await;
                texts.insert((*key).to_owned(), Value::from(text));
            }
        }
    }
}
