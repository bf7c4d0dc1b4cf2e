//! Recognises by its words whether a button leads to the next or to the previous step.

/// Splits a text or a name into words. A name such as `nextBtn` is split once, before its
/// first inner capital.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_ascii_alphabetic());
    parts
        .flat_map(|part| {
            let is_mixed = part.bytes().any(|byte| byte.is_ascii_lowercase());
            let capital = part.bytes().skip(1).position(|b| b.is_ascii_uppercase());
            let end = capital.filter(|_| is_mixed).map_or(part.len(), |at| at + 1);
            let (first, rest) = part.split_at_checked(end).unwrap_or((part, ""));
            [first, rest]
        })
        .filter(|word| !word.is_empty())
}

/// The step to which a button goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepWay {
    /// The next step.
    On,
    /// The previous step.
    Back,
}

/// The step that a word names: `next`, `prev` or `previous`.
pub fn way_of_word(word: &str) -> Option<StepWay> {
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    let back = (is("prev") || is("previous")).then_some(StepWay::Back);
    is("next").then_some(StepWay::On).or(back)
}

/// The step that the text of a button names.
pub fn way_of_text(text: &str) -> Option<StepWay> {
    let mut words = words(text);
    let first = words.next()?;
    let is_all = words.all(|word| word.eq_ignore_ascii_case("step"));
    let back = first.eq_ignore_ascii_case("back").then_some(StepWay::Back);
    way_of_word(first).or(back).filter(|_| is_all)
}
