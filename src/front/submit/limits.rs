//! The gates that a submit must pass.

use serde_json::Value;

use super::run::Submit;
use crate::front::closing::total_gate;
use crate::security::{counted_address, may_be_a_proxy};
use crate::store::rate_limits::Gate;
use crate::submissions::{Submission, comparable_answer};

/// Default limit on submissions per IP address and hour, for forms that accept files or have an autoresponder.
const DEFAULT_RATE_LIMIT: i64 = 60;

impl Submit<'_> {
    pub(super) fn address_hash(&self) -> Option<String> {
        let address = counted_address(self.request.address.as_deref()?);
        Some(self.signer.hash("address", &address))
    }

    /// The gate on submissions per IP address. There is no gate if the host knows no address, because all visitors
    /// would share the gate.
    pub(super) fn rate_gate(&self) -> Option<Gate> {
        let limit = match self.rules.settings.rate_limit {
            0 if self.is_guarded() => DEFAULT_RATE_LIMIT,
            limit => i64::try_from(limit).unwrap_or(i64::MAX),
        };
        if limit == 0 {
            return None;
        }
        let hash = self.address_hash()?;
        Some(Gate::Rate { limit, hash })
    }

    /// Whether the default rate limit applies: submissions cost disk space or mails, and the IP address cannot be a
    /// proxy's, which visitors share.
    fn is_guarded(&self) -> bool {
        let address = self.request.address.as_deref().unwrap_or_default();
        let forwarded_for_is_read = self.cx.shared().configuration().forwarded_for_is_read;
        let mut actions = self.rules.settings.actions.iter();
        (actions.any(|action| action.kind == "autoresponder") || self.rules.schema.takes_files())
            && !may_be_a_proxy(address, forwarded_for_is_read)
    }

    /// The gates that are checked when the submission is stored.
    pub(super) fn gates(&self, submission: &Submission) -> Vec<Gate> {
        let mut gates = total_gate(&self.rules.settings);
        if self.rules.settings.prevent_duplicates
            && let Some(address) = self.address_hash()
        {
            // Files of the same size count as the same file.
            let sizes: Vec<u64> = submission.files.iter().map(|file| file.size).collect();
            let data = submission.data.iter();
            let data = data.map(|(name, value)| json!([name, comparable(value)]));
            let answers = json!([data.collect::<Value>(), sizes]).to_string();
            let hash = format!("{address}:{}", self.signer.hash("answers", &answers));
            gates.push(Gate::Duplicate { hash });
        }
        gates.extend(self.rate_gate());
        gates
    }
}

/// Normalizes an answer for the comparison of duplicates: a domain in ASCII equals its Unicode spelling.
fn comparable(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(comparable_answer(text)),
        Value::Array(items) => items.iter().map(comparable).collect(),
        other => other.clone(),
    }
}
