//! Writes Contact Form 7's tags as HTML controls. Each control takes the options that it understands from its tag.

use markup::escape::{attribute as put, text as put_text};
use model::dates;
use model::logic::number::parse_number;

use super::Report;
use super::cf7_tag::Tag;
use super::values::counterpart;

/// The options that become the HTML attribute of the same name, with the same value.
const ATTRIBUTES: &str = "id maxlength minlength step size tabindex autocomplete autocapitalize";

/// Writes the control of a tag; returns `None` for an unknown type.
pub(super) fn write(tag: &mut Tag<'_>, content: &str, report: &mut Report) -> Option<String> {
    let mut out = String::new();
    let start = counterpart("contact_form_7.controls", tag.kind)?;
    if matches!(tag.kind, "checkbox" | "radio") {
        choices(&mut out, tag, report);
        return Some(out);
    }
    // The content of an acceptance is its label. Without content, the text next to the box serves as label.
    let is_labelled = tag.kind == "acceptance" && !content.trim().is_empty();
    if is_labelled {
        out.push_str("<label>");
    }
    out.push_str(start);
    let is_multiple = tag.kind == "select" && tag.take_flag("multiple");
    let after_name = if is_multiple { "[]" } else { "" };
    write_some(&mut out, &[("name", &[tag.name, after_name].concat())]);
    if is_multiple {
        put(&mut out, "multiple", "");
    }
    let mut chosen = Vec::new();
    match tag.kind {
        "select" => chosen = defaults(tag),
        "acceptance" => {
            if !tag.take("default", &|value| value == "on").is_empty() {
                put(&mut out, "checked", "");
            }
            // An `invert` box must stay unticked, which this engine cannot require.
            tag.required = !tag.take_flag("optional") && !tag.options.contains(&"invert");
        }
        "file" => file_limits(&mut out, tag),
        "submit" => {}
        _ => sizes(&mut out, tag),
    }
    attributes(&mut out, tag);
    finish(&mut out, tag, content, &chosen, report);
    if is_labelled {
        out.extend([" ", content, "</label>"]);
    }
    Some(out)
}

/// Writes the last attributes of a control, the end of its start tag, and its content with the end tag.
fn finish(
    out: &mut String,
    tag: &mut Tag<'_>,
    content: &str,
    chosen: &[usize],
    report: &mut Report,
) {
    match tag.kind {
        "select" => options(out, tag, chosen, report),
        "submit" => {
            out.push('>');
            put_text(out, tag.values.first().map_or("Send", String::as_str));
            out.push_str("</button>");
        }
        "textarea" => {
            let (default, placeholder) = value(tag);
            write_some(out, &[("placeholder", &placeholder)]);
            out.push('>');
            let shown = if default.is_empty() {
                content
            } else {
                &default
            };
            put_text(out, shown);
            out.push_str("</textarea>");
        }
        "acceptance" | "file" => out.push('>'),
        _ => {
            let (value, placeholder) = value(tag);
            write_some(out, &[("value", &value), ("placeholder", &placeholder)]);
            out.push('>');
        }
    }
}

/// Takes `40/80`, an input's size and maximum length, or `40x10/500`, a text area's columns, rows and maximum
/// length. Any of the numbers may be missing.
fn sizes(out: &mut String, tag: &mut Tag<'_>) {
    let (sign, names): (_, &[&str]) = match tag.kind {
        "textarea" => ('x', &["cols", "rows", "maxlength"]),
        _ => ('/', &["size", "maxlength"]),
    };
    let is_size = |option: &str| {
        let numbers: Vec<&str> = option.split([sign, '/']).collect();
        let has_size = numbers.iter().take(2).any(|number| !number.is_empty());
        let is_digits =
            |number: &str| number.len() <= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
        let are_digits = numbers.iter().all(|number| is_digits(number));
        option.contains(sign) && numbers.len() <= names.len() && has_size && are_digits
    };
    let taken = tag.take_first(&is_size).unwrap_or_default();
    for (name, number) in names.iter().zip(taken.split([sign, '/'])) {
        write_some(out, &[(name, number)]);
    }
}

fn file_limits(out: &mut String, tag: &mut Tag<'_>) {
    let bytes = |option: &str| option.strip_prefix("limit:").and_then(bytes_of);
    let taken = tag.take_first(&|option| bytes(option).is_some());
    if let Some(bytes) = taken.and_then(bytes) {
        put(out, "data-cf-max", &bytes.to_string());
    }
    if let Some(types) = tag.take("filetypes", &|_| true).first() {
        let dotted = |kind: &str| {
            let dot = if kind.contains(['/', '.']) { "" } else { "." };
            [dot, kind].concat()
        };
        let types: Vec<String> = types.split(['|', ',']).map(dotted).collect();
        put(out, "accept", &types.join(","));
    }
}

