//! The background jobs that the host starts: running the queue, purging, migrating, recounting. A job has a request and
//! a response, but clients cannot call it.

mod file_store;
mod migrate;
mod purge;
pub mod queue;
mod read_meta;
mod rebuild;
mod reindex;
mod retention;

pub use file_store::file_store;
pub use migrate::migrate;
pub use purge::purge;
pub use read_meta::read_meta;
pub use rebuild::rebuild;
pub use reindex::reindex;

/// The jobs: the name in Rust, the name in JavaScript, and the function.
macro_rules! job_table {
    ($each:ident) => {
        $each! {
            /// Migrates the database. The response is empty, or a 500.
            migrate "migrate" crate::jobs::migrate;
            /// Claims due queue entries; the response is `{"claimed":[{"id","lease","alone"}]}`.
            claim_queue "claimQueue" crate::jobs::queue::claim;
            /// Runs one claimed queue entry; the response is `{"id","status"}`.
            run_queue_entry "runQueueEntry" crate::jobs::queue::run_entry;
            /// Releases claimed entries that have not begun; the response is empty.
            release_queue "releaseQueue" crate::jobs::queue::release;
            /// Renews the leases of running entries and of uploads; the response is empty.
            renew_queue "renewQueue" crate::jobs::queue::renew;
            /// Reads a form's meta, for other plugins.
            read_meta "readMeta" crate::jobs::read_meta;
            /// Returns, and records if there is none, the id of the store of uploads.
            file_store "fileStore" crate::jobs::file_store;
            /// Purges some expired rows; the response is `{"more"}`.
            purge "purge" crate::jobs::purge;
            /// Reindexes some stored submissions; the response is `{"state"}`.
            reindex "reindex" crate::jobs::reindex;
            /// Recounts, one step at a time; the response is `{"next","differences"}`.
            rebuild_counters "rebuildCounters" crate::jobs::rebuild;
        }
    };
}
pub(crate) use job_table;
