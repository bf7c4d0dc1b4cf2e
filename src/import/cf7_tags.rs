//! The form-tags of Contact Form 7, such as `[email* your-email placeholder "Mail"]`, as HTML.

use super::Report;
use crate::markup::escape;

/// A form-tag.
struct Tag<'t> {
    kind: &'t str,
    required: bool,
    name: &'t str,
    options: Vec<&'t str>,
    values: Vec<String>,
}

/// Tags that stand for something that is not part of a form's markup here.
const DROPPED: [&str; 12] = [
    "captchac",
    "captchar",
    "recaptcha",
    "hcaptcha",
    "cf7-simple-turnstile",
    "turnstile",
    "quiz",
    "response",
    "count",
    "honeypot",
    "reflection",
    "stripe",
];

/// The types that HTML has as well.
const INPUTS: [&str; 10] = [
    "text", "email", "url", "tel", "number", "range", "date", "hidden", "password", "time",
];

/// A form as HTML, and the names of the checkbox groups that are required.
pub fn to_html(form: &str, report: &mut Report) -> (String, Vec<String>) {
    let mut out = String::with_capacity(form.len() * 2);
    let mut required = Vec::new();
    let mut unclosed = Vec::new();
    let mut rest = form;
    while let Some((before, at)) = rest.split_once('[') {
        out.push_str(before);
        let Some((inside, after)) = split_tag(at) else {
            out.push('[');
            rest = at;
            continue;
        };
        let Some(tag) = read(inside) else {
            out.push('[');
            rest = at;
            continue;
        };
        rest = after;
        // `[textarea x]text[/textarea]`, `[acceptance x]text[/acceptance]`
        let closing = ["[/", tag.kind, "]"].concat();
        let may_close =
            matches!(tag.kind, "acceptance" | "textarea" | "quiz") && !unclosed.contains(&tag.kind);
        let content = match may_close.then(|| rest.split_once(&closing)) {
            Some(Some((own, after))) => {
                rest = after;
                own
            }
            Some(None) => {
                // No later tag needs to look for it either.
                unclosed.push(tag.kind);
                ""
            }
            None => "",
        };
        if DROPPED.contains(&tag.kind) {
            let message = "The tag is left out: spam is checked without it.";
            report.note("dropped_tag", inside, message);
            continue;
        }
        if tag.kind == "checkbox" && tag.required {
            required.push(tag.name.to_owned());
        }
        if !write(&mut out, &tag, content) {
            report.note(
                "unknown_tag",
                inside,
                "The tag is not known and stays as it is.",
            );
            out.push('[');
            out.push_str(inside);
            out.push(']');
            out.push_str(content);
        }
        note_options(&tag, report);
    }
    out.push_str(rest);
    (out, required)
}

/// What is inside of a tag and what follows it. A bracket in quotes ends no tag.
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
            values.push(htmlize::unescape(value).into_owned());
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
    let needs_name = !matches!(
        kind,
        "submit" | "response" | "recaptcha" | "turnstile" | "hcaptcha"
    );
    let name = if needs_name {
        words.next().unwrap_or_default()
    } else {
        ""
    };
    Some(Tag {
        kind,
        required: first.ends_with('*'),
        name,
        options: words.collect(),
        values,
    })
}

impl Tag<'_> {
    fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options
            .iter()
            .find_map(|option| option.strip_prefix(name)?.strip_prefix(':'))
    }

    /// The attributes that the options give, and those of the field itself.
    fn attributes(&self, out: &mut String) {
        for name in [
            "id",
            "class",
            "maxlength",
            "minlength",
            "min",
            "max",
            "step",
            "autocomplete",
        ] {
            if let Some(value) = self.option(name) {
                escape::attribute(out, name, value);
            }
        }
        for flag in ["readonly", "autofocus"] {
            if self.has(flag) {
                escape::attribute(out, flag, "");
            }
        }
        if self.required {
            escape::attribute(out, "required", "");
        }
    }

    /// A default or placeholder, whichever the value is.
    fn value(&self) -> (&'static str, &str) {
        let value = self.values.first().map_or("", String::as_str);
        if self.has("placeholder") || self.has("watermark") {
            ("placeholder", value)
        } else {
            ("value", value)
        }
    }
}

