//! The jobs that the host has the engine do beside requests: running the queue, deleting what is old,
//! bringing the database up to date, counting again. Each job answers like a request; no client reaches one.

mod migrate;
mod purge;
pub mod queue;
mod read_meta;
mod rebuild;
mod reindex;
mod retention;

pub use migrate::migrate;
pub use purge::purge;
pub use read_meta::read_meta;
pub use rebuild::rebuild;
pub use reindex::reindex;

/// The jobs: the name in Rust, the name in JavaScript, and what does it.
macro_rules! job_table {
    ($each:ident) => {
        $each! {
            /// Brings the database to the newest migration. The answer is empty, or a 500.
            migrate "migrate" crate::jobs::migrate;
            /// Claims due queue entries; the answer is `{"claimed":[{"id","lease","alone"}]}`.
            claim_queue "claimQueue" crate::jobs::queue::claim;
            /// Runs one claimed queue entry; the answer is `{"id","status"}`.
            run_queue_entry "runQueueEntry" crate::jobs::queue::run_entry;
            /// Gives back claimed entries that have not begun; the answer is empty.
            release_queue "releaseQueue" crate::jobs::queue::release;
            /// Renews the leases of what runs and of files that arrive; the answer is empty.
            renew_queue "renewQueue" crate::jobs::queue::renew;
            /// Reads a form's meta, for other plugins.
            read_meta "readMeta" crate::jobs::read_meta;
            /// Deletes some of what is over and old; the response is `{"more"}`.
            purge "purge" crate::jobs::purge;
            /// Indexes some stored submissions again; the response is `{"state"}`.
            reindex "reindex" crate::jobs::reindex;
            /// Counts again, one step at a time; the answer is `{"next","differences"}`.
            rebuild_counters "rebuildCounters" crate::jobs::rebuild;
        }
    };
}
pub(crate) use job_table;
