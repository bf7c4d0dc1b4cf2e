//! The names of visitors' files.

/// The longest file name, in characters.
const MAX_FILENAME_CHARS: usize = 200;

/// A visitor's file name, made safe to store and show: without a path, control characters and characters with a
/// meaning in paths, shells and headers. It is never empty, and only the last 200 characters are kept.
pub fn clean_filename(filename: &str) -> String {
    let name = filename.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: Vec<char> = name
        .chars()
        .filter(|c| !c.is_control() && !turns_text(*c))
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

/// Characters that change the direction of text, so that `gpj.exe` reads as `exe.jpg`.
const fn turns_text(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
