//! The response to an accepted submit.

use serde_json::{Map, Value};

use super::run::Submit;
use crate::forms::schema_with_answers;
use crate::front::ending::{self, Ending};
use crate::front::outcome::Accepted;
use crate::front::{page, redirect};
use crate::http::Response;
use crate::logic::validate::CleanData;
use crate::pages;
use crate::submissions::Submission;

impl Submit<'_> {
    /// Responds with JSON, with the page that shows the ending, or with a redirect.
    pub(super) async fn thanks(&self, accepted: &Accepted) -> Response {
        let as_json = self.wants_json();
        let shows = self.is_of_script() || !as_json;
        let (ending, shown) = self.filled_ending(accepted, shows).await;
        if as_json {
            return accepted.json(&ending, &shown);
        }
        let is_here = accepted.redirect_url.is_empty();
        if is_here && accepted.hide_form && self.ending(accepted).await.needs_answers(self.form) {
            // The URL of a redirect contains no answers, so an ending that needs them is shown without a redirect.
            return page::ended(self.cx, self.form, &shown);
        }
        let address = if is_here {
            page::success_address(self.cx, &self.signer, self.form, accepted)
        } else {
            accepted.redirect_url.clone()
        };
        Response::empty(303)
            .with_header("location", address)
            .with_header("cache-control", "no-store")
    }

    /// Builds the record of the acceptance, which is stored so that a repeat gets the same response.
    pub(super) async fn accepted(&self, uuid: &str, submission: &Submission) -> Accepted {
        let has_endings = matches!(self.form.setting("endings"), Some(Value::Array(endings)) if !endings.is_empty());
        let redirects = !matches!(self.form.setting("redirect_url"), Some(Value::String(address)) if address.is_empty());
        let data = if has_endings || redirects || self.cx.has_any_callbacks() {
            submission.data.to_map()
        } else {
            Map::new()
        };
        let facts = redirect::Facts {
            form: self.form,
            schema: &self.rules.schema,
            submission,
            data: &data,
            uuid,
        };
        let number = ending::choose(self.form, &self.rules.schema, &data);
        let ending = Ending::of(self.cx, self.form, number).await;
        Accepted {
            text: ending.text.clone(),
            ending: number,
            hide_form: self.rules.settings.hide_after_success,
            redirect_url: redirect::address(self.cx, &ending.redirect_url, &facts).await,
            at: self.cx.now(),
            stand_in: uuid.to_owned(),
            has_work: false,
            submission_id: 0,
            chosen: Some(ending),
        }
    }

    async fn ending(&self, accepted: &Accepted) -> Ending {
        if let Some(chosen) = &accepted.chosen {
            return chosen.clone();
        }
        let ending = Ending::of(self.cx, self.form, accepted.ending).await;
        // A repeat shows the text of the first response.
        Ending {
            text: accepted.text.clone(),
            ..ending
        }
    }

    /// The ending with the submit's answers filled in, and its HTML if `shows`. A repeat contains the same answers, so
    /// it gets the same ending.
    async fn filled_ending(&self, accepted: &Accepted, shows: bool) -> (Ending, String) {
        let form = self.form;
        let mut ending = self.ending(accepted).await;
        let needs_answers = ending.needs_answers(form);
        if !(needs_answers || shows) && ending.html.is_empty() {
            return (ending, String::new());
        }
        let clean = if needs_answers {
            self.validated().unwrap_or_default()
        } else {
            CleanData::default()
        };
        let data = clean.answers.to_map();
        if needs_answers || !ending.html.is_empty() {
            let schema = schema_with_answers(form, &self.rules.schema, &data);
            ending = ending.filled(&redirect::Facts {
                form,
                schema: &schema,
                submission: &self.submission(clean.answers.clone()),
                data: &data,
                uuid: "",
            });
        }
        if !shows {
            return (ending, String::new());
        }
        let mut answers = Vec::new();
        if ending::shows_answers(form) {
            answers = pages::answers(form, &self.rules.schema, &data);
        }
        let shown = ending.html(self.cx, form, &answers);
        (ending, shown)
    }
}
