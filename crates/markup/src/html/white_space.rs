//! White space as browsers show it.

use model::is_unseen;

/// Text with white space collapsed and none at its ends.
#[derive(Default)]
pub(super) struct Collapsed {
    pub(super) text: String,
    space_is_due: bool,
}

impl Collapsed {
    pub(super) fn push(&mut self, text: &str) {
        for (index, word) in text.split(|c: char| c.is_ascii_whitespace()).enumerate() {
            self.space_is_due |= index > 0 && !self.text.is_empty();
            if !word.is_empty() {
                // Mostly there is one text, which then takes one allocation.
                if self.text.is_empty() {
                    self.text.reserve(text.len());
                }
                if std::mem::take(&mut self.space_is_due) {
                    self.text.push(' ');
                }
                self.text.push_str(word);
            }
        }
    }
}

/// A text with its white space collapsed, as a browser shows it.
pub fn collapse(text: &str) -> String {
    let mut out = Collapsed::default();
    out.push(text);
    out.text
}

/// A text as somebody sees it: collapsed, and nothing where no character of it can be seen.
pub(crate) fn seen(text: &str) -> String {
    if is_unseen(text) {
        String::new()
    } else {
        collapse(text)
    }
}
