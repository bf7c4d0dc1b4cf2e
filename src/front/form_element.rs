//! The form element: what the engine adds around a form's own markup.

use serde_json::{Value, json};

use super::checks::widgets;
use super::input::Sent;
use super::outcome::message;
use super::spam::honeypot_name;
use crate::error::Error;
use crate::forms::{Field, FieldType, Form, FormSchema, LayoutType, rendered_markup};
use crate::hooks::Kind;
use crate::logic::validate::AnswerFault;
use crate::markup::{Filling, escape, fill};
use crate::security::{Signer, Use};
use crate::task::Context;

/// The longest key that a page hands on.
const MAX_KEY_CHARS: usize = 200;

/// What the visitor's script says when a submit gets no answer: the attribute of the form element
/// and the key of the message.
const UNSENT_TEXT: (&str, &str) = ("data-text-unsent", "network_error");

/// What it says of a set of boxes of which none is ticked, though one must be.
const CHOOSE_TEXT: (&str, &str) = ("data-text-choose", "required_choice_missing");

/// Its words for a form of several steps (host-shim/front/steps.ts).
const STEP_TEXTS: [(&str, &str); 3] = [
    ("data-text-next", "next_step"),
    ("data-text-back", "previous_step"),
    ("data-text-step", "step_progress"),
];

/// A message to the visitor.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Whether it tells of a success.
    pub is_success: bool,
    /// What it says.
    pub text: &'a str,
}

/// A form as a page holds it.
#[derive(Clone, Copy)]
pub struct FormElement<'a> {
    /// The form.
    pub form: &'a Form,
    /// The schema that it is validated by.
    pub schema: &'a FormSchema,
    /// Where it is sent to.
    pub action: &'a str,
    /// The page that led to this one, for a form that is shown for the first time.
    pub referrer: &'a str,
    /// What was sent, for a form that is shown again.
    pub sent: Option<&'a Sent>,
    /// What is wrong with that.
    pub faults: &'a [AnswerFault],
    /// What to say.
    pub message: Option<Message<'a>>,
}

impl FormElement<'_> {
    /// Its HTML, as the filters `cf_form_markup` and `cf_form_html` (html, form) leave it.
    pub async fn html(&self, cx: &Context, signer: &Signer) -> Result<String, Error> {
        let form = self.form;
        let fields = rendered_markup(cx, form).await?;
        let fields = filtered(cx, "cf_form_markup", fields, form).await;
        let mut html = String::with_capacity(fields.len() + 2_000);
        let layout = self.schema.layout.kind;
        self.open(&mut html);
        self.text(&mut html, cx, UNSENT_TEXT).await;
        if self.schema.fields.iter().any(is_required_set) {
            self.text(&mut html, cx, CHOOSE_TEXT).await;
        }
        if layout != LayoutType::Single {
            html.push_str(" data-steps");
            html.push_str(if layout == LayoutType::Conversational {
                "=\"conversational\""
            } else {
                "=\"multi-step\""
            });
            for text in STEP_TEXTS {
                self.text(&mut html, cx, text).await;
            }
        }
        html.push_str(">\n");
        self.hidden_inputs(&mut html, signer, cx.now())?;
        honeypot(&mut html, form.id);
        messages(&mut html, self.message);
        // Without script they say that the form needs it, before the visitor fills it in; the
        // script moves them to the button.
        let widgets = widgets(form);
        if !widgets.is_empty() {
            let message = message(cx, form, "captcha_required").await;
            for widget in widgets {
                widget.write(&mut html, &message);
            }
        }
        html.push_str(&self.filled(&fields));
        let submits = |field: &Field| field.kind == FieldType::Submit;
        if !self.schema.fields.iter().any(submits) {
            html.push_str("\n<p class=\"cf-field\"><button type=\"submit\" class=\"cf-submit\">");
            escape::text(&mut html, &message(cx, form, "send").await);
            html.push_str("</button></p>\n");
        }
        html.push_str("</form>\n");
        Ok(filtered(cx, "cf_form_html", html, form).await)
    }

    /// A text of the form as an attribute, for the visitor's script.
    async fn text(&self, html: &mut String, cx: &Context, (name, code): (&str, &str)) {
        escape::attribute(html, name, &message(cx, self.form, code).await);
    }

    /// The start tag, without its `>`.
    fn open(&self, html: &mut String) {
        let form = self.form;
        html.push_str("<form method=\"post\"");
        escape::attribute(html, "action", self.action);
        if self.schema.takes_files() {
            escape::attribute(html, "enctype", "multipart/form-data");
        }
        escape::attribute(html, "class", &format!("cf-form cf-form-{}", form.id));
        escape::attribute(html, "data-id", &form.id.to_string());
        escape::attribute(html, "data-slug", &form.slug);
        escape::attribute(html, "data-title", &form.title);
        escape::attribute(html, "aria-label", &form.title);
        // Without script every conditional field is shown: the browser must not insist on those
        // that the server will find hidden. The script asks the browser to check again.
        if self
            .schema
            .fields
            .iter()
            .any(|field| !field.conditions.is_empty())
        {
            html.push_str(" novalidate");
        }
    }

    /// What travels with the answers. A form that is shown again keeps its key and its time: it is
    /// still the same submission.
    fn hidden_inputs(&self, html: &mut String, signer: &Signer, now: i64) -> Result<(), Error> {
        let id = self.form.id;
        let sent = |name: &str| self.sent.and_then(|sent| sent.value(name));
        let key = sent("_submission_key").filter(|key| key.chars().count() <= MAX_KEY_CHARS);
        let key = match key {
            Some(key) => key.to_owned(),
            None => crate::security::random::token(16)?,
        };
        let time = sent("_cf_time")
            .filter(|token| signer.moment(Use::Rendered, id, token).is_some())
            .map_or_else(|| signer.sign(Use::Rendered, id, now), str::to_owned);
        let referrer = sent("_cf_referrer").unwrap_or(self.referrer);
        for (name, value) in [
            ("_submission_key", key.as_str()),
            ("_cf_time", time.as_str()),
            ("_cf_referrer", referrer),
            ("_cf_page", sent("_cf_page").unwrap_or_default()),
            ("_cf_seconds", ""),
        ] {
            html.push_str("<input type=\"hidden\"");
            escape::attribute(html, "name", name);
            html.push_str(" value=\"");
            escape::attribute_value(html, value);
            // A browser that restores a page would restore the key of what was sent already.
            html.push_str("\" autocomplete=\"off\">\n");
        }
        Ok(())
    }

    /// The fields with what was sent and what is wrong with it.
    fn filled(&self, fields: &str) -> String {
        let Some(sent) = self.sent else {
            return fields.to_owned();
        };
        let values: Vec<(String, Vec<String>)> = sent
            .input
            .iter()
            .map(|(name, values)| (name.to_owned(), values.to_vec()))
            .collect();
        let faults: Vec<(String, String)> = self
            .faults
            .iter()
            .map(|fault| (fault_name(fault), fault.message.clone()))
            .collect();
        fill(
            fields,
            &Filling {
                values: &values,
                faults: &faults,
                instance: &self.form.id.to_string(),
            },
        )
    }
}

