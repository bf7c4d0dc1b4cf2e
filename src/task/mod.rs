//! Tasks: `async fn` handlers that ask for effects and wait for their outcomes.
//!
//! Awaiting an effect calls nothing outside: it posts the effect into the task's mailbox and
//! yields. The executor polls with a no-op waker, so every await inside a task must come down to
//! an effect; combinators that rely on wake-ups (`FuturesUnordered`, large `join_all`s) would
//! hang. [`all`] is the join that works here.

mod configuration;
mod context;
mod effect;
mod executor;
mod join;
mod mailbox;
mod outcome;
mod shared;

pub use configuration::{Configuration, Dialect, KeepDays};
pub use context::{Context, Part, PartFile, Port, Received};
pub use effect::{Effect, Mail, MailAttachment, OutgoingRequest};
pub use executor::{Executor, Progress, TaskId};
pub use join::all;
pub use outcome::{IncomingResponse, Outcome, PortError, SqlValue, StatementResult};
pub use shared::Shared;

/// The text of a statement. The host receives each of the first few hundred texts once, with a number, and
/// from then on the number alone: texts were most of what crossed to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sql {
    /// The text.
    pub text: std::borrow::Cow<'static, str>,
    /// Its number, and whether the host has received it.
    pub number: Option<(usize, bool)>,
}

impl serde::Serialize for Sql {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number {
            Some((number, true)) => number.serialize(serializer),
            Some((number, false)) => (number, &self.text).serialize(serializer),
            None => self.text.serialize(serializer),
        }
    }
}

/// One SQL statement of a batch, in the dialect of the host's database.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text, with numbered placeholders.
    pub sql: Sql,
    /// What the placeholders stand for.
    pub params: Vec<SqlValue>,
    /// Not 0 where its one parameter is a JSON list, and the host may run it once for several batches of a
    /// transaction with all their lists: before the batches where it is less than 0, after them where it is
    /// more, in this order. What it gives is not looked at.
    pub gathered: i8,
}
