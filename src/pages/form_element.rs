//! The `form` element, which the engine renders around a form's fields.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use super::answers::{has_review, review};
use super::file_notes::{KeptFile, file_notes};
use super::honeypot::honeypot;
use super::messages::{Message, messages};
use super::rows::{add_enter_button, focus_changed_row, remaining, shown_rows};
use super::script_texts::add_script_texts;
use super::seats::noted;
use super::summary::{fault_name, summary};
use super::texts::message;
use super::theme::preset;
use crate::error::Error;
use crate::forms::language::{direction, language};
use crate::forms::{
    CHOOSE, Field, Form, FormSchema, LayoutType, Visitors, effective_schema, form_argument, marked,
    rendered_markup,
};
use crate::hooks::Kind;
use crate::logic::conditions::Visibility;
use crate::logic::display::answer_text;
use crate::logic::input::Input;
use crate::logic::piping::Piped;
use crate::logic::prefill::{Prefill, without_answers};
use crate::logic::validate::piped_input;
use crate::logic::validate::{AnswerFault, answers_in};
use crate::markup::escape::{attribute, escaped};
use crate::markup::{Filling, fill, with_file_notes};
use crate::ordered::Gather;
use crate::security::{Signer, Use};
use crate::spam::widgets;
use crate::store::StoreError;
use crate::task::Context;
use model::dates::DAY_MS;
use model::messages::WORDS;

/// Limit on the submission key that a page repeats, in characters.
const MAX_KEY_CHARS: usize = 200;

/// A form in a page.
#[derive(Clone)]
pub struct FormElement<'a> {
    /// The form.
    pub form: &'a Form,
    /// The effective schema of the form.
    pub schema: Rc<FormSchema>,
    /// The URL to which the form is sent.
    pub action: String,
    /// The page that the visitor came from, when the form is shown for the first time.
    pub referrer: &'a str,
    /// The sent values, when the form is shown again.
    pub sent: Option<&'a Input>,
    /// The stored files that the next submit claims.
    pub kept: Vec<KeptFile>,
    /// The answers in the page's URL.
    pub prefill: Prefill,
    /// The faults of the sent values.
    pub faults: &'a [AnswerFault],
    /// The message above the fields.
    pub message: Option<Message<'a>>,
    /// The answers to review, as pairs of label and text; `None` if the page is not a review.
    pub reviewed: Option<&'a [(String, String)]>,
    /// The step at which saved progress continues; empty for the first step.
    pub step: &'a str,
    /// Whether the element becomes part of another page, which lacks the form's language and theme.
    pub is_embedded: bool,
}

