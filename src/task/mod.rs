//! Tasks: `async fn` handlers that request effects and wait for their outcomes.
//!
//! Awaiting an effect posts it to the task's mailbox and yields. The executor polls with a no-op waker, so every
//! `await` inside a task must wait for an effect. Combinators that rely on wake-ups, such as `FuturesUnordered` or a
//! large `join_all`, would hang. Use [`all`] instead.

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

/// The text of a statement. The host receives each of the first few hundred texts once, with a number, and afterwards
/// only the number. Texts would otherwise make up most of the transferred bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sql {
    /// The text.
    pub text: std::borrow::Cow<'static, str>,
    /// The number of the text, and whether the host has received it.
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
    /// The values of the placeholders.
    pub params: Vec<SqlValue>,
    /// The position of a statement that several batches of a transaction may share; 0 if it is not shared. A shared
    /// statement has one parameter, a JSON list. The host runs it once with the joined lists of all batches, and
    /// ignores its result. Positions below 0 run before the batches, positions above 0 after them, in ascending order.
    pub gathered: i8,
}
