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

/// One SQL statement of a batch, in the dialect of the host's database.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Statement {
    /// The text, with numbered placeholders.
    pub sql: std::borrow::Cow<'static, str>,
    /// What the placeholders stand for.
    pub params: Vec<SqlValue>,
}
