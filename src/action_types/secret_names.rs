//! Names of settings that are secrets.

/// The words in the names of secrets, as letters in lower case.
const WORDS: [&str; 4] = ["secret", "token", "password", "apikey"];

/// Whether a setting's key ends like the name of a secret, such as `api_key`, `accessToken` or `X-Auth-Token`.
pub(super) fn names_secret(key: &str) -> bool {
    let letters = letters_of(key);
    WORDS.iter().any(|word| letters.ends_with(word))
}

/// Whether a setting's key contains a word of secrets, such as `token_2`.
pub(super) fn seems_secret(key: &str) -> bool {
    let letters = letters_of(key);
    WORDS.iter().any(|word| letters.contains(word))
}

fn letters_of(key: &str) -> String {
    let letters: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    letters.to_ascii_lowercase()
}
