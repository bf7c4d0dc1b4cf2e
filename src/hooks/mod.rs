//! The hooks, by which plugins extend the engine. Names, order and semantics are those of `@wordpress/hooks`.
//!
//! The registry contains the callbacks' numbers and their order; the functions stay with the host. Inside a task a
//! callback is an effect (`run`). Plain JavaScript runs callbacks itself, in the order that the registry returns
//! step by step.

mod name;
mod registry;
mod run;

pub use name::{NameError, check_hook_name, check_namespace};
pub use registry::{Callback, Kind, Registry, RunId};
pub use run::CallbackFault;
