//! The names of visitors' files.

/// The longest file name, in characters.
const MAX_FILENAME_CHARS: usize = 200;

/// Makes a visitor's file name safe to store and show. Removes the path, control characters and characters that change
/// the direction of text. Replaces characters with a special meaning in paths, shells and headers by `_`. Keeps the
/// last 200 characters, without dots and white space at the ends. An empty name becomes `file`.
pub fn clean_filename(filename: &str) -> String {
    let name = filename.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: Vec<char> = name
        .chars()
        .filter(|c| !c.is_control() && !changes_direction(*c))
        .map(|c| if r#"<>:"|?*;%"#.contains(c) { '_' } else { c })
        .collect();
    let from = cleaned.len().saturating_sub(MAX_FILENAME_CHARS);
    let kept: String = cleaned.into_iter().skip(from).collect();
    let kept = kept.trim_matches(|c: char| c.is_whitespace() || c == '.');
    if kept.is_empty() {
        "file".to_owned()
    } else {
        kept.to_owned()
    }
}

/// Whether a character changes the direction of text. Such a character makes `gpj.exe` read as `exe.jpg`.
const fn changes_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
