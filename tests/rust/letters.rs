//! Small and capital letters, against the standard library's.
#![allow(clippy::disallowed_methods, reason = "what they are compared with")]

use model::letters::{capitalized, lowercase};

#[test]
fn capitals_are_those_of_the_standard_library_in_the_alphabets_of_today() {
    let latin_greek_cyrillic_armenian = ('\0'..='\u{17f}').chain('\u{370}'..='\u{587}');
    let vietnamese = '\u{1ea0}'..='\u{1eff}';
    let adlam = '\u{1e900}'..='\u{1e943}';
    let mut compared = 0;
    for letter in latin_greek_cyrillic_armenian.chain(vietnamese).chain(adlam) {
        let capital: Vec<char> = letter.to_uppercase().collect();
        // Not those that have none of their own, as `ß`, `ŉ`, `ÿ` (no language begins words with it), `µ`.
        if let [only] = *capital
            && only.to_lowercase().eq([letter])
            && letter != 'ÿ'
            && !('\u{37b}'..='\u{37d}').contains(&letter)
            && !matches!(letter, 'ϗ' | 'ϲ' | 'ϳ')
        {
            assert_eq!(capitalized(&letter.to_string()), only.to_string());
            compared += usize::from(only != letter);
        }
    }
    assert!(compared > 300, "{compared}");
    for (text, wanted) in [
        ("", ""),
        ("élan vital", "Élan vital"),
        ("ßo", "ßo"),
        ("აბ", "აბ"),
    ] {
        assert_eq!(capitalized(text), wanted);
    }
}

#[test]
fn small_letters_are_those_of_the_standard_library() {
    let every: String = ('\0'..=char::MAX).filter(|letter| *letter != 'Σ').collect();
    assert_eq!(lowercase(&every), every.to_lowercase());
    for text in [
        "ΟΔΟΣ",
        "ΟΔΟΣ ΣΟΦΙΑΣ, ΣΣ Σ",
        "ΤΡΕΙΣ.",
        "İSTANBUL",
        "Straße",
        "ΣΑΣ1",
    ] {
        assert_eq!(lowercase(text), text.to_lowercase(), "{text}");
    }
}