/// Whether one of several boxes must be ticked, which browsers have no attribute for.
fn is_required_set(field: &Field) -> bool {
    field.kind == FieldType::Checkbox && field.required && !field.options.is_empty()
}

/// The name of the input that a fault is about.
pub fn fault_name(fault: &AnswerFault) -> String {
    match fault.part {
        Some(part) => format!("{}[{part}]", fault.field),
        None => fault.field.clone(),
    }
}

/// What a page shows in place of a form that takes nothing now.
///
/// `link` is where to go from here: the address and its words.
pub fn closed(form: &Form, message: Message<'_>, link: Option<&(String, String)>) -> String {
    let mut html = format!(
        "<div class=\"cf-form cf-form-{} cf-form-closed\">\n",
        form.id
    );
    messages(&mut html, Some(message));
    if let Some((address, words)) = link {
        html.push_str("<p class=\"cf-link\"><a");
        escape::attribute(&mut html, "href", address);
        html.push('>');
        escape::text(&mut html, words);
        html.push_str("</a></p>\n");
    }
    html.push_str("</div>\n");
    html
}

/// An input that people neither see nor hear of.
fn honeypot(html: &mut String, form_id: i64) {
    html.push_str("<div hidden aria-hidden=\"true\"><label>Leave this empty <input type=\"text\"");
    escape::attribute(html, "name", &honeypot_name(form_id));
    html.push_str(" value=\"\" tabindex=\"-1\" autocomplete=\"off\"></label></div>\n");
}

fn messages(html: &mut String, message: Option<Message<'_>>) {
    html.push_str("<div class=\"cf-messages\" role=\"status\" aria-live=\"polite\">");
    if let Some(message) = message {
        let kind = if message.is_success {
            "success"
        } else {
            "error"
        };
        html.push_str(&format!("<p class=\"cf-message cf-message-{kind}\">"));
        escape::text(html, message.text);
        html.push_str("</p>");
    }
    html.push_str("</div>\n");
}

async fn filtered(cx: &Context, name: &str, html: String, form: &Form) -> String {
    if !cx.has_callbacks(Kind::Filter, name) {
        return html;
    }
    match cx
        .apply_filters(name, json!(html), &[json!(form.view())])
        .await
    {
        Value::String(changed) => changed,
        _ => html,
    }
}
