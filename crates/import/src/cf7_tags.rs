//! Converts the form-tags of Contact Form 7, such as `[email* your-email placeholder "Mail"]`.

use model::entities::unescape;

use super::Report;
use super::cf7_controls::write;
use super::cf7_paragraphs::{HIDDEN, INLINE, is_placeholder, with_paragraphs};
use super::cf7_tag::Tag;
use super::values::counterpart;

/// Converts a form to HTML.
pub fn to_html(form: &str, report: &mut Report) -> String {
    // Placeholders stand for the controls until the paragraphs are added, so that lines in a control do not become
    // paragraphs. Their characters are first removed from the author's text.
    let form = form.replace(is_placeholder, "");
    let mut out = String::with_capacity(form.len());
    let mut controls = Vec::new();
    let mut unclosed = Vec::new();
    let mut rest = form.as_str();
    while let Some((before, at)) = rest.split_once('[') {
        out.push_str(before);
        let read_tag = |(inside, after)| Some((inside, read(inside)?, after));
        let Some((inside, mut tag, after)) = split_tag(at).and_then(read_tag) else {
            out.push('[');
            rest = at;
            continue;
        };
        rest = after;
        // A tag may have content: `[textarea x]content[/textarea]`, `[acceptance x]content[/acceptance]`.
        let closing = ["[/", tag.kind, "]"].concat();
        let may_close = matches!(tag.kind, "acceptance" | "textarea" | "quiz");
        let mut content = "";
        if may_close && !unclosed.contains(&tag.kind) {
            if let Some((text, after)) = rest.split_once(&closing) {
                (content, rest) = (text, after);
            } else {
                // Later tags of this kind need no search for a closing tag.
                unclosed.push(tag.kind);
            }
        }
        if let Some(reason) = counterpart("contact_form_7.dropped_tags", tag.kind) {
            report.remark("dropped_tag", inside, reason);
        } else if let Some(control) = write(&mut tag, content, report) {
            out.push(if tag.kind == "hidden" { HIDDEN } else { INLINE });
            put_number(&mut out, controls.len());
            controls.push(control);
            for option in &tag.options {
                report.remark("unknown_option", tag.name, option);
            }
        } else {
            report.remark("unknown_tag", inside, "");
            out.extend(["[", inside, "]", content]);
        }
    }
    out.push_str(rest);
    with_controls(&with_paragraphs(&out), &controls)
}

/// The noncharacter for the digit 0 of a placeholder's number; the next nine stand for 1 to 9.
const ZERO: u32 = 0xfde0;

fn put_number(out: &mut String, number: usize) {
    let digits = number.to_string();
    let placeholder = |digit: char| char::from_u32(ZERO + digit.to_digit(10)?);
    out.extend(digits.chars().filter_map(placeholder));
}

/// Replaces each placeholder in a text with its control.
fn with_controls(text: &str, controls: &[String]) -> String {
    let mut whole = String::with_capacity(text.len() * 2);
    let mut pieces = text.split([INLINE, HIDDEN]);
    whole.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let rest = piece.trim_start_matches(is_placeholder);
        let digits = piece.strip_suffix(rest).unwrap_or_default().chars();
        let number = digits.fold(0, |number, digit| {
            number * 10 + u32::from(digit).saturating_sub(ZERO) as usize
        });
        whole.push_str(controls.get(number).map_or("", String::as_str));
        whole.push_str(rest);
    }
    whole
}

/// Splits the text after a `[` into the inside of the tag and the rest. A bracket in quotes does not end the tag.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (index, c) in text.char_indices().take(4_000) {
        match (quote, c) {
            (None, ']') => {
                let (inside, after) = text.split_at_checked(index)?;
                return Some((inside, after.strip_prefix(']')?));
            }
            (None, '[' | '<') => return None,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

fn read(inside: &str) -> Option<Tag<'_>> {
    let mut rest = inside.trim();
    let mut words = Vec::new();
    let mut values = Vec::new();
    while !rest.is_empty() {
        if let Some(open) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let (value, after) = rest.strip_prefix(open)?.split_once(open)?;
            values.push(unescape(value).into_owned());
            rest = after.trim_start();
        } else {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            words.push(word);
            rest = after.trim_start();
        }
    }
    let mut words = words.into_iter();
    let first = words.next()?;
    let kind = first.trim_end_matches('*');
    let is_kind = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    if kind.is_empty() || !kind.chars().all(is_kind) {
        return None;
    }
    let name = match kind {
        "submit" | "response" | "recaptcha" | "turnstile" | "hcaptcha" => "",
        _ => words.next().unwrap_or_default(),
    };
    Some(Tag {
        kind,
        required: first.ends_with('*'),
        name,
        options: words.collect(),
        values,
    })
}
