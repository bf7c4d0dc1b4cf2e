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
        let is_space = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
        let bytes = text.as_bytes();
        self.space_is_due |= is_space(bytes.first());
        for word in text.split_ascii_whitespace() {
            // Mostly there is one text, which then takes one allocation.
            if self.text.is_empty() {
                self.text.reserve(text.len());
            } else if self.space_is_due {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.space_is_due = true;
        }
        self.space_is_due &= bytes.is_empty() || is_space(bytes.last());
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