/// Writes the rest of a select: the end of its start tag, its options and its end tag.
fn options(out: &mut String, tag: &mut Tag<'_>, chosen: &[usize], report: &mut Report) {
    out.push('>');
    if tag.take_flag("include_blank") {
        out.push_str("<option value=\"\">\u{2014}</option>");
    }
    let first_is_label = tag.take_flag("first_as_label");
    for (number, (value, label)) in (1..).zip(choices_of(tag, report)) {
        out.push_str("<option");
        if number == 1 && first_is_label {
            put(out, "value", "");
        } else if value != label {
            put(out, "value", &value);
        }
        if chosen.contains(&number) {
            put(out, "selected", "");
        }
        out.push('>');
        put_text(out, &label);
        out.push_str("</option>");
    }
    out.push_str("</select>");
}

fn choices(out: &mut String, tag: &mut Tag<'_>, report: &mut Report) {
    let is_radio = tag.take_flag("exclusive") || tag.kind == "radio";
    let (kind, after_name, required) = if is_radio {
        ("radio", "", "required")
    } else {
        // With `required` on the first box, a browser would require that box; any box must suffice.
        ("checkbox", "[]", "data-cf-required")
    };
    let name = [tag.name, after_name].concat();
    let chosen = defaults(tag);
    // Each choice gets a label around it anyway.
    tag.take_flag("use_label_element");
    let label_first = tag.take_flag("label_first");
    let id = tag.take("id", &|_| true);
    let class = tag.take("class", &|_| true).join(" ");
    for (number, (value, label)) in (1..).zip(choices_of(tag, report)) {
        out.push_str("<label>");
        if label_first {
            put_text(out, &label);
            out.push(' ');
        }
        out.push_str("<input");
        put(out, "type", kind);
        put(out, "name", &name);
        put(out, "value", &value);
        let id = id.first().filter(|_| number == 1);
        write_some(out, &[("id", id.unwrap_or(&"")), ("class", &class)]);
        if chosen.contains(&number) {
            put(out, "checked", "");
        }
        if tag.required && number == 1 {
            put(out, required, "");
        }
        out.push('>');
        if !label_first {
            out.push(' ');
            put_text(out, &label);
        }
        out.push_str("</label> ");
    }
}

/// The value and the label of each choice. In `label|value`, mails show the text after the bar, so it becomes the
/// value. If one of these texts is an email address, all labels become the values instead: visitors must not see
/// addresses in the page.
fn choices_of(tag: &Tag<'_>, report: &mut Report) -> Vec<(String, String)> {
    let piped = |value: &String| value.split_once('|').map(|(_, after)| after.to_owned());
    let mut sent = tag.values.iter().filter_map(piped);
    let hides_addresses = sent.any(|after| after.contains('@'));
    if hides_addresses {
        report.remark("pipe", tag.name, "");
    }
    let choice = |value: &String| {
        let label = value.split('|').next().unwrap_or_default().to_owned();
        let sent = piped(value).filter(|_| !hides_addresses);
        (sent.unwrap_or_else(|| label.clone()), label)
    };
    tag.values.iter().map(choice).collect()
}

/// The numbers, from 1, of the choices that are selected initially.
fn defaults(tag: &mut Tag<'_>) -> Vec<usize> {
    let are_numbers = |value: &str| {
        value
            .split('_')
            .all(|number| number.parse::<usize>().is_ok())
    };
    let taken = tag.take("default", &are_numbers);
    let numbers = taken.iter().flat_map(|value| value.split('_'));
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// Writes the attributes that the tag's options set.
fn attributes(out: &mut String, tag: &mut Tag<'_>) {
    let class = tag.take("class", &|_| true).join(" ");
    for name in ATTRIBUTES.split(' ') {
        if let Some(value) = tag.take(name, &|_| true).first() {
            put(out, name, value);
        }
        if name == "id" && !class.is_empty() {
            put(out, "class", &class);
        }
    }
    // The bound of a date may be `today+2days`, which HTML cannot express.
    let is_date = tag.kind == "date";
    let is_bound = |value: &str| match dates::parse_day(value) {
        Some(_) => is_date,
        None => !is_date && parse_number(value).is_some(),
    };
    for name in ["min", "max"] {
        if let Some(value) = tag.take(name, &is_bound).first() {
            put(out, name, value);
        }
    }
    for flag in ["readonly", "autofocus"] {
        if tag.take_flag(flag) {
            put(out, flag, "");
        }
    }
    if tag.required {
        put(out, "required", "");
    }
}

/// The default value and the placeholder; at least one of them is empty.
fn value(tag: &mut Tag<'_>) -> (String, String) {
    let value = tag.values.first().cloned().unwrap_or_default();
    if tag.take_flag("placeholder") | tag.take_flag("watermark") {
        return (String::new(), value);
    }
    (value, String::new())
}

fn write_some(out: &mut String, attributes: &[(&str, &str)]) {
    for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
        put(out, name, value);
    }
}

/// The bytes of `2mb`, `500kb` or `1000`.
fn bytes_of(limit: &str) -> Option<u64> {
    let limit = limit.to_ascii_lowercase();
    let digits = limit.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match limit.strip_prefix(digits)? {
        "" | "b" => 1,
        "k" | "kb" => 1024,
        "m" | "mb" => 1024 * 1024,
        _ => return None,
    };
    let bytes = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    (bytes > 0).then_some(bytes)
}
