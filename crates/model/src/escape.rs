//! Escapes text for HTML.

/// Appends text for element content.
pub fn text(out: &mut String, text: &str) {
    push_escaped(out, text, false);
}

/// Appends ` name="value"`, or ` name` for an empty value. The name must be valid in HTML.
pub fn attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    if !value.is_empty() {
        out.push_str("=\"");
        attribute_value(out, value);
        out.push('"');
    }
}

/// Appends text for an attribute value in double quotes.
pub fn attribute_value(out: &mut String, value: &str) {
    push_escaped(out, value, true);
}

/// Escapes text for both element content and an attribute value in double quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    attribute_value(&mut out, text);
    out
}

fn push_escaped(out: &mut String, text: &str, is_quoted: bool) {
    let mut plain = 0;
    for (index, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' if is_quoted => "&quot;",
            _ => continue,
        };
        out.push_str(text.get(plain..index).unwrap_or_default());
        out.push_str(reference);
        plain = index + 1;
    }
    out.push_str(text.get(plain..).unwrap_or_default());
}
