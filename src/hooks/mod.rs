//! The hooks: where other plugins take part in what the engine does. Names, order and semantics
//! are those of `@wordpress/hooks`.
//!
//! The registry knows who hooks in and in which order; the callbacks themselves are held by the
//! host, under numbers. Inside a task a callback is an effect ([`run`]); plain JavaScript runs
//! callbacks itself, in the order that the registry gives step by step.

pub mod argument;
mod name;
mod registry;
mod run;

pub use name::{NameError, check_hook_name, check_namespace};
pub use registry::{Callback, Kind, Registry, RunId};
pub use run::CallbackFault;