/// Writes a tag; false for one whose type is not known.
fn write(out: &mut String, tag: &Tag<'_>, content: &str) -> bool {
    match tag.kind {
        kind if INPUTS.contains(&kind) => {
            out.push_str("<input");
            escape::attribute(out, "type", kind);
            escape::attribute(out, "name", tag.name);
            tag.attributes(out);
            let (name, value) = tag.value();
            if !value.is_empty() {
                escape::attribute(out, name, value);
            }
            out.push('>');
        }
        "textarea" => {
            out.push_str("<textarea");
            escape::attribute(out, "name", tag.name);
            tag.attributes(out);
            let (name, value) = tag.value();
            if name == "placeholder" && !value.is_empty() {
                escape::attribute(out, name, value);
            }
            out.push('>');
            let is_default = name == "value" && !value.is_empty();
            escape::text(out, if is_default { value } else { content });
            out.push_str("</textarea>");
        }
        "select" => select(out, tag),
        "checkbox" | "radio" => choices(out, tag),
        "acceptance" => {
            out.push_str("<label><input type=\"checkbox\" value=\"1\"");
            escape::attribute(out, "name", tag.name);
            if !tag.has("optional") {
                escape::attribute(out, "required", "");
            }
            out.push_str("> ");
            out.push_str(content);
            out.push_str("</label>");
        }
        "file" => {
            out.push_str("<input type=\"file\"");
            escape::attribute(out, "name", tag.name);
            tag.attributes(out);
            if let Some(types) = tag.option("filetypes") {
                let dotted = |kind: &str| match kind.contains(['/', '.']) {
                    true => kind.to_owned(),
                    false => [".", kind].concat(),
                };
                let types: Vec<String> = types.split(['|', ',']).map(dotted).collect();
                escape::attribute(out, "accept", &types.join(","));
            }
            out.push('>');
        }
        "submit" => {
            out.push_str("<button type=\"submit\">");
            escape::text(out, tag.values.first().map_or("Send", String::as_str));
            out.push_str("</button>");
        }
        _ => return false,
    }
    true
}

/// What is shown of a choice, and sent: after a bar stands what only mails show.
fn shown(value: &str) -> &str {
    value.split('|').next().unwrap_or_default()
}

/// Whether the choice of that number, from 1, is chosen at first.
fn is_default(tag: &Tag<'_>, number: usize) -> bool {
    let numbers = tag.option("default").unwrap_or_default();
    numbers.split('_').any(|own| own == number.to_string())
}

fn select(out: &mut String, tag: &Tag<'_>) {
    out.push_str("<select");
    let multiple = tag.has("multiple");
    let name = if multiple {
        [tag.name, "[]"].concat()
    } else {
        tag.name.to_owned()
    };
    escape::attribute(out, "name", &name);
    if multiple {
        escape::attribute(out, "multiple", "");
    }
    tag.attributes(out);
    out.push('>');
    if tag.has("include_blank") {
        out.push_str("<option value=\"\">\u{2014}</option>");
    }
    for (index, value) in tag.values.iter().enumerate() {
        let is_label = index == 0 && tag.has("first_as_label");
        out.push_str("<option");
        if is_label {
            out.push_str(" value=\"\"");
        }
        if is_default(tag, index + 1) {
            escape::attribute(out, "selected", "");
        }
        out.push('>');
        escape::text(out, shown(value));
        out.push_str("</option>");
    }
    out.push_str("</select>");
}

fn choices(out: &mut String, tag: &Tag<'_>) {
    let is_radio = tag.kind == "radio" || tag.has("exclusive");
    let name = if is_radio {
        tag.name.to_owned()
    } else {
        [tag.name, "[]"].concat()
    };
    for (index, value) in tag.values.iter().enumerate() {
        out.push_str("<label><input");
        escape::attribute(out, "type", if is_radio { "radio" } else { "checkbox" });
        escape::attribute(out, "name", &name);
        escape::attribute(out, "value", shown(value));
        // CF7's radios always have an answer.
        if is_default(tag, index + 1) {
            escape::attribute(out, "checked", "");
        }
        out.push_str("> ");
        escape::text(out, shown(value));
        out.push_str("</label> ");
    }
}

fn note_options(tag: &Tag<'_>, report: &mut Report) {
    if tag.values.iter().any(|value| value.contains('|')) && tag.kind != "submit" {
        let message = "What mails showed in place of the choices (after the bar) is left out.";
        report.note("pipe", tag.name, message);
    }
    for option in &tag.options {
        let asks_elsewhere = [
            "default:get",
            "default:post",
            "default:user_",
            "default:shortcode",
            "data:",
        ]
        .iter()
        .any(|beginning| option.starts_with(beginning));
        if asks_elsewhere || *option == "free_text" || option.starts_with("limit:") {
            report.note(
                "unknown_option",
                tag.name,
                [option, " is left out."].concat(),
            );
        }
    }
}
