//! The holds of a submit: values that the form accepts once, and seats.

use super::run::Submit;
use crate::error::Error;
use crate::front::outcome::{Outcome, Rejection};
use crate::logic::validate::{AnswerCode, AnswerFault, CleanData};
use crate::security::may_be_a_proxy;
use crate::store::holds::{hashed, of_answers, taken};
use crate::store::rate_limits::{self, Gate};
use crate::submissions::Submission;
use model::logic::holds::{Hold, has_holds};

/// Limit on rejections for a used value, per IP address, form and hour. Each such rejection reveals that the value is
/// stored.
const MAX_REFUSED: i64 = 20;

impl Submit<'_> {
    /// Validates the answers, and compares their holds with those of other submissions.
    pub(super) async fn checked(&self) -> Result<Result<CleanData, Vec<AnswerFault>>, Error> {
        let (cx, form) = (self.cx, self.form);
        if !has_holds(&self.rules.schema) {
            return Ok(self.validated());
        }
        let messages = form.all_texts();
        let rules = self.rules.with_messages(&messages, self.local_now);
        let (clean, mut faults) = rules.check(&self.sent.input);
        let holds = hashed(&self.signer, form.id, rules.holds(&clean));
        let taken = taken(cx, form.id, &holds).await?;
        rules.check_holds(&holds, &taken, &mut faults);
        if faults.is_empty() {
            return Ok(Ok(clean));
        }
        let is_used = |fault: &AnswerFault| fault.code == AnswerCode::NotUnique.as_str();
        // A submit with a cached form runs again after a fault, so only the second run counts.
        if self.expected_revision.is_none()
            && faults.iter().any(is_used)
            && let Some(hash) = self.guesser()
        {
            let bucket = ["rate:", &hash].concat();
            rate_limits::count(cx, &[(form.id, bucket)], 1).await?;
        }
        Ok(Err(faults))
    }

    /// The holds of a submission. A form that stores no submissions holds seats, but no unique values.
    pub(super) fn holds(&self, submission: &Submission, saved: bool) -> Vec<Hold> {
        let schema = &self.rules.schema;
        let mut holds = of_answers(&self.signer, schema, self.form.id, &submission.data);
        holds.retain(|hold| saved || hold.is_seat);
        holds
    }

    /// The rejection of answers whose values or seats were still free when they were validated.
    pub(super) async fn taken_meanwhile(&self) -> Result<Outcome, Error> {
        let faults = self.checked().await?.err().unwrap_or_default();
        let rejection = Rejection::for_faults(self.cx, self.form, faults).await;
        Ok(self.reject(rejection).await)
    }

    /// The gate that limits rejections for used values.
    pub(super) fn guess_gate(&self) -> Option<Gate> {
        let hash = self.guesser().filter(|_| has_holds(&self.rules.schema))?;
        let limit = MAX_REFUSED;
        Some(Gate::Rate { limit, hash })
    }

    fn guesser(&self) -> Option<String> {
        let address = self.request.address.as_deref().unwrap_or_default();
        let forwarded_for_is_read = self.cx.shared().configuration().forwarded_for_is_read;
        let hash = self.address_hash()?;
        (!may_be_a_proxy(address, forwarded_for_is_read)).then(|| ["used:", &hash].concat())
    }
}
