//! Character references, compared with the crate `htmlize`.

use model::entities::{unescape, unescape_attribute};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[track_caller]
fn is_as_htmlize(text: &str) {
    assert_eq!(unescape(text), htmlize::unescape(text), "{text}");
    let of_attribute = htmlize::unescape_attribute(text);
    assert_eq!(
        unescape_attribute(text),
        of_attribute,
        "in an attribute: {text}"
    );
}

fn names() -> Vec<String> {
    let names = htmlize::ENTITIES.keys();
    names
        .map(|name| String::from_utf8(name.to_vec()).unwrap())
        .collect()
}

#[test]
fn every_named_reference_is_decoded_by_the_standard() {
    let names = names();
    assert_eq!(names.len(), 2_231);
    for name in names {
        let open = name.trim_end_matches(';');
        for behind in ["", ";", "=", "a", "a;", "1", " ", "é", "&", "&amp;"] {
            is_as_htmlize(&format!("{name}{behind}"));
            is_as_htmlize(&format!("{open}{behind}"));
        }
    }
}

#[test]
fn every_numeric_reference_is_decoded_by_the_standard() {
    for code in (0..0x300)
        .chain(0xd700..0xe100)
        .chain(0xfd00..0x10100)
        .chain(0x10ff00..0x110100)
    {
        is_as_htmlize(&format!("&#{code};&#x{code:x}&#X{code:X}g"));
    }
    is_as_htmlize("&#;&#x;&#X&#-1;&# 1;&#99999999999;&#x00000000000041;&#");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5_000) })]
    #[test]
    fn texts_are_decoded_as_htmlize_does(
        pieces in vec(prop_oneof![select(names()), "&#?x?[0-9a-f]{0,9};?", "[a-zA-Z;=&#x é]{0,4}"], 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = pieces.concat();
        is_as_htmlize(&text);
        let cut = text.floor_char_boundary(cut.index(text.len() + 1));
        is_as_htmlize(&text[..cut]);
    }
}
