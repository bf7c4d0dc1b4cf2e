//! The background jobs that the host starts, such as running the queue, purging and migrating. A job has a request and
//! a response, but clients cannot call it.

mod file_store;
mod import_records;
mod migrate;
mod purge;
pub mod queue;
mod read_meta;
mod rebuild;
mod reindex;
mod render_template;
mod retention;

pub use file_store::file_store;
pub use import_records::import_records;
pub use migrate::migrate;
pub use purge::purge;
pub use read_meta::read_meta;
pub use rebuild::rebuild;
pub use reindex::reindex;
pub use render_template::render_template;

/// The jobs: the name in Rust, the name in JavaScript, and the function.
macro_rules! job_table {
    ($each:ident) => {
        $each! {
            /// Migrates the database. The response is empty, or a 500.
            migrate "migrate" crate::jobs::migrate;
            /// Claims due queue entries; the response is `{"claimed":[{"id","lease","lane","alone","large"}]}`.
            claim_queue "claimQueue" crate::jobs::queue::claim;
            /// Runs one claimed queue entry; the response is `{"id","status","keeps_failing"}`.
            run_queue_entry "runQueueEntry" crate::jobs::queue::run_entry;
            /// Releases claimed entries that have not begun; the response is empty.
            release_queue "releaseQueue" crate::jobs::queue::release;
            /// Renews the leases of running entries and of uploads; the response is empty.
            renew_queue "renewQueue" crate::jobs::queue::renew;
            /// Reads a form's meta, for other plugins.
            read_meta "readMeta" crate::jobs::read_meta;
            /// Renders a template for another plugin; the response is the text as a JSON string.
            render_template "renderTemplate" crate::jobs::render_template;
            /// Returns the recorded id of the file store; records the caller's id if there is none.
            file_store "fileStore" crate::jobs::file_store;
            /// Reads and changes the records of imports in parts; the response is the rows.
            import_records "importRecords" crate::jobs::import_records;
            /// Runs one step of the purge; the response is `{"more"}`.
            purge "purge" crate::jobs::purge;
            /// Reindexes one batch of stored submissions; the response is `{"state"}`.
            reindex "reindex" crate::jobs::reindex;
            /// Runs one step of recounting the counters; the response is `{"next","differences"}`.
            rebuild_counters "rebuildCounters" crate::jobs::rebuild;
        }
    };
}
pub(crate) use job_table;
