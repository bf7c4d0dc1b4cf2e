//! Which bytes an edit of a field may change, judged from the two documents alone: what is gone from
//! one and new in the other must be the field's own.

use std::collections::{BTreeMap, BTreeSet};

use cf_forms::forms::{Field, FieldType, FormSchema};
use cf_forms::markup::parse;

use crate::markup_patch_tokens::{Token, name_of, tokens};

/// What says the conditions of fields.
const CONDITIONS: [&str; 3] = ["data-show-if", "data-hide-if", "data-cf-conditions"];

/// The tokens that one document has more often than another.
fn more<'a>(one: &'a str, other: &str) -> Vec<Token<'a>> {
    let mut known: BTreeMap<Token<'_>, usize> = BTreeMap::new();
    for token in tokens(other) {
        *known.entry(token).or_default() += 1;
    }
    let mut tokens = tokens(one);
    tokens.retain(|token| match known.get_mut(token) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    tokens
}

fn is_control(name: &str) -> bool {
    matches!(name, "input" | "select" | "textarea" | "button")
}

/// The name that the control of a tag has.
fn control_name(tag: &str) -> Option<String> {
    let read = parse(tag).ok()?.schema;
    let has_name = tag.to_ascii_lowercase().contains("name");
    read.fields
        .into_iter()
        .next()
        .map(|field| field.name)
        .filter(|_| has_name)
}

/// Whether a control's tag may be one of the field's.
fn is_of(tag: &str, field: &Field) -> bool {
    let Some(name) = control_name(tag) else {
        // Without a name it asks for no answer.
        return field.kind == FieldType::Submit;
    };
    if field.kind == FieldType::Submit {
        let tag = tag.to_ascii_lowercase();
        return ["<button", "submit", "image"]
            .iter()
            .any(|own| tag.contains(own));
    }
    let of_part = name.strip_suffix(']').and_then(|name| name.split_once('['));
    name == field.name
        || of_part.is_some_and(|(whole, _)| whole == field.name)
        || matches!(field.kind, FieldType::Name | FieldType::Address)
}

/// All that a field says, in one text without white space.
fn said_by(field: &Field) -> String {
    let options = field
        .options
        .iter()
        .flat_map(|option| [&option.label, &option.value]);
    let texts = [
        &field.label,
        &field.description,
        &field.default_value,
        &field.placeholder,
    ];
    let said: String = texts
        .into_iter()
        .chain(options)
        .map(String::as_str)
        .collect();
    said.split_whitespace().collect()
}

/// A word of a text as it is read.
fn read_word(word: &str) -> String {
    let read = parse(&format!("<textarea name=a>{word}</textarea>"));
    let field = read.unwrap().schema.fields.into_iter().next();
    let value = field.map(|field| field.default_value).unwrap_or_default();
    value.split_whitespace().collect()
}

/// That what is gone from a document is one field's: its controls, the texts that it is read from, and
/// elements around them.
pub fn assert_removed_is_own(html: &str, markup: &str, field: &Field, emptied: &[&Field]) {
    let context = || format!("{field:?}\n{html}\n--\n{markup}");
    let mut bytes = html.bytes();
    let is_kept = markup.bytes().all(|byte| bytes.any(|other| other == byte));
    assert!(is_kept && markup.len() < html.len(), "{}", context());
    let (gone, new) = differing(html, markup);
    assert!(new.is_empty(), "new: {new:?}\n{}", context());
    let said: String = emptied
        .iter()
        .copied()
        .chain([field])
        .map(said_by)
        .collect();
    assert_no_line_goes_alone(html, markup);
    let within = within_holders(html, &gone);
    let messages = within_messages(html, markup);
    let addons = within_addons(html, markup, field);
    let is_judged = |token: &&Token<'_>| {
        let known = [&within, &messages, &addons];
        !known.iter().any(|known| known.contains(*token))
    };
    for token in gone.iter().filter(is_judged) {
        let is_own = match token {
            Token::Word(word) => is_said(word, &said),
            Token::Tag(tag) => match name_of(tag).as_str() {
                name if is_control(name) => is_of(tag, field),
                "script" | "style" | "iframe" | "img" | "svg" | "form" => false,
                name => !name.starts_with('!'),
            },
        };
        assert!(is_own, "{token:?}\n{}", context());
    }
}

