//! What the host has the engine do beside requests: running the queue, deleting what is old, bringing
//! the database up to date, counting again. Each job answers like a request; no client reaches one.

mod migrate;
mod purge;
pub mod queue;
mod read_meta;
mod rebuild;
mod retention;

pub use migrate::migrate;
pub use purge::purge;
pub use read_meta::read_meta;
pub use rebuild::rebuild;