impl<'a> FormElement<'a> {
    /// Creates the element of a form that is shown for the first time.
    pub fn of(cx: &Context, form: &'a Form, action: String) -> Result<FormElement<'a>, StoreError> {
        Ok(FormElement {
            form,
            schema: effective_schema(cx, form)?,
            action,
            referrer: "",
            sent: None,
            kept: Vec::new(),
            prefill: Prefill::default(),
            faults: &[],
            message: None,
            reviewed: None,
            step: "",
            is_embedded: false,
        })
    }

    /// Renders the element, and applies the filters `cf_form_markup` and `cf_form_html` (html, form).
    pub async fn html(&self, cx: &Context, signer: &Signer) -> Result<String, Error> {
        let form = self.form;
        let words = Rc::new(words(form));
        let visitors = self.visitors(&words, form.local(cx, cx.now()).await);
        let mut fields = rendered_markup(cx, form, visitors).await?;
        let shown = || vec![form_argument(form)];
        if cx.has_callbacks(Kind::Filter, "cf_form_markup") {
            let filtered = cx.filter_text("cf_form_markup", fields, shown).await;
            fields = marked(form, &filtered, &words);
        }
        let mut html = String::with_capacity(fields.len() + 2_000);
        let layout = self.schema.layout.kind;
        self.open(&mut html, cx);
        let max_bytes = cx.shared().configuration().upload_limit;
        if self.schema.takes_files() && max_bytes > 0 {
            attribute(&mut html, "data-max-bytes", &max_bytes.to_string());
        }
        let has_prefill = !self.prefill.values.is_empty();
        add_script_texts(&mut html, cx, form, &self.schema, has_prefill).await;
        html.push_str(match layout {
            LayoutType::Single => "",
            LayoutType::Conversational => " data-steps=\"conversational\"",
            LayoutType::MultiStep => " data-steps=\"multi-step\"",
        });
        html.push_str(">\n");
        self.hidden_inputs(&mut html, signer, cx.now())?;
        honeypot(&mut html, form);
        if form.saving() == "auto" {
            let words = escaped(form.word("save_auto"));
            html += &format!("<p class=\"cf-description\">{words}</p>\n");
        }
        let fields = self.filled(&fields);
        let fields = noted(cx, form, &self.schema, fields).await?;
        self.messages(&mut html, &fields);
        // The captcha widgets come first, so that visitors without JavaScript read at once that the form needs it. The
        // visitor's script moves the widgets to the button.
        let widgets = widgets(form);
        if !widgets.is_empty() {
            let message = message(cx, form, "captcha_required").await;
            html.extend(widgets.iter().map(|widget| widget.html(&message)));
        }
        if let Some(answers) = self.reviewed {
            let send = message(cx, form, "send").await;
            review(&mut html, form, answers, &send);
            self.pressed_button(&mut html);
        }
        match self.sent {
            Some(sent) => html.push_str(&focus_changed_row(&self.schema, sent, &fields)),
            None => html.push_str(&fields),
        }
        self.submit_button(&mut html, cx).await;
        self.save_button(&mut html);
        if self.reviewed.is_some() {
            html.push_str("</details>\n");
        }
        html.push_str("</form>\n");
        Ok(cx.filter_text("cf_form_html", html, shown).await)
    }

    fn visitors(&self, words: &Rc<BTreeMap<String, String>>, now: i64) -> Visitors {
        let (piped, calculated) = self.known(now);
        let rows = self.sent.map(|sent| shown_rows(&self.schema, sent));
        Visitors {
            words: Rc::clone(words),
            piped,
            calculated: Rc::new(calculated),
            rows: rows.unwrap_or_default(),
        }
    }

    /// Writes the message above the fields, or the summary of the faults if there are any.
    fn messages(&self, html: &mut String, fields: &str) {
        match self.message {
            Some(message) if !self.faults.is_empty() => {
                let title = message.text;
                html.push_str(&summary(
                    self.form,
                    &self.schema,
                    self.faults,
                    title,
                    fields,
                ));
                messages(html, None);
            }
            message => messages(html, message),
        }
    }

    /// Writes a submit button, if the form has none.
    async fn submit_button(&self, html: &mut String, cx: &Context) {
        let submits = |field: &Field| field.kind.is_button();
        if !self.schema.fields.iter().any(submits) {
            let send = escaped(&message(cx, self.form, "send").await);
            *html += &format!(
                "\n<p class=\"cf-field\"><button type=\"submit\" class=\"cf-submit\">{send}</button></p>\n"
            );
        }
    }

    /// Writes the button that saves progress. It follows the submit button, since Enter presses the first button.
    fn save_button(&self, html: &mut String) {
        let form = self.form;
        if form.saving() == "off" || self.reviewed.is_some() {
            return;
        }
        html.push_str("<p class=\"cf-field\"><button type=\"submit\" class=\"cf-save\" name=\"_cf_save\" value=\"1\" formnovalidate");
        attribute(html, "formaction", &[&self.action, "/saved"].concat());
        *html += &format!(">{}</button></p>\n", escaped(form.word("save_later")));
    }

    /// Writes the start tag without its `>`, since the caller adds attributes.
    fn open(&self, html: &mut String, cx: &Context) {
        let form = self.form;
        let id = form.id.to_string();
        let class = format!("cf-form cf-form-{id}");
        html.push_str("<form method=\"post\"");
        attribute(html, "action", &self.action);
        if self.schema.takes_files() {
            attribute(html, "enctype", "multipart/form-data");
        }
        for (name, value) in [
            ("class", class.as_str()),
            ("data-id", &id),
            ("data-slug", &form.slug),
            ("data-title", &form.title),
            ("aria-label", &form.title),
            // Overrides the encoding of the surrounding page.
            ("accept-charset", "utf-8"),
        ] {
            attribute(html, name, value);
        }
        if self.is_embedded {
            if let Some(language) = language(form) {
                attribute(html, "lang", language);
                attribute(html, "dir", direction(language));
            }
            if let Some(preset) = preset(form) {
                attribute(html, "data-cf-theme", preset);
            }
        }
        // The script fills only this many containers: the author's markup after them may contain look-alikes.
        match widgets(form).len() {
            0 => {}
            count => attribute(html, "data-captchas", &count.to_string()),
        }
        if has_review(form, &self.schema) {
            html.push_str(" data-review");
        }
        if form.setting("auto_advance") == Some(&Value::Bool(false)) {
            html.push_str(" data-stay");
        }
        if self.sent.is_some() {
            html.push_str(" data-again");
        }
        if !self.step.is_empty() {
            attribute(html, "data-at", self.step);
        }
        if form.saving() != "off" {
            attribute(html, "data-save", form.saving());
            if form.mails_saved_link(cx) {
                html.push_str(" data-save-mail");
            }
        }
        // Without script every conditional field is visible, so the browser must not require fields that the server
        // treats as hidden. The script switches the browser's validation on again.
        let mut fields = self.schema.fields.iter();
        if fields.any(|field| !field.conditions.is_empty()) {
            html.push_str(" novalidate");
        }
    }

    /// Writes the hidden inputs. A form that is shown again keeps its key and its time, since the next submit is the
    /// same submission.
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
        let mut page = sent("_cf_page").unwrap_or_default().to_owned();
        if self.form.has_prefill() {
            page = without_answers(&self.schema, &page);
        }
        let saved =
            ["_cf_saved", "_cf_saved_version"].map(|name| (name, sent(name).unwrap_or_default()));
        let saved = saved.into_iter().filter(|(_, value)| !value.is_empty());
        for (name, value) in saved.chain([
            ("_submission_key", key.as_str()),
            ("_cf_time", time.as_str()),
            ("_cf_referrer", referrer),
            ("_cf_page", &page),
            ("_cf_seconds", ""),
        ]) {
            let value = escaped(value);
            // Without `autocomplete="off"` a browser that restores a page would restore a used key.
            html.push_str(&format!(
                "<input type=\"hidden\" name=\"{name}\" value=\"{value}\" autocomplete=\"off\">\n"
            ));
        }
        add_enter_button(html, &self.schema);
        Ok(())
    }

