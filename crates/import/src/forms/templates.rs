//! Replaces the variables in templates of other products.

/// The longest text between the marks of a variable, in bytes.
const MAX_TAG_BYTES: usize = 500;

/// The marks around a product's variables.
#[derive(Clone, Copy)]
pub struct Marks {
    pub open: &'static str,
    pub close: &'static str,
}

/// `{name}`.
pub const BRACES: Marks = Marks {
    open: "{",
    close: "}",
};

/// `${name}`.
pub const DOLLAR_BRACES: Marks = Marks {
    open: "${",
    close: "}",
};

/// `{{name}}`.
pub const DOUBLE_BRACES: Marks = Marks {
    open: "{{",
    close: "}}",
};

/// `[name]`.
pub const BRACKETS: Marks = Marks {
    open: "[",
    close: "]",
};

/// Whether the text between two marks may be a variable: it starts with a word, and has no line break.
fn is_tag(tag: &str) -> bool {
    let starts =
        tag.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '/'));
    starts && tag.len() <= MAX_TAG_BYTES && !tag.contains(['{', '[', '\n', '<', ';'])
}

/// Replaces the variables of a template. `variable` returns this engine's variable; variables without one are dropped
/// and passed to `unknown`.
pub fn filled(
    template: &str,
    marks: Marks,
    variable: &dyn Fn(&str) -> Option<String>,
    unknown: &mut dyn FnMut(&str),
) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, at)) = rest.split_once(marks.open) {
        out.push_str(before);
        let found = at.split_once(marks.close);
        let Some((tag, after)) = found.filter(|(tag, _)| is_tag(tag.trim())) else {
            out.push_str(marks.open);
            rest = at;
            // Without a closing mark here, the rest has none either.
            if found.is_none() {
                break;
            }
            continue;
        };
        rest = after;
        match variable(tag.trim()) {
            Some(ours) => out.push_str(&ours),
            None => unknown(&[marks.open, tag, marks.close].concat()),
        }
    }
    out.push_str(rest);
    out
}
