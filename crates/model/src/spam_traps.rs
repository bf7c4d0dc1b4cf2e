//! The names and texts by which the spam traps of other systems are known: controls that people do not see.

/// The names that services define for their traps (Formspree and Getform, FormSubmit, Mailchimp for
/// WordPress): no form asks for anything by these.
const OF_SERVICES: [&str; 4] = ["_gotcha", "_honey", "_honeypot", "_mc4wp_honeypot"];

/// Names of traps that count where the control is hidden (`botcheck` is Web3Forms').
const WHERE_HIDDEN: [&str; 3] = ["botcheck", "honeypot", "honey_pot"];

/// What a trap tells the people who meet it, in lower case; parts behind a bar follow later.
const WORDS: [&str; 26] = [
    "leave this|empty",
    "leave this|blank",
    "leave this|unchanged",
    "should be left unchanged",
    "leave it empty",
    "leave blank|human",
    "don't fill this",
    "don't fill in this",
    "don't fill out this",
    "do not fill this",
    "do not fill in this",
    "do not fill out this",
    "if you're human",
    "if you are human",
    "if you're a human",
    "if you are a human",
    "nicht ausfüllen",
    "dieses feld|leer lassen",
    "feld leer lassen",
    "ne pas remplir",
    "laisse|ce champ vide",
    "no rellen|este campo",
    "deje este campo",
    "deixe este campo",
    "non compilare",
    "laat dit veld leeg",
];

/// Words with which a text like those speaks to people after all: they may leave it, or must not.
const OTHERWISE: [&str; 7] = [
    "can leave",
    "may leave",
    "optional",
    "nicht leer",
    "no deje",
    "não deixe",
    "if ",
];

/// Words with which it speaks of people and robots.
const OF_PEOPLE: [&str; 6] = ["human", "person", "bot", "you see", "can see", "spam"];

/// Whether a service defines the name for its trap.
pub fn is_name(name: &str) -> bool {
    OF_SERVICES.contains(&name)
}

/// Whether a hidden control of that name is a trap.
pub fn is_name_where_hidden(name: &str) -> bool {
    WHERE_HIDDEN.contains(&name) || is_of_mailchimp(name)
}

/// Whether a text tells people to leave a control alone.
pub fn warns_people(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    let has_all = |words: &str| {
        let mut rest = Some(text.as_str());
        words.split('|').all(|word| {
            rest = rest.and_then(|rest| Some(rest.split_once(word)?.1));
            rest.is_some()
        })
    };
    let has_one = |words: &[&str]| words.iter().any(|word| text.contains(word));
    WORDS.iter().any(|words| has_all(words)) && (has_one(&OF_PEOPLE) || !has_one(&OTHERWISE))
}

/// Whether a name is that of Mailchimp's traps: `b_` and the numbers of the account and the list.
fn is_of_mailchimp(name: &str) -> bool {
    let numbers = name
        .strip_prefix("b_")
        .and_then(|rest| rest.split_once('_'));
    let is_number = |text: &str| text.len() >= 3 && text.bytes().all(|b| b.is_ascii_hexdigit());
    numbers.is_some_and(|(account, list)| is_number(account) && is_number(list))
}
