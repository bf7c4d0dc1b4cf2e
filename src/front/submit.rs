//! `POST /{slug}`: a submit, in the order of the contract (section 8). Nothing is answered before
//! everything that the answer promises is stored.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::checks;
use super::input::{self, Sent};
use super::outcome::{self, Accepted, Outcome, Refused};
use super::page::{self, closing, page_address, total_gate};
use super::spam;
use super::{plugins, redirect, uploads};
use crate::error::{Error, Missing};
use crate::forms::settings::{RunActions, Settings};
use crate::forms::{Form, FormSchema, effective_schema};
use crate::http::{Request, Response};
use crate::jobs::queue;
use crate::logic::conditions::Visibility;
use crate::logic::validate::{AnswerFault, CleanData, Rules, unchecked_data};
use crate::ordered::Gather;
use crate::security::{Signer, counted_address, shortened_address};
use crate::store::rate_limits::Gate;
use crate::store::submissions::{
    self as store, Inserted, Key, NewSubmission, Screening, insert, screen,
};
use crate::submissions::{Data, NEW, SPAM, StoredFile, Submission, entries_of, remove_files};
use crate::task::Context;

/// The longest name of a browser that is kept, in characters.
const MAX_USER_AGENT_CHARS: usize = 500;

/// Answers a submit.
pub async fn submit(cx: &Context, form: &Form, mut request: Request) -> Result<Response, Error> {
    let accepts = request.header("accept").unwrap_or_default();
    let accepts_json = accepts.contains("application/json");
    let sent = match input::read(&mut request) {
        Ok(sent) => sent,
        Err(error) => {
            let refused = Refused::body(error);
            let is_json = accepts_json || request.content_type().ends_with("json");
            return Ok(if is_json {
                Outcome::Refused(refused).json()
            } else {
                page::notice(cx, refused.status, &form.title, &refused.text)
            });
        }
    };
    let signer = crate::store::signer(cx).await?;
    let submit = Submit {
        cx,
        form,
        settings: form.settings(),
        schema: effective_schema(cx, form)?,
        request: &request,
        sent: &sent,
        signer: &signer,
    };
    let (outcome, run_queue) = submit.run().await?;
    let mut response = match &outcome {
        outcome if accepts_json || sent.is_json => outcome.json(),
        Outcome::Accepted(accepted) => {
            let address = if accepted.redirect_url.is_empty() {
                page::success_address(cx, &signer, form, accepted.at)
            } else {
                accepted.redirect_url.clone()
            };
            Response::empty(303)
                .with_header("location", address)
                .with_header("cache-control", "no-store")
        }
        Outcome::Refused(refused) => page::show_again(cx, form, &sent, refused).await?,
    };
    response.run_queue = run_queue;
    Ok(response)
}

/// A submit under way.
struct Submit<'a> {
    cx: &'a Context,
    form: &'a Form,
    settings: Settings,
    schema: Rc<FormSchema>,
    request: &'a Request,
    sent: &'a Sent,
    signer: &'a Signer,
}