/// The runs of tokens that are gone from a document, as far left as they can be.
fn runs_gone<'a>(html: &'a str, markup: &str) -> Vec<Vec<Token<'a>>> {
    let left = tokens(markup);
    let mut left = left.iter().peekable();
    let mut runs = vec![Vec::new()];
    for token in tokens(html) {
        match left.next_if(|kept| **kept == token) {
            Some(_) => runs.push(Vec::new()),
            None => runs.last_mut().unwrap().push(token),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// That line breaks go only with what stands before or behind them.
fn assert_no_line_goes_alone(html: &str, markup: &str) {
    let is_break = |token: &Token<'_>| matches!(token, Token::Tag(tag) if name_of(tag) == "br");
    for run in runs_gone(html, markup) {
        assert!(!run.iter().all(is_break), "{run:?}\n{html}\n--\n{markup}");
    }
}

/// What stands in the messages of faults that are gone whole, with words alone, beside more than
/// themselves, and that describe no control which stays.
fn within_messages<'a>(html: &'a str, markup: &str) -> BTreeSet<Token<'a>> {
    const CLASSES: &[&str] = &[
        "invalid-feedback",
        "valid-feedback",
        "invalid-tooltip",
        "error",
        "error-message",
        "error-text",
        "field-error",
        "form-error",
    ];
    let attribute = |tag: &str, name: &str| {
        let lower = tag.to_ascii_lowercase();
        let value = lower.split_once(&format!(" {name}="))?.1;
        let ends = |c: char| c.is_whitespace() || c == '>';
        Some(match value.strip_prefix('"') {
            Some(value) => value.split('"').next()?.to_owned(),
            None => value.split(ends).next()?.to_owned(),
        })
    };
    let is_described = |tag: &str| {
        attribute(tag, "id").is_some_and(|id| {
            tokens(markup).iter().any(|token| {
                let Token::Tag(tag) = token else { return false };
                let said = attribute(tag, "aria-describedby").unwrap_or_default();
                said.split_whitespace().any(|named| named == id)
            })
        })
    };
    let mut within = BTreeSet::new();
    for run in runs_gone(html, markup) {
        let mut own = BTreeSet::new();
        let mut end: Option<String> = None;
        let mut has_more = false;
        for token in run {
            match (&end, token) {
                (Some(close), Token::Tag(tag)) if name_of(tag) == *close => end = None,
                (Some(_), Token::Word(_)) => _ = own.insert(token),
                (Some(_), _) => {}
                (None, Token::Tag(tag)) => {
                    let class = attribute(tag, "class").unwrap_or_default();
                    let is_one = class.split_whitespace().any(|word| CLASSES.contains(&word));
                    match is_one && !is_described(tag) {
                        true => end = Some(format!("/{}", name_of(tag))),
                        false => has_more = true,
                    }
                }
                (None, Token::Word(_)) => has_more = true,
            }
        }
        if end.is_none() && has_more {
            within.append(&mut own);
        }
    }
    within
}

/// What stands in a gone element around a control of the field, other than its label: short texts that
/// are no sentence, and whole pictures that readers are not told of.
fn within_addons<'a>(html: &'a str, markup: &str, field: &Field) -> BTreeSet<Token<'a>> {
    let said = said_by(field);
    let is_sentence = |words: &[&str]| {
        let text = words.join(" ");
        words.len() > 4 || text.ends_with(['.', '!', '?', ':']) || text.contains(". ")
    };
    let mut within = BTreeSet::new();
    for run in runs_gone(html, markup) {
        let Some(content) = around_control(&run, field) else {
            continue;
        };
        let mut words = Vec::new();
        let mut drawing = Vec::new();
        for token in content {
            let Token::Tag(tag) = token else {
                match (drawing.is_empty(), token) {
                    (true, Token::Word(word)) => words.push(*word),
                    _ => drawing.push(*token),
                }
                continue;
            };
            let own = words.iter().filter(|word| !is_said(word, &said));
            let own: Vec<&str> = own.copied().collect();
            if !is_sentence(&own) {
                within.extend(words.iter().map(|word| Token::Word(word)));
            }
            words.clear();
            let is_hidden = ["aria-hidden=true", "aria-hidden=\"true\""]
                .iter()
                .any(|said| tag.contains(said));
            let name = name_of(tag);
            if !drawing.is_empty() || name == "svg" && is_hidden {
                drawing.push(*token);
            }
            match &*name {
                "/svg" => within.extend(std::mem::take(&mut drawing)),
                "img" if is_hidden || tag.contains("alt=\"\"") => _ = within.insert(*token),
                _ => {}
            }
        }
    }
    within
}

