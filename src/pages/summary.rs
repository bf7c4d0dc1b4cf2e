//! The summary of errors, with a link to each field.

use std::collections::BTreeSet;

use crate::forms::{Form, FormSchema};
use crate::logic::validate::AnswerFault;
use crate::markup::escape::escaped;
use crate::markup::{ids, markers};

/// Renders the summary of a form's faults below a title. `html` contains the form's fields; only elements in it become
/// targets of links. The summary takes the focus, so that screen readers announce it first.
pub fn summary(
    form: &Form,
    schema: &FormSchema,
    faults: &[AnswerFault],
    title: &str,
    html: &str,
) -> String {
    let mut out = format!(
        "<div class=\"cf-summary\" role=\"alert\" tabindex=\"-1\" autofocus>\n\
         <p class=\"cf-summary-title\">{}</p>\n<ul>\n",
        escaped(title)
    );
    let ids = ids(html);
    for fault in faults {
        let message = escaped(&fault.message);
        out += &match place_of(form, schema, fault, &ids) {
            Some(id) => format!("<li><a href=\"#{}\">{message}</a></li>\n", escaped(&id)),
            None => format!("<li>{message}</li>\n"),
        };
    }
    out + "</ul>\n</div>\n"
}

/// The id of the control with a fault, or else of its error message.
fn place_of(
    form: &Form,
    schema: &FormSchema,
    fault: &AnswerFault,
    ids: &BTreeSet<String>,
) -> Option<String> {
    let id_of = |name: &str| markers::id_of(&form.id.to_string(), name);
    let input = id_of(&fault_name(fault));
    let groups = schema.row_groups();
    let group = groups.get(fault.field.as_str());
    let number = group
        .zip(fault.input.as_deref())
        .and_then(|(group, input)| {
            let (number, _) = input
                .strip_prefix(&group.name)?
                .strip_prefix('[')?
                .split_once(']')?;
            Some([&id_of(&group.name), number, &markers::id_part(&fault.field)].join("--"))
        });
    let field = number.unwrap_or_else(|| id_of(&fault.field));
    let field_id = schema.field(&fault.field);
    let field_id = field_id
        .and_then(|field| field.attributes.get("id"))
        .cloned();
    let places = match fault.part {
        Some(part) => vec![format!("{field}--{part}")],
        // The link to a group of choices leads to the first option.
        None => vec![
            field.clone(),
            field_id.unwrap_or_default(),
            format!("{field}--1"),
        ],
    };
    let messages = [format!("{input}--error"), format!("{field}--error")];
    let mut places = places.into_iter().chain(messages);
    places.find(|id| !id.is_empty() && ids.contains(id))
}

/// The name of the input that has a fault.
pub fn fault_name(fault: &AnswerFault) -> String {
    match (&fault.input, fault.part) {
        (Some(input), _) => input.strip_suffix("[]").unwrap_or(input).to_owned(),
        (None, Some(part)) => format!("{}[{part}]", fault.field),
        (None, None) => fault.field.clone(),
    }
}
