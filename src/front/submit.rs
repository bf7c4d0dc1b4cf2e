//! `POST /{slug}`: a submit, in the order of the contract (section 8). Nothing is answered before
//! everything that the answer promises is stored.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::checks;
use super::ending;
use super::form_element::REVIEWED;
use super::input::{self, BodyError, Sent};
use super::outcome::{Accepted, Outcome, Refused};
use super::page::{self, closing};
use super::spam;
use super::{limits, plugins, uploads};
use crate::analytics::answers;
use crate::error::{Error, Missing};
use crate::forms::settings::{RunActions, Settings};
use crate::forms::{self, Field, FieldType, Form, SubmitRules};
use crate::http::{Request, Response};
use crate::jobs::queue;
use crate::logic::validate::{AnswerFault, CleanData, unchecked_data};
use crate::security::{Signer, Use};
use crate::store::rate_limits::Gate;
use crate::store::submissions::{
    self as store, Inserted, Key, KeyHashes, NewSubmission, insert, screen,
};
use crate::submissions::{
    Data, Labels, NEW, SPAM, Submission, address_files, kept_address, kept_user_agent, page_address,
};
use crate::task::Context;

/// Answers a submit. To a form that was held it may be known only that the form must be read: `None`, and
/// nothing is stored.
pub async fn submit(
    cx: &Context,
    form: &Form,
    request: &mut Request,
    is_held: bool,
) -> Result<Option<Response>, Error> {
    let accepts = request.header("accept").unwrap_or_default();
    let accepts_json = accepts.contains("application/json");
    let rules = forms::submit_rules(cx, form)?;
    let mut sent = match received(cx, form, &rules.settings, request).await? {
        Received::Whole(sent) => sent,
        _ if is_held => return Ok(None),
        Received::Refused(refused, mut sent) => {
            let is_json = accepts_json || request.content_type().ends_with("json");
            if let Some(sent) = &mut sent {
                sent.input.use_current_names(&rules.schema);
            }
            return Ok(Some(match sent {
                _ if is_json => refused.json(false),
                Some(sent) => page::show_again(cx, form, &sent, &refused).await?,
                None => {
                    let page = page::notice(cx, refused.status, &form.title, &refused.text);
                    refused.with_headers(page)
                }
            }));
        }
    };
    let signer = crate::store::signer(cx).await?;
    // A repeat of a submit from before a rename is one still.
    let hashes = limits::key_hashes(&signer, request, &rules.schema, &sent);
    sent.input.use_current_names(&rules.schema);
    let rendered = sent.value("_cf_time");
    let rendered = rendered.and_then(|token| signer.moment(Use::Rendered, form.id, token));
    sent.input.is_of_older_page = rendered.is_some_and(|rendered| rendered < form.updated_at);
    let submit = Submit {
        cx,
        form,
        rules: &rules,
        request,
        sent: &sent,
        signer: &signer,
        hashes,
        kept: RefCell::default(),
        is_held,
    };
    let outcome = submit.run().await;
    // What was refused may be refused by what the form was.
    let is_open = match &outcome {
        Ok((outcome, _)) => !matches!(outcome, Outcome::Accepted(_)),
        Err(error) => matches!(error, Error::NotFound(_)),
    };
    if is_held && is_open {
        return Ok(None);
    }
    if !sent.uploads.is_empty() {
        uploads::drop_unkept(cx, &sent, &submit.kept.take()).await;
    }
    let (outcome, run_queue) = match outcome {
        Err(error @ Error::NotFound(_)) => return Err(error),
        // What the visitor filled in is not lost: the form comes again, with it.
        Err(error) => {
            let refused = Refused::fault(cx, form, &error, &request.request_id).await;
            (Outcome::Refused(refused), false)
        }
        Ok(outcome) => outcome,
    };
    // The visitor's script says so of itself (visitor/script/form.ts).
    let is_script = sent.value("_cf_script").is_some();
    let as_json = accepts_json || sent.is_json;
    let mut response = match outcome {
        Outcome::Refused(refused) if as_json => refused.json(is_script),
        Outcome::Refused(refused) => page::show_again(cx, form, &sent, &refused).await?,
        Outcome::Review(answers) => page::review(cx, form, &sent, &answers).await?,
        Outcome::Accepted(accepted) => submit.thanks(&accepted, as_json, is_script).await,
    };
    response.run_queue = run_queue;
    Ok(Some(response))
}

