//! The form engine of cf-forms. It does no I/O: handlers are `async fn`s that ask for effects,
//! and the host carries them out (`docs/architecture.md`).

pub mod forms;