/// The largest element of a run of tokens that stands around a control of the field, but for labels.
fn around_control<'r, 'a>(run: &'r [Token<'a>], field: &Field) -> Option<&'r [Token<'a>]> {
    let mut open: Vec<(String, usize, bool)> = Vec::new();
    for (at, token) in run.iter().enumerate() {
        let Token::Tag(tag) = token else { continue };
        let name = name_of(tag);
        if is_control(&name) && is_of(tag, field) {
            open.iter_mut().for_each(|element| element.2 = true);
        }
        match name.strip_prefix('/') {
            Some(name) => {
                let Some(place) = open.iter().rposition(|element| element.0 == name) else {
                    continue;
                };
                let (_, start, has_control) = open.swap_remove(place);
                open.truncate(place);
                let is_outermost = !open.iter().any(|element| element.2);
                if has_control && is_outermost && name != "label" {
                    return run.get(start..=at);
                }
            }
            None if ["input", "img", "br", "hr", "wbr"].contains(&&*name) => {}
            None => open.push((name, at, false)),
        }
    }
    None
}

/// Whether a word of a text is one that a field is read from, or marks a required one. Signs around it
/// may be left out of a label.
fn is_said(word: &str, said: &str) -> bool {
    let read = read_word(word);
    let read = read.trim_matches(|c: char| !c.is_alphanumeric());
    read.is_empty() || said.contains(read) || read.eq_ignore_ascii_case("required")
}

/// What stands in the labels, legends, selects and the like that are gone whole, but for controls; of
/// fieldsets and paragraphs the words.
fn within_holders<'a>(html: &'a str, gone: &[Token<'a>]) -> BTreeSet<Token<'a>> {
    const HOLDERS: &[&str] = &[
        "label", "legend", "fieldset", "select", "textarea", "button", "datalist", "p", "h1", "h2",
        "h3", "h4",
    ];
    // They go with their table alone.
    const HEADS: &[&str] = &["caption", "thead", "th"];
    let is_table = |token: &&Token<'_>| matches!(token, Token::Tag(tag) if name_of(tag) == "table");
    let has_table = gone.iter().any(|token| is_table(&token));
    let known: BTreeSet<&Token<'_>> = gone.iter().collect();
    let tokens = tokens(html);
    let mut within = BTreeSet::new();
    for (at, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| known.contains(token))
    {
        let Token::Tag(tag) = token else { continue };
        let name = name_of(tag);
        let is_head = has_table && HEADS.contains(&&*name);
        if !HOLDERS.contains(&&*name) && !is_head {
            continue;
        }
        let end = format!("/{name}");
        let is_end = |token: &Token<'_>| matches!(token, Token::Tag(tag) if name_of(tag) == end);
        let is_control = |token: &Token<'_>| matches!(token, Token::Tag(tag) if is_control(&name_of(tag)) && control_name(tag).is_some());
        let rest = tokens.get(at + 1..).unwrap_or_default().iter();
        let content = rest.take_while(|token| !is_end(token) && known.contains(token));
        // A select holds no controls, whatever stands in it. Of what is emptied only words go along: the
        // pictures, scripts, comments and nameless controls in it are not the field's.
        let goes = |token: &&Token<'_>| match &*name {
            "select" => true,
            "fieldset" | "p" | "caption" | "thead" | "th" => matches!(token, Token::Word(_)),
            _ => !is_control(token),
        };
        within.extend(content.filter(goes).copied());
    }
    within
}

