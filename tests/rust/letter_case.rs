//! Conversion to lower and upper case, compared with the standard library.

use model::slug::slug_of;
use model::unicode::case::{capitalized, lowercase};

#[test]
fn characters_are_converted_as_the_standard_library_does() {
    for c in '\0'..=char::MAX {
        let text = String::from(c);
        assert_eq!(lowercase(&text), text.to_lowercase(), "{c:?}");
        let upper = text.to_uppercase();
        // Ligatures and letters such as ß have no single capital letter.
        let expected = if upper.chars().count() == 1 {
            upper
        } else {
            text
        };
        assert_eq!(capitalized(&expected), expected, "{c:?}");
        assert_eq!(capitalized(&String::from(c)), expected, "{c:?}");
    }
}

#[test]
fn words_are_converted_as_the_standard_library_does() {
    let texts = [
        "",
        "Straße",
        "ÄÖÜ Ärger",
        "ΟΔΥΣΣΕΥΣ",
        "ΟΔΟΣ, ΟΔΟΣ.",
        "ΣΑΣ Σ",
        "ΑΣ' ΑΣ'Α",
        "ΑΣ\u{301} ΑΣ\u{301}Α",
        "1Σ Σ1 ΑΣ1",
        "İstanbul IŞIK",
        "ПРИВЕТ Ёж",
        "ქართული ᲥᲐᲠᲗᲣᲚᲘ",
        "漢字 かな",
    ];
    for text in texts {
        assert_eq!(lowercase(text), text.to_lowercase());
    }
    assert_eq!(capitalized("élan vital"), "Élan vital");
    assert_eq!(capitalized("name"), "Name");
}

#[test]
fn a_slug_is_in_lower_case() {
    assert_eq!(slug_of("Été À ÅNGSTRÖM"), "ete-a-angstrom");
}