impl Submit<'_> {
    /// What comes of it, and whether the queue has work now.
    async fn run(&self) -> Result<(Outcome, bool), Error> {
        let (cx, form) = (self.cx, self.form);
        if let Some(outcome) = self.screened().await? {
            return Ok((outcome, false));
        }
        let mut verdict = spam::inspect(self.signer, form.id, self.sent, cx.now());
        let mut clean = match self.validated() {
            Ok(clean) => clean,
            // A robot is not told what it filled in wrongly; its answers are kept as they came.
            Err(_) if verdict.is_spam => unchecked_data(&self.schema, &self.sent.input),
            Err(faults) => {
                let refused = Refused::for_faults(cx, form, faults).await;
                return Ok((self.refuse(refused).await, false));
            }
        };
        let ignored = plugins::ignored_names(cx).await;
        clean.answers.retain(|(name, _)| !ignored.contains(name));
        if !verdict.is_spam {
            match plugins::validate(cx, form, &clean.to_map()).await {
                plugins::Opinion::Fine => {}
                plugins::Opinion::Spam => verdict.add("cf_validate_form", 100),
                plugins::Opinion::Refused(refused) => {
                    return Ok((self.refuse(refused).await, false));
                }
            }
        }
        let mut submission = self.submission(&clean);
        plugins::process_form(cx, form, &submission, "").await;
        if !verdict.is_spam {
            checks::run(cx, form, &submission, self.sent, &mut verdict).await?;
        }
        verdict = spam::ask_plugins(cx, verdict, &submission, form).await;
        submission.is_spam = verdict.is_spam;
        submission.status = if verdict.is_spam { SPAM } else { NEW }.to_owned();
        submission.spam_reasons = verdict.reasons;
        submission.spam_score = verdict.score;
        self.store(submission, &clean).await
    }

    /// What is answered before anything is read: a repeat, and what the form does not take.
    async fn screened(&self) -> Result<Option<Outcome>, Error> {
        let (cx, form) = (self.cx, self.form);
        let gates: Vec<Gate> = self.rate_gate().into_iter().collect();
        let key = self.key_hash();
        Ok(match screen(cx, form.id, key.as_deref(), &gates).await? {
            Screening::Repeated {
                answer,
                submission_id,
            } => Some(repeated(&answer, submission_id)?),
            Screening::Refused(refusal) => {
                let refused = Refused::at_gate(cx, form, refusal).await;
                Some(self.refuse(refused).await)
            }
            Screening::Open => match closing(cx, form, &self.settings, self.request).await? {
                Some(refused) => Some(self.refuse(refused).await),
                None => None,
            },
        })
    }

    async fn refuse(&self, refused: Refused) -> Outcome {
        plugins::form_response(self.cx, self.form, None, &refused.code).await;
        Outcome::Refused(refused)
    }

    fn validated(&self) -> Result<CleanData, Vec<AnswerFault>> {
        let messages = self.form.all_messages();
        let rules = Rules {
            schema: &self.schema,
            visibility: &Visibility::of(&self.schema),
            messages: &messages,
            required_fields: &self.settings.required_fields,
            email_fields: &self.settings.email_fields,
        };
        rules.validate(&self.sent.input)
    }

    fn submission(&self, clean: &CleanData) -> Submission {
        let now = self.cx.now();
        let address = self.request.address.clone().unwrap_or_default();
        let user_agent = self.request.header("user-agent").unwrap_or_default();
        let user_agent = user_agent.chars().filter(|c| !c.is_control());
        Submission {
            form_id: self.form.id,
            data: Data(clean.answers.clone()),
            ip_address: match (self.settings.store_ip, self.settings.shorten_ip) {
                (true, false) => address,
                (true, true) => shortened_address(&address),
                (false, _) => String::new(),
            },
            user_agent: user_agent.take(MAX_USER_AGENT_CHARS).collect(),
            referer_url: page_address(self.sent.value("_cf_referrer").unwrap_or_default()),
            page_url: self.page_url(),
            submitted_at: now,
            modified_at: now,
            schema_revision: self.form.revision,
            ..Submission::default()
        }
    }

    /// The page that holds the form: browsers tell other sites no more of it than its domain, so
    /// that the page's script tells it too.
    fn page_url(&self) -> String {
        let told = page_address(self.sent.value("_cf_page").unwrap_or_default());
        if told.is_empty() {
            page::address_header(self.request, "referer")
        } else {
            told
        }
    }

    /// How long the visitor took from the first input, as the page's script tells it.
    fn seconds_taken(&self) -> Option<i64> {
        self.sent.value("_cf_seconds")?.parse().ok()
    }

    /// Stores it with its files, then tells plugins and runs what runs at once.
    async fn store(
        &self,
        mut submission: Submission,
        clean: &CleanData,
    ) -> Result<(Outcome, bool), Error> {
        let (cx, form) = (self.cx, self.form);
        let uuid = crate::security::random::uuid_at(cx.now())?;
        let entries = entries_of(&self.settings)?;
        // What is wrongly taken for spam must be there to be taken out of it, with its actions.
        let withheld = submission.is_spam && !entries.is_empty();
        let saved = self.settings.save_submissions || withheld;
        // Where neither the form nor an action keeps the submission, nobody could have its files.
        if saved || !entries.is_empty() {
            submission.files =
                match uploads::store(cx, form.id, self.sent, &clean.files, &uuid).await? {
                    Ok(files) => files,
                    Err(field) => {
                        let refused = uploads::refusal(cx, form, &self.schema, &field).await;
                        return Ok((self.refuse(refused).await, false));
                    }
                };
        }
        let accepted = self.accepted(&uuid, &submission).await;
        let new = NewSubmission {
            key: self.key_hash().map(|hash| Key {
                hash,
                answer: json!(accepted).to_string(),
            }),
            gates: self.gates(&submission),
            address_hashes: self.signer.address_hashes(&submission),
            uuid,
            submission,
            saved,
            seconds_taken: self.seconds_taken(),
            entries,
        };
        match self.inserted(&new).await? {
            Inserted::Stored(id) => {
                let run_queue = self.stored(&new, id).await;
                let outcome = accepted.with_id(self.told_id(id));
                Ok((Outcome::Accepted(outcome), run_queue))
            }
            Inserted::Repeated {
                answer,
                submission_id,
            } => Ok((repeated(&answer, self.told_id(submission_id))?, false)),
            Inserted::Refused(refusal) => {
                let refused = Refused::at_gate(cx, form, refusal).await;
                Ok((self.refuse(refused).await, false))
            }
            Inserted::FormGone => Err(Error::NotFound(Missing::Form)),
        }
    }

    /// The id that the answer names; 0 for none. Nobody is told what is taken for spam.
    fn told_id(&self, id: i64) -> i64 {
        if self.settings.save_submissions {
            id
        } else {
            0
        }
    }

    /// Inserts it. Files of a submission that was not stored are taken back; where the database
    /// cannot say whether it was, they stay.
    async fn inserted(&self, new: &NewSubmission) -> Result<Inserted, Error> {
        let inserted = insert(self.cx, new).await;
        let is_stored = match &inserted {
            Ok(inserted) => matches!(inserted, Inserted::Stored(_)),
            Err(_) => store::exists(self.cx, &new.uuid).await.unwrap_or(true),
        };
        if !is_stored {
            remove_files(self.cx, &uploads::keys(&new.submission.files)).await;
        }
        Ok(inserted?)
    }

    /// What follows on a submission that is stored. Answers whether the queue has work.
    async fn stored(&self, new: &NewSubmission, id: i64) -> bool {
        let cx = self.cx;
        let submission = Submission {
            id,
            ..new.submission.clone()
        };
        plugins::inserted(cx, self.form, &submission).await;
        if submission.is_spam {
            plugins::form_response(cx, self.form, Some(&submission), "spam").await;
            return false;
        }
        plugins::succeeded(cx, self.form, &submission).await;
        let has_work = !new.entries.is_empty();
        if has_work
            && self.settings.run_actions == RunActions::Inline
            && let Err(error) = queue::run_inline(cx, &new.uuid).await
        {
            // The entries are stored: what did not run now is run by the queue.
            let fields = json!({"submission_id": id, "error": error.to_string()});
            cx.log("error", "actions could not run at once", fields)
                .await;
        }
        plugins::form_response(cx, self.form, Some(&submission), "").await;
        has_work
    }

    async fn accepted(&self, uuid: &str, submission: &Submission) -> Accepted {
        let data: Map<String, Value> = submission
            .data
            .iter()
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .gather();
        let facts = redirect::Facts {
            form: self.form,
            schema: &self.schema,
            submission,
            data: &data,
            uuid,
        };
        Accepted {
            text: outcome::message(self.cx, self.form, "success").await,
            hide_form: self.settings.hide_after_success,
            redirect_url: redirect::address(self.cx, &self.settings.redirect_url, &facts).await,
            at: self.cx.now(),
            stand_in: uuid.to_owned(),
            submission_id: 0,
        }
    }

    /// A hash of the key that makes a repeat of this submit known.
    fn key_hash(&self) -> Option<String> {
        let header = self.request.header("idempotency-key");
        let key = self.sent.value("_submission_key").or(header)?;
        (!key.is_empty()).then(|| self.signer.hash("submission key", key))
    }

    fn address_hash(&self) -> Option<String> {
        let address = counted_address(self.request.address.as_deref()?);
        Some(self.signer.hash("address", &address))
    }

    /// The gate on how often an address sends the form. Addresses that the host cannot tell apart
    /// are not counted as one.
    fn rate_gate(&self) -> Option<Gate> {
        let limit = i64::try_from(self.settings.rate_limit).unwrap_or(i64::MAX);
        let hash = self.address_hash().filter(|_| limit > 0)?;
        Some(Gate::Rate { limit, hash })
    }

    fn gates(&self, submission: &Submission) -> Vec<Gate> {
        let mut gates = total_gate(&self.settings);
        let address = self
            .address_hash()
            .filter(|_| self.settings.prevent_duplicates);
        if let Some(address) = address {
            let answers = json!([submission.data, sizes(&submission.files)]).to_string();
            let answers = self.signer.hash("answers", &answers);
            gates.push(Gate::Duplicate {
                hash: format!("{address}:{answers}"),
            });
        }
        gates.extend(self.rate_gate());
        gates
    }
}

/// The same name and size of a file count as the same file.
fn sizes(files: &[StoredFile]) -> Vec<u64> {
    files.iter().map(|file| file.size).collect()
}

/// The first answer again.
fn repeated(answer: &str, submission_id: i64) -> Result<Outcome, Error> {
    let accepted: Accepted = serde_json::from_str(answer)?;
    Ok(Outcome::Accepted(accepted.with_id(submission_id)))
}