    /// Adds the button that the visitor pressed before the review as a hidden input, since the review has its own
    /// button.
    fn pressed_button(&self, html: &mut String) {
        let Some(sent) = self.sent else { return };
        let buttons = self.schema.answer_fields();
        for button in buttons.filter(|field| field.kind.is_button()) {
            if let Some(value) = sent.last(&button.name) {
                html.push_str("<input type=\"hidden\"");
                attribute(html, "name", &button.name);
                attribute(html, "value", value);
                html.push_str(">\n");
            }
        }
    }

    /// The texts of the page's pipes and the calculated values, from the sent answers or else from the answers in the
    /// page's URL.
    fn known(&self, now: i64) -> (Piped, BTreeMap<String, String>) {
        let (form, schema) = (self.form, &self.schema);
        let has_pipes = form.has_pipes(schema);
        if !has_pipes && !schema.fields.iter().any(Field::is_calculated) {
            return Default::default();
        }
        let in_address = Input::of_pairs(self.prefill.pairs(), Vec::new());
        let sent = self.sent.map(|sent| remaining(schema, sent));
        let input = sent.as_deref().unwrap_or(&in_address);
        let visibility = Visibility::of(schema);
        let settled = visibility.settle(&mut answers_in(schema, input), now.div_euclid(DAY_MS));
        let shown = settled.calculated.iter().filter_map(|(name, result)| {
            let value = Value::from(result.value.as_deref()?);
            // In a row, the input's name ends with the field's name in brackets.
            let column = name
                .rsplit_once("][")
                .map(|(_, column)| column.trim_end_matches(']'));
            let field = schema.field(name).or_else(|| schema.field(column?));
            Some((name.clone(), answer_text(field?, &value, &form.messages)))
        });
        let shown = shown.gather();
        let piped = if has_pipes {
            piped_input(schema, &settled, input, &form.messages)
        } else {
            Piped::new()
        };
        (piped, shown)
    }

    /// Fills the sent values and their faults into the fields, or else the answers in the page's URL.
    fn filled(&self, fields: &str) -> String {
        let notes = file_notes(self.form, &self.schema, &self.kept);
        let Some(sent) = self.sent else {
            if self.prefill.values.is_empty() {
                return with_file_notes(fields, &notes);
            }
            let filling = Filling {
                values: &self.prefill.values,
                prefill: Some(&self.prefill.hidden),
                ..Filling::default()
            };
            return with_file_notes(&fill(fields, &filling), &notes);
        };
        let values = sent.iter();
        let values = values.map(|(name, values)| (name.to_owned(), values.to_vec()));
        let faults = self.faults.iter();
        let faults = faults.map(|fault| (fault_name(fault), fault.short.clone()));
        let filling = Filling {
            values: &Vec::from_iter(values),
            faults: &Vec::from_iter(faults),
            instance: &self.form.id.to_string(),
            prefill: None,
        };
        with_file_notes(&fill(fields, &filling), &notes)
    }
}

/// The words that rendering adds, in the form's wording.
fn words(form: &Form) -> BTreeMap<String, String> {
    let messages = form.all_messages();
    let keys = WORDS.into_iter().chain([CHOOSE, "date_format"]);
    let words = keys.filter_map(|key| {
        let text = messages.get(key)?.as_str()?;
        Some((key.to_owned(), text.to_owned()))
    });
    words.gather()
}

/// Wraps the HTML that replaces a closed or finished form.
pub fn closed(form: &Form, html: &str) -> String {
    let id = form.id;
    format!("<div class=\"cf-form cf-form-{id} cf-form-closed\">\n{html}</div>\n")
}