/// That as many start tags of each element are gone as end tags.
pub fn assert_whole_elements(html: &str, markup: &str) {
    let voids = [
        "input", "br", "hr", "img", "wbr", "col", "source", "link", "meta", "area",
    ];
    // Their end tags may be left out.
    let implied = [
        "p", "li", "option", "optgroup", "td", "th", "tr", "dt", "dd", "tbody", "thead", "tfoot",
    ];
    let mut open: BTreeMap<String, i32> = BTreeMap::new();
    for token in more(html, markup) {
        let Token::Tag(tag) = token else { continue };
        let name = name_of(tag);
        match name.strip_prefix('/') {
            Some(name) => *open.entry(name.to_owned()).or_default() -= 1,
            None => *open.entry(name).or_default() += 1,
        }
    }
    open.retain(|name, _| !voids.contains(&&**name) && !name.starts_with('!'));
    for (name, count) in open {
        // Where they were not closed before, more are open now.
        let tags = tokens(html);
        let are = |name: &str| {
            let is_one =
                |token: &&Token<'_>| matches!(token, Token::Tag(tag) if name_of(tag) == name);
            tags.iter().filter(is_one).count()
        };
        if are(&name) != are(&format!("/{name}")) {
            continue;
        }
        let may_stay_open = implied.contains(&&*name) && count > 0;
        assert!(
            count == 0 || may_stay_open,
            "{count} of {name}\n{html}\n--\n{markup}"
        );
    }
}

/// That what differs between two documents is one field's: the tags of its controls and options, and
/// the texts that it is read from. Conditions stand on any element.
pub fn assert_changed_is_own(html: &str, markup: &str, before: &Field, after: &Field) {
    let said = said_by(before) + &said_by(after);
    let (gone, new) = differing(html, markup);
    let unmarks = before.required && !after.required;
    let is_helpless = !before.description.is_empty() && after.description.is_empty();
    for (tokens, field, goes) in [(gone, before, true), (new, after, false)] {
        for token in tokens {
            let is_own = match token {
                // What held the mark of a required field goes with that.
                Token::Tag(tag) if goes && unmarks && is_mark(&name_of(tag)) => true,
                // What held the help goes with that.
                Token::Tag(tag) if goes && is_helpless && is_of_text(&name_of(tag)) => true,
                Token::Word(word) => is_said(word, &said),
                Token::Tag(tag) => match name_of(tag).as_str() {
                    name if is_control(name) => is_of(tag, field),
                    "option" | "/option" | "optgroup" | "/optgroup" => {
                        before.options != after.options
                            || before.default_value != after.default_value
                            || before.placeholder != after.placeholder
                    }
                    name => is_part_of(name, field),
                },
            };
            assert!(
                is_own,
                "{token:?}\n{before:?}\n{after:?}\n{html}\n--\n{markup}"
            );
        }
    }
}

/// What is gone from a document and what is new in another, but for the conditions of elements.
fn differing<'a>(html: &'a str, markup: &'a str) -> (Vec<Token<'a>>, Vec<Token<'a>>) {
    let (mut gone, mut new) = (more(html, markup), more(markup, html));
    gone.retain(|token| {
        let Token::Tag(tag) = token else { return true };
        let bare = without_conditions(tag);
        let is_same = |other: &Token<'_>| matches!(other, Token::Tag(other) if without_conditions(other) == bare);
        let same = new.iter().position(is_same);
        same.map(|same| new.remove(same)).is_none()
    });
    // Words that what stood between them had parted.
    new.retain(|token| {
        let Token::Word(word) = token else {
            return true;
        };
        let parted = (1..word.len()).filter(|at| word.is_char_boundary(*at));
        let places = |part: &str| {
            let all = gone.iter().enumerate();
            let all = all.filter(|(_, token)| **token == Token::Word(part));
            all.map(|(place, _)| place).take(2).collect::<Vec<_>>()
        };
        let mut parted = parted.map(|at| word.split_at(at));
        let found = parted.find_map(|(one, other)| {
            let one = *places(one).first()?;
            let other = places(other).into_iter().find(|other| *other != one)?;
            Some((one, other))
        });
        let Some((one, other)) = found else {
            return true;
        };
        gone.remove(one.max(other));
        gone.remove(one.min(other));
        false
    });
    (gone, new)
}