/// What came of reading a submit.
enum Received {
    Whole(Sent),
    /// The answers that were read all the same; `None` where the form is not shown again.
    Refused(Refused, Option<Sent>),
}

/// Reads what was sent. Of a body that waits with the host nothing is read before the form is known
/// to take submissions.
async fn received(
    cx: &Context,
    form: &Form,
    settings: &Settings,
    request: &mut Request,
) -> Result<Received, Error> {
    if request.body_waits
        && let Some(refused) = closing(cx, form, settings, request).await?
    {
        return Ok(Received::Refused(refused, None));
    }
    let (sent, fault) = if request.body_waits && request.content_type() == "multipart/form-data" {
        uploads::receive(cx, form).await
    } else {
        let read = request.read_body(cx).await.map_err(BodyError::from);
        match read.and_then(|()| input::read(request)) {
            Ok(sent) => (sent, None),
            Err(fault) if fault.keeps_answers() => {
                (input::kept_answers(cx, request).await, Some(fault))
            }
            Err(fault) => (Sent::default(), Some(fault)),
        }
    };
    let Some(fault) = fault else {
        return Ok(Received::Whole(sent));
    };
    let refused = Refused::body(cx, form, &fault, request).await;
    let sent = fault.keeps_answers().then_some(sent);
    Ok(Received::Refused(refused, sent))
}

/// A submit under way.
pub(super) struct Submit<'a> {
    pub(super) cx: &'a Context,
    pub(super) form: &'a Form,
    pub(super) rules: &'a SubmitRules,
    pub(super) request: &'a Request,
    pub(super) sent: &'a Sent,
    pub(super) signer: &'a Signer,
    hashes: Option<KeyHashes>,
    /// The keys of the files that stay.
    kept: RefCell<Vec<String>>,
    /// Whether the form was not read for this submit.
    is_held: bool,
}

