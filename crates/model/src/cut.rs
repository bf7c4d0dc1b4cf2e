//! Cuts texts to the maximum length of a field's texts, and reports each cut.

use std::borrow::Cow;

use crate::Field;
use crate::check::MAX_TEXT_CHARS;
use crate::warnings::{WarningCode, Warnings};

/// Cuts a text to one character above the maximum. The extra character tells [`cut_fully`] that the text was too
/// long: it removes the character and reports the cut.
pub fn cut<'t>(text: impl Into<Cow<'t, str>>) -> String {
    cut_to(text.into(), MAX_TEXT_CHARS + 1).0.into_owned()
}

/// Cuts the texts of a field to their maximum length, and reports each cut.
pub fn cut_fully(field: &mut Field, offset: u32, warnings: &mut Warnings) {
    let texts = [
        ("label", &mut field.label),
        ("description", &mut field.description),
        ("placeholder", &mut field.placeholder),
        ("default value", &mut field.default_value),
        ("class", &mut field.css_class),
    ];
    for (member, text) in texts {
        cut_text(text, member, &field.name, offset, warnings);
    }
}

/// Cuts one text of a field or step to its maximum length, and reports the cut.
pub fn cut_text(text: &mut String, member: &str, name: &str, offset: u32, warnings: &mut Warnings) {
    let (short, is_cut) = cut_to(Cow::Borrowed(text), MAX_TEXT_CHARS);
    if is_cut {
        *text = short.trim_end().to_owned();
        let message = format!(
            "The {member} of `{name}` is cut: it has more than {MAX_TEXT_CHARS} characters."
        );
        warnings.add(WarningCode::TextCut, offset as usize, message);
    }
}

/// Cuts a text to a maximum number of characters; also returns whether the text was longer.
fn cut_to(text: Cow<'_, str>, max_chars: usize) -> (Cow<'_, str>, bool) {
    let is_long = text.len() > max_chars;
    let end = is_long
        .then(|| text.char_indices().nth(max_chars))
        .flatten();
    let Some((end, _)) = end else {
        return (text, false);
    };
    let short = text.get(..end).unwrap_or_default().to_owned();
    (Cow::Owned(short), true)
}
