//! What the routes do. A handler reads its arguments, asks the domain and the store, and shapes
//! the answer.

pub mod analytics;
pub mod drafts;
pub mod exports;
pub mod fields;
pub mod forms;
pub mod imports;
pub mod privacy;
pub mod resend;
pub mod revisions;
pub mod schema;
pub mod submissions;
pub mod timeline;
pub mod transfer;
pub mod workflows;