impl Submit<'_> {
    /// Runs the submit; returns its outcome, and whether the queue has work now.
    async fn run(&self) -> Result<(Outcome, bool), Error> {
        let (cx, form) = (self.cx, self.form);
        if let Some(outcome) = self.screened().await? {
            return Ok((outcome, false));
        }
        let schema = &self.rules.schema;
        let mut verdict = spam::inspect(self.signer, form.id, schema, self.sent, cx.now());
        let mut clean = match self.validated() {
            Ok(clean) => clean,
            // A robot does not learn what it filled in wrongly; its answers are kept as they came.
            Err(_) if verdict.is_spam => unchecked_data(&self.rules.schema, &self.sent.input),
            Err(faults) => {
                let refused = Refused::for_faults(cx, form, faults).await;
                return Ok((self.refuse(refused).await, false));
            }
        };
        if !verdict.is_spam && self.is_to_review() {
            let answers = ending::answers(form, &self.rules.schema, &clean.answers.to_map());
            return Ok((Outcome::Review(answers), false));
        }
        let ignored = plugins::ignored_names(cx).await;
        clean.answers.0.retain(|(name, _)| !ignored.contains(name));
        if !verdict.is_spam {
            match plugins::validate(cx, form, &clean.answers).await {
                plugins::Opinion::Fine => {}
                plugins::Opinion::Spam => verdict.add("cf_validate_form", 100),
                plugins::Opinion::Refused(refused) => {
                    return Ok((self.refuse(refused).await, false));
                }
            }
        }
        let CleanData { answers, files } = clean;
        let mut submission = self.submission(answers);
        plugins::process_form(cx, form, &submission, "").await;
        if !verdict.is_spam {
            checks::run(cx, form, &submission, self.sent, &mut verdict).await?;
        }
        verdict = spam::ask_plugins(cx, verdict, &submission, form).await;
        submission.is_spam = verdict.is_spam;
        submission.status = if verdict.is_spam { SPAM } else { NEW }.to_owned();
        submission.spam_reasons = verdict.reasons;
        submission.spam_score = verdict.score;
        self.store(submission, &files).await
    }

    /// Returns the outcome of a submit that needs no validation: of a repeat, and of one that the form does not take.
    async fn screened(&self) -> Result<Option<Outcome>, Error> {
        let (cx, form) = (self.cx, self.form);
        let gates: Vec<Gate> = self.rate_gate().into_iter().collect();
        let hashes = self.hashes.as_ref();
        Ok(match screen(cx, form.id, hashes, &gates).await? {
            Some(Inserted::KeyReused) => Some(self.refuse(Refused::key_reused()).await),
            Some(Inserted::Repeated {
                answer,
                submission_id,
            }) => Some(repeated(&answer, submission_id)?),
            Some(Inserted::Rejected(refusal)) => {
                let refused = Refused::at_gate(cx, form, refusal).await;
                Some(self.refuse(refused).await)
            }
            _ => match closing(cx, form, &self.rules.settings, self.request).await? {
                Some(refused) => Some(self.refuse(refused).await),
                None => None,
            },
        })
    }

    /// Whether a browser without the visitor's script sent it, which shows the review itself, and the form
    /// has one. What a page cannot hold again, files and passwords, would be lost on the way.
    fn is_to_review(&self) -> bool {
        let accepts = self.request.header("accept").unwrap_or_default();
        let is_of_program = self.sent.is_json || accepts.contains("application/json");
        let was_sent = |name| self.sent.value(name).is_some();
        let is_lost = |field: &Field| matches!(field.kind, FieldType::File | FieldType::Password);
        self.form.setting("review") == Some(&Value::Bool(true))
            && !(is_of_program || was_sent("_cf_script") || was_sent(REVIEWED))
            && !self.rules.schema.fields.iter().any(is_lost)
    }

    async fn refuse(&self, refused: Refused) -> Outcome {
        plugins::form_response(self.cx, self.form, None, &refused.code).await;
        Outcome::Refused(refused)
    }

    pub(super) fn validated(&self) -> Result<CleanData, Vec<AnswerFault>> {
        let validate = |messages: &Map<String, Value>| {
            let rules = self.rules.with_messages(messages);
            rules.validate(&self.sent.input)
        };
        // Words are needed for what is wrong alone.
        validate(&self.form.messages).or_else(|_| validate(&self.form.all_texts()))
    }

    pub(super) fn submission(&self, answers: Data) -> Submission {
        let now = self.cx.now();
        let address = self.request.address.clone().unwrap_or_default();
        let user_agent = self.request.header("user-agent").unwrap_or_default();
        Submission {
            form_id: self.form.id,
            labels: Labels::of(&self.rules.schema, &answers),
            data: answers,
            ip_address: kept_address(&self.rules.settings, &address),
            user_agent: kept_user_agent(&self.rules.settings, user_agent),
            referer_url: page_address(self.sent.value("_cf_referrer").unwrap_or_default()),
            page_url: self.page_url(),
            submitted_at: now,
            modified_at: now,
            schema_revision: self.form.revision,
            ..Submission::default()
        }
    }

    /// The page that holds the form: browsers send other sites no more of it than its domain, so
    /// the page's script sends it too.
    fn page_url(&self) -> String {
        let given = page_address(self.sent.value("_cf_page").unwrap_or_default());
        if given.is_empty() {
            page::address_header(self.request, "referer")
        } else {
            given
        }
    }

    /// How long the visitor took from the first input, as measured by the page's script.
    fn seconds_taken(&self) -> Option<i64> {
        self.sent.value("_cf_seconds")?.parse().ok()
    }

    /// Stores it with its files, then notifies plugins and runs what runs at once.
    async fn store(
        &self,
        mut submission: Submission,
        files: &[usize],
    ) -> Result<(Outcome, bool), Error> {
        let (cx, form) = (self.cx, self.form);
        let uuid = crate::security::random::uuid_at(cx.now())?;
        let entries = Rc::clone(&self.rules.entries);
        // What is wrongly taken for spam must be there to be taken out of it, with its actions.
        let withheld = submission.is_spam && !entries.is_empty();
        let saved = self.rules.settings.save_submissions || withheld;
        // Where neither the form nor an action keeps the submission, nobody could have its files.
        if saved || !entries.is_empty() {
            submission.files = match uploads::stored(cx, self.sent, files).await {
                Ok(files) => files,
                Err(field) => {
                    let refused = uploads::refusal(cx, form, &self.rules.schema, &[field]).await;
                    return Ok((self.refuse(refused).await, false));
                }
            };
        }
        let accepted = self.accepted(&uuid, &submission).await;
        let mut new = NewSubmission {
            key: self.hashes.clone().map(|hashes| Key {
                hashes,
                answer: serde_json::to_string(&accepted).unwrap_or_default(),
            }),
            gates: self.gates(&submission),
            address_hashes: self.signer.address_hashes(&submission),
            uuid,
            counted: answers::counts(&self.rules.schema, &submission.data, saved),
            submission,
            saved,
            seconds_taken: self.seconds_taken(),
            entries,
            revision: self.is_held.then_some(form.revision),
        };
        match self.inserted(&new).await? {
            Inserted::Stored(id) => {
                let run_queue = self.stored(&mut new, id).await;
                let outcome = accepted.with_id(self.shown_id(id));
                Ok((Outcome::Accepted(outcome), run_queue))
            }
            Inserted::Repeated {
                answer,
                submission_id,
            } => Ok((repeated(&answer, self.shown_id(submission_id))?, false)),
            Inserted::KeyReused => Ok((self.refuse(Refused::key_reused()).await, false)),
            Inserted::Rejected(refusal) => {
                let refused = Refused::at_gate(cx, form, refusal).await;
                Ok((self.refuse(refused).await, false))
            }
            Inserted::FilesGone(fields) => {
                let refused = uploads::gone(cx, form, &self.rules.schema, &fields).await;
                Ok((self.refuse(refused).await, false))
            }
            Inserted::FormGone => Err(Error::NotFound(Missing::Form)),
        }
    }

    /// The id that the response names; 0 for none. No response reveals what is taken for spam.
    fn shown_id(&self, id: i64) -> i64 {
        if self.rules.settings.save_submissions {
            id
        } else {
            0
        }
    }

    /// Inserts it. Its files stay, also where the database cannot say whether it is stored.
    async fn inserted(&self, new: &NewSubmission) -> Result<Inserted, Error> {
        let inserted = insert(self.cx, new).await;
        let is_stored = match &inserted {
            Ok(inserted) => matches!(inserted, Inserted::Stored(_)),
            Err(_) => store::exists(self.cx, &new.uuid).await.unwrap_or(true),
        };
        if is_stored {
            *self.kept.borrow_mut() = uploads::keys(&new.submission.files);
        }
        Ok(inserted?)
    }

    /// Runs what follows on a stored submission. Returns whether the queue has work.
    async fn stored(&self, new: &mut NewSubmission, id: i64) -> bool {
        let cx = self.cx;
        new.submission.id = id;
        address_files(cx, &mut new.submission);
        let submission = &new.submission;
        plugins::inserted(cx, self.form, submission).await;
        if submission.is_spam {
            plugins::form_response(cx, self.form, Some(submission), "spam").await;
            return false;
        }
        plugins::succeeded(cx, self.form, submission).await;
        let has_work = !new.entries.is_empty();
        if has_work
            && self.rules.settings.run_actions == RunActions::Inline
            && let Err(error) = queue::run_inline(cx, &new.uuid).await
        {
            // The entries are stored: what did not run now is run by the queue.
            let fields = json!({"submission_id": id, "error": error.to_string()});
            cx.log("error", "actions could not run at once", fields)
                .await;
        }
        plugins::form_response(cx, self.form, Some(submission), "").await;
        has_work
    }
}

/// The outcome of the first submit again.
fn repeated(answer: &str, submission_id: i64) -> Result<Outcome, Error> {
    let accepted: Accepted = serde_json::from_str(answer)?;
    Ok(Outcome::Accepted(accepted.with_id(submission_id)))
}