/// A start tag without the attributes that say conditions, and without white space.
fn without_conditions(tag: &str) -> String {
    let mut bare = tag.to_owned();
    for name in CONDITIONS {
        while let Some(start) = bare.to_ascii_lowercase().find(&format!(" {name}")) {
            let behind = start + 1 + name.len();
            let rest = bare.get(behind..).unwrap_or_default();
            let value = rest.trim_start().strip_prefix('=').map(str::trim_start);
            let end = value.map_or(behind, |value| {
                let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
                let length = match quote {
                    Some(quote) => value
                        .get(1..)
                        .and_then(|value| value.find(quote))
                        .map_or(value.len(), |at| at + 2),
                    None => value
                        .find(|c: char| c.is_whitespace() || c == '>')
                        .unwrap_or(value.len()),
                };
                bare.len() - value.len() + length
            });
            bare.replace_range(start..end, "");
        }
    }
    bare.split_whitespace().collect()
}

/// Whether an element may hold the mark of a required field.
fn is_mark(name: &str) -> bool {
    const MARKS: &[&str] = &[
        "abbr", "b", "em", "font", "i", "small", "span", "strong", "sub", "sup", "u",
    ];
    MARKS.contains(&name.trim_start_matches('/'))
}

/// Whether an element holds text and is no more than that.
fn is_of_text(name: &str) -> bool {
    let name = name.trim_start_matches('/');
    is_mark(name)
        || matches!(
            name,
            "a" | "br" | "code" | "div" | "p" | "section" | "ul" | "ol"
        )
}

/// Whether an element may be what a field is, or be of its choices.
fn is_part_of(name: &str, field: &Field) -> bool {
    let name = name.trim_start_matches('/');
    match field.kind {
        FieldType::Heading => name.starts_with('h'),
        FieldType::Paragraph => name == "p",
        FieldType::Divider => name == "hr",
        FieldType::Fieldset => matches!(name, "fieldset" | "legend"),
        FieldType::Container => true,
        // Choices come and go with what holds them.
        FieldType::Radio | FieldType::Checkbox => true,
        // A new help text.
        _ => name == "small",
    }
}

/// The fields of one schema that another has no more, but for one.
pub fn emptied<'s>(before: &'s FormSchema, after: &FormSchema, but: &str) -> Vec<&'s Field> {
    let is_gone = |field: &&Field| field.name != but && after.field(&field.name).is_none();
    before.fields.iter().filter(is_gone).collect()
}

/// That what is new in a document does no more than to ask for one field: nothing that hides it or runs
/// a script, and nothing of a neighbour but what lays it out.
pub fn assert_added_is_seen(html: &str, markup: &str) {
    for token in more(markup, html) {
        let Token::Tag(tag) = token else { continue };
        // The star that rendering writes behind the label of a set.
        if tag == "<span class=\"cf-required\" aria-hidden=\"true\">" {
            continue;
        }
        let name = name_of(tag);
        let lower = tag.to_ascii_lowercase();
        let says = |attribute: &str| {
            let mut places = lower.match_indices(attribute);
            places.any(|(at, _)| {
                let before = lower.get(..at).unwrap_or_default();
                before.ends_with(|c: char| c.is_ascii_whitespace() || "\"'/".contains(c))
            })
        };
        let is_foreign = matches!(
            name.as_str(),
            "script" | "style" | "iframe" | "img" | "svg" | "template" | "object" | "embed"
        );
        let is_hidden = [
            "hidden",
            "aria-hidden",
            "style=",
            "tabindex",
            "onclick",
            "onload",
            "data-show-if",
        ]
        .iter()
        .any(|attribute| says(attribute));
        assert!(
            !is_foreign && !name.starts_with('!') && !is_hidden,
            "{tag}\n{html}\n--\n{markup}"
        );
    }
}
