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
        let mut rest = text;
        while let Some(first) = rest.bytes().next() {
            let is_space = first.is_ascii_whitespace();
            let length = rest
                .bytes()
                .position(|byte| byte.is_ascii_whitespace() != is_space)
                .unwrap_or(rest.len());
            let (run, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
            rest = tail;
            if is_space {
                self.space_is_due = !self.text.is_empty();
            } else {
                // Mostly there is one text, which then takes one allocation.
                self.text.reserve(run.len() + tail.len() + 1);
                if std::mem::take(&mut self.space_is_due) {
                    self.text.push(' ');
                }
                self.text.push_str(run);
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
