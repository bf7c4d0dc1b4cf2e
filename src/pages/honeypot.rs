//! The honeypot: an input that only bots fill in.

use crate::forms::Form;
use crate::markup::escape::escaped;
use crate::spam::honeypot_name;

/// Renders the honeypot: an input that is hidden from people and screen readers.
pub fn honeypot(html: &mut String, form: &Form) {
    let (words, name) = (escaped(form.word("leave_empty")), honeypot_name(form.id));
    html.push_str(&format!(
        "<div hidden aria-hidden=\"true\"><label>{words} \
         <input type=\"text\" name=\"{name}\" value=\"\" tabindex=\"-1\" autocomplete=\"off\"></label></div>\n"
    ));
}
