//! Capital letters of every script.

/// A text that begins with a capital letter, where its script has them.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
