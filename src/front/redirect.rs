//! Where a visitor goes after a success.

use serde_json::{Map, Value, json};

use crate::dates::format_moment;
use crate::forms::settings::is_redirect_target;
use crate::forms::{Form, FormSchema};
use crate::hooks::argument;
use crate::logic::template::{self, Variables, expand};
use crate::submissions::Submission;
use crate::task::Context;

/// The filter on the address: (address, form, data).
const REDIRECT_URL: &str = "cf_form_redirect_url";

/// The variable whose value is known only once the submission is stored.
const SUBMISSION_ID: &str = "cf_submission_id";

/// What the address may speak of.
pub struct Facts<'a> {
    /// The form.
    pub form: &'a Form,
    /// The schema that the answers were validated by.
    pub schema: &'a FormSchema,
    /// The submission, not yet stored.
    pub submission: &'a Submission,
    /// Its answers.
    pub data: &'a Map<String, Value>,
    /// What stands in the address for the submission's id.
    pub uuid: &'a str,
}

/// The address that a form's setting means, its variables filled in and the filter
/// `cf_form_redirect_url` applied; empty for none, and for one that is neither a path nor http.
pub async fn address(cx: &Context, setting: &str, facts: &Facts<'_>) -> String {
    if setting.is_empty() && !cx.has_callbacks(Kind::Filter, REDIRECT_URL) {
        return String::new();
    }
    let timestamp = format_moment(facts.submission.submitted_at);
    let variables = variables(facts, &timestamp);
    let setting = with_stand_in(setting, facts.uuid);
    let address = expand(&setting, &variables, template::Context::Url);
    let arguments = || vec![argument::form(facts.form), json!(facts.data)];
    let address = cx.filter_text(REDIRECT_URL, address, arguments).await;
    let address = address.trim();
    if is_redirect_target(address) {
        address.to_owned()
    } else {
        String::new()
    }
}

/// The variables of a submission that is not yet stored.
pub fn variables<'a>(facts: &Facts<'a>, timestamp: &'a str) -> Variables<'a> {
    Variables {
        schema: Some(facts.schema),
        data: facts.data,
        form_id: facts.form.id,
        form_title: &facts.form.title,
        submission_id: None,
        timestamp,
        ip_address: &facts.submission.ip_address,
        user_agent: &facts.submission.user_agent,
        referrer_url: &facts.submission.referer_url,
        file_links: &[],
    }
}

/// The template with the variable of the submission's id replaced by what stands for it.
fn with_stand_in(template: &str, stand_in: &str) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, opening)) = rest
        .find(['[', '{'])
        .and_then(|at| rest.split_at_checked(at))
    {
        out.push_str(before);
        let length = SUBMISSION_ID.len() + 2;
        let variable = opening.get(..length).unwrap_or_default();
        let name = variable.get(1..length - 1).unwrap_or_default();
        let closes = variable.ends_with(if variable.starts_with('[') { ']' } else { '}' });
        if closes && name.eq_ignore_ascii_case(SUBMISSION_ID) {
            out.push_str(stand_in);
            rest = opening.get(length..).unwrap_or_default();
        } else {
            let (bracket, after) = opening.split_at_checked(1).unwrap_or((opening, ""));
            out.push_str(bracket);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_id_has_a_stand_in_until_it_is_known() {
        let rows = [
            ("/thanks/[CF_SUBMISSION_ID]?a=[name]", "/thanks/X?a=[name]"),
            (
                "/{cf_submission_id}/[CF_SUBMISSION_ID",
                "/X/[CF_SUBMISSION_ID",
            ),
            ("/[CF_SUBMISSION_ID}", "/[CF_SUBMISSION_ID}"),
            ("/[é", "/[é"),
            ("", ""),
        ];
        for (template, expected) in rows {
            assert_eq!(super::with_stand_in(template, "X"), expected);
        }
    }
}
