//! Small and capital letters of every script, without those of the standard library's tables that
//! weigh several kilobytes of the modules for what no form needs (`clippy.toml` forbids their functions).

/// How far small letters lie behind their capitals: in Latin (1, 32), Greek (32, with accents 37, 38, 63
/// and 64), Cyrillic (1, 15, 32, 80), Armenian (48) and Adlam (34).
const BEHIND_CAPITALS: [u32; 10] = [1, 32, 80, 48, 37, 38, 63, 64, 34, 15];

/// A text in small letters, as [`str::to_lowercase`] makes it: a Greek sigma that ends a word is `ς`.
pub fn lowercase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut is_in_word = false;
    while let Some(letter) = letters.next() {
        let ends_word = is_in_word && !letters.peek().is_some_and(|next| next.is_alphabetic());
        match letter {
            'Σ' if ends_word => out.push('ς'),
            _ => out.extend(letter.to_lowercase()),
        }
        is_in_word = letter.is_alphabetic();
    }
    out
}

/// A text that begins with a capital letter, where its script begins sentences so.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => [&*capital(first).to_string(), letters.as_str()].concat(),
        None => String::new(),
    }
}

fn capital(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_uppercase();
    }
    let candidates = BEHIND_CAPITALS.iter();
    candidates
        .filter_map(|distance| char::from_u32(u32::from(letter).checked_sub(*distance)?))
        .find(|capital| *capital != letter && capital.to_lowercase().eq([letter]))
        .unwrap_or(letter)
}
